// SPDX-License-Identifier: Apache-2.0
// ONNX's recurrent networks: LSTM, GRU, RNN. A step is made of operators that have pages (Gemm, the activations, Mul, Add, Sub, Clip), each of which rounds its
// result; a formula cannot say it, since a state's element depends on all elements of the state before. Weights that are codes are multiplied by
// com.microsoft's DynamicQuantizeMatMul in place of Gemm, all inputs at once, each step's state by itself.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/evaluate/regions.hpp"

namespace tiebreak::regions {
namespace {

using Value = ResultTensor;
using MaybeValue = std::optional<ResultTensor>;

/// What one direction of a network has.
struct Direction {
  std::vector<Value> gates{};             ///< for each gate [hidden, input + hidden], and its two biases as columns
  MaybeValue input_part{}, state_part{};  ///< where they are apart: of the gate that a reset behind the product is for
  std::vector<Value> peepholes{};         ///< [hidden] each
  std::vector<std::string> names{};       ///< of the activations
  std::vector<Value> state_weights{};     ///< codes [hidden, gates * hidden], their scales and zero points; empty where weights are numbers
  MaybeValue inputs{};                    ///< with those: what the inputs' products are, [steps, batch, gates * hidden]
  std::vector<Value> biases{};            ///< with those: for each gate [hidden], the sum of its two
};

class Recurrence {
 public:
  /// A step makes the new states of [batch, input] and the old ones; the first is the network's result.
  using Step = Status (Recurrence::*)(const Direction& direction, const Value& x, std::vector<Value>& states) const;

  /// `names`: of the activations, as the text has them where the call has none.
  Recurrence(const Context& context, std::int64_t gates, std::size_t states, std::vector<std::string> names, Step step)
      : context_(context), gates_(gates), states_(states), names_(std::move(names)), step_(step) {}

  Results run() {
    TIEBREAK_CHECK(read_operands());
    std::vector<Value> given;                       // what the steps of each direction gave
    std::vector<std::vector<Value>> last(states_);  // of each state, by direction
    for (std::int64_t d = 0; d < directions_; ++d) {
      TIEBREAK_TRY(direction, direction_of(d));
      std::vector<Value> states;
      for (const char* name : {"initial_h", "initial_c"}) {
        if (states.size() == states_) break;
        TIEBREAK_TRY(state, begin(name, d));
        states.push_back(std::move(state));
      }
      const bool is_backward = d == 1 || context_.word("direction", "forward") == "reverse";
      std::vector<Value> line;
      for (std::int64_t t = 0; t < steps_; ++t) {
        TIEBREAK_TRY(x, slice(direction.inputs ? *direction.inputs : x_, steps_axis(), is_backward ? steps_ - 1 - t : t));
        TIEBREAK_CHECK((this->*step_)(direction, x, states));
        line.push_back(states.front());
      }
      TIEBREAK_TRY(all, stacked(context_, line, static_cast<std::int64_t>(steps_axis()), is_backward));
      given.push_back(std::move(all));
      for (std::size_t s = 0; s < states_; ++s) last[s].push_back(std::move(states[s]));
    }
    return results(given, last);
  }

  Status rnn_step(const Direction& direction, const Value& x, std::vector<Value>& states) const {
    TIEBREAK_TRY(seen, beside({x, states[0]}));
    TIEBREAK_TRY(next, gate(direction, 0, seen, 0));
    states[0] = std::move(next);
    return {};
  }

  /// Gates update, reset, hidden.
  Status gru_step(const Direction& direction, const Value& x, std::vector<Value>& states) const {
    const Value& before = states[0];
    TIEBREAK_TRY(seen, beside({x, before}));
    TIEBREAK_TRY(update, gate(direction, 0, seen, 0));
    TIEBREAK_TRY(reset, gate(direction, 1, seen, 0));
    TIEBREAK_TRY(hidden, direction.state_part ? reset_behind(direction, x, before, reset) : reset_first(direction, x, before, reset));
    TIEBREAK_TRY(rest, one_less(update));
    TIEBREAK_TRY(fresh, op("onnx.Mul", {rest, hidden}));
    TIEBREAK_TRY(kept, op("onnx.Mul", {update, before}));
    TIEBREAK_TRY(next, op("onnx.Add", {fresh, kept}));
    states[0] = std::move(next);
    return {};
  }

  /// Gates input, output, forget, cell; states hidden, cell.
  Status lstm_step(const Direction& direction, const Value& x, std::vector<Value>& states) const {
    const Value& cell = states[1];
    TIEBREAK_TRY(seen, direction.inputs ? added_products(direction, x, states[0]) : beside({x, states[0]}));
    TIEBREAK_TRY(input, gate_with_cell(direction, 0, seen, 0, cell));
    TIEBREAK_TRY(forget, context_.flag("input_forget", false) ? one_less(input) : gate_with_cell(direction, 2, seen, 2, cell));
    TIEBREAK_TRY(candidate, gate(direction, 3, seen, 1));
    TIEBREAK_TRY(kept, op("onnx.Mul", {forget, cell}));
    TIEBREAK_TRY(taken, op("onnx.Mul", {input, candidate}));
    TIEBREAK_TRY(next_cell, op("onnx.Add", {kept, taken}));
    TIEBREAK_TRY(output, gate_with_cell(direction, 1, seen, 1, next_cell));
    TIEBREAK_TRY(shown, activated(direction.names[2], next_cell));
    TIEBREAK_TRY(next, op("onnx.Mul", {output, shown}));
    states = {std::move(next), std::move(next_cell)};
    return {};
  }

 private:
  bool is_batch_first() const { return context_.flag("layout", false); }
  std::size_t steps_axis() const { return is_batch_first() ? 1 : 0; }       ///< of X and, for each direction, of Y
  std::size_t directions_axis() const { return is_batch_first() ? 1 : 0; }  ///< of states

  Status read_operands() {
    x_ = *operand("X");
    has_biases_ = operand("B").has_value();
    const Value w = *operand("W"), r = *operand("R");
    for (const Value* value : std::initializer_list<const Value*>{&x_, &w, &r})
      if (value->tensor.shape().size() != 3) return context_.refused(Errc::constraint, "X, W and R have three dimensions");
    steps_ = x_.tensor.shape()[steps_axis()];
    batch_ = x_.tensor.shape()[1 - steps_axis()];
    directions_ = w.tensor.shape()[0];
    has_codes_ = operand("W_scale").has_value();
    hidden_ = r.tensor.shape()[has_codes_ ? 1 : 2];
    Shape w_shape{directions_, gates_ * hidden_, x_.tensor.shape()[2]}, r_shape{directions_, gates_ * hidden_, hidden_};
    if (has_codes_)
      for (Shape* shape : {&w_shape, &r_shape}) std::swap((*shape)[1], (*shape)[2]);
    if (w.tensor.shape() != w_shape || r.tensor.shape() != r_shape || directions_ != (context_.word("direction", "forward") == "bidirectional" ? 2 : 1))
      return context_.refused(Errc::constraint,
                              fmt::format("W {} and R {} do not fit X and the direction", to_text(w.tensor.type()), to_text(r.tensor.type())));
    TIEBREAK_CHECK(context_.check_shape("B", {directions_, 2 * gates_ * hidden_}));
    TIEBREAK_CHECK(context_.check_shape("P", {directions_, 3 * hidden_}));
    const Shape state = is_batch_first() ? Shape{batch_, directions_, hidden_} : Shape{directions_, batch_, hidden_};
    for (const char* name : {"initial_h", "initial_c"}) TIEBREAK_CHECK(context_.check_shape(name, state));
    for (const char* name : {"W_scale", "W_zero_point", "R_scale", "R_zero_point"}) TIEBREAK_CHECK(check_parameter(name));
    return check_described();
  }

  /// One for each direction, or one for each column of its weights.
  Status check_parameter(const char* name) const {
    const MaybeValue value = operand(name);
    return value && value->tensor.shape().size() == 1 ? context_.check_shape(name, {directions_}) : context_.check_shape(name, {directions_, gates_ * hidden_});
  }

  Status check_described() const {
    if (steps_ == 0) return context_.refused(Errc::unsupported, "a sequence without a step is not described");
    if (const MaybeValue lengths = operand("sequence_lens"))
      for (std::int64_t i = 0; i < lengths->tensor.size(); ++i)
        if (lengths->tensor.value(i).to_int64() != steps_) return context_.refused(Errc::unsupported, "sequences that differ in length are not described");
    for (const char* name : {"activation_alpha", "activation_beta"})
      if (context_.attribute(name) != nullptr) return context_.refused(Errc::unsupported, fmt::format("activations with {} are not described", name));
    return {};
  }

  MaybeValue operand(const char* name) const { return context_.operand(name); }

  /// [directions, parts * hidden, ...] of one direction, part by part: [hidden, ...] each.
  Result<std::vector<Value>> parts_of(const char* name, std::int64_t direction, std::int64_t parts) const {
    std::vector<Value> all;
    MaybeValue whole = operand(name);
    if (!whole) return all;
    Shape shape = whole->tensor.shape();
    shape[1] = hidden_;
    shape.insert(shape.begin() + 1, parts);
    TIEBREAK_TRY(own, slice(reshaped(*std::move(whole), shape), 0, direction));
    for (std::int64_t i = 0; i < parts; ++i) {
      TIEBREAK_TRY(part, slice(own, 0, i));
      all.push_back(std::move(part));
    }
    return all;
  }

  Result<Direction> direction_of(std::int64_t number) const {
    Direction direction;
    TIEBREAK_CHECK(has_codes_ ? read_codes(number, direction) : read_numbers(number, direction));
    TIEBREAK_TRY(peepholes, parts_of("P", number, 3));
    direction.peepholes = std::move(peepholes);
    TIEBREAK_CHECK(read_names(number, direction.names));
    return direction;
  }

  Status read_numbers(std::int64_t number, Direction& direction) const {
    TIEBREAK_TRY(w, parts_of("W", number, gates_));
    TIEBREAK_TRY(r, parts_of("R", number, gates_));
    TIEBREAK_TRY(b, parts_of("B", number, 2 * gates_));
    for (Value& bias : b) bias = reshaped(std::move(bias), {hidden_, 1});
    const auto gates = static_cast<std::size_t>(gates_);
    for (std::size_t g = 0; g < gates; ++g) {
      TIEBREAK_TRY(gate, joined(b.empty() ? std::vector{w[g], r[g]} : std::vector{w[g], r[g], b[g], b[gates + g]}));
      direction.gates.push_back(std::move(gate));
    }
    if (context_.flag("linear_before_reset", false)) {
      TIEBREAK_TRY(input_part, joined(b.empty() ? std::vector{w.back()} : std::vector{w.back(), b[gates - 1]}));
      TIEBREAK_TRY(state_part, joined(b.empty() ? std::vector{r.back()} : std::vector{r.back(), b.back()}));
      direction.input_part = std::move(input_part);
      direction.state_part = std::move(state_part);
    }
    return {};
  }

  Status read_codes(std::int64_t number, Direction& direction) const {
    std::vector<Value> factors{x_};
    for (const char* name : {"W", "W_scale", "W_zero_point"}) {
      TIEBREAK_TRY(own, slice(*operand(name), 0, number));
      factors.push_back(std::move(own));
    }
    TIEBREAK_TRY(inputs, op("microsoft.DynamicQuantizeMatMul", factors));
    direction.inputs = std::move(inputs);
    for (const char* name : {"R", "R_scale", "R_zero_point"}) {
      TIEBREAK_TRY(own, slice(*operand(name), 0, number));
      direction.state_weights.push_back(std::move(own));
    }
    TIEBREAK_TRY(b, parts_of("B", number, 2 * gates_));
    for (std::size_t g = 0; 2 * g < b.size(); ++g) {
      TIEBREAK_TRY(both, op("onnx.Add", {b[g], b[g + b.size() / 2]}));
      direction.biases.push_back(std::move(both));
    }
    return {};
  }

  Status read_names(std::int64_t direction, std::vector<std::string>& names) const {
    names = names_;
    const Attribute* given = context_.attribute("activations");
    if (given == nullptr) return {};
    const AttributeList* list = std::get_if<AttributeList>(&given->value);
    const std::size_t first = static_cast<std::size_t>(direction) * names.size();
    if (list == nullptr || list->size() < first + names.size())
      return context_.refused(Errc::constraint, fmt::format("{} activations a direction", names.size()));
    for (std::size_t i = 0; i < names.size(); ++i) names[i] = (*list)[first + i].as_string().value_or("");
    return {};
  }

  /// The state that a direction begins with.
  Result<Value> begin(const char* name, std::int64_t direction) const {
    const MaybeValue given = operand(name);
    return given ? slice(*given, directions_axis(), direction) : filled({batch_, hidden_}, Real(0));
  }

  /// Columns beside each other.
  Result<Value> joined(const std::vector<Value>& parts) const { return op("onnx.Concat", parts, {{"axis", Attribute{Real(1)}}}); }

  /// What a product sees: these, and a column of ones for each of their biases.
  Result<Value> beside(std::vector<Value> parts) const {
    TIEBREAK_TRY(one, filled({batch_, 1}, Real(1)));
    parts.insert(parts.end(), has_biases_ ? parts.size() : 0, one);
    return joined(parts);
  }

  /// What is known of all gates, [batch, gates * hidden]: the input's products and the state's. A state of zeros has no range to be quantized by; its products
  /// are 0.
  Result<Value> added_products(const Direction& direction, const Value& x, const Value& h) const {
    if (is_zero(h)) {
      TIEBREAK_TRY(nothing, filled({}, Real(0)));
      return op("onnx.Add", {x, nothing});
    }
    std::vector<Value> factors{h};
    factors.insert(factors.end(), direction.state_weights.begin(), direction.state_weights.end());
    TIEBREAK_TRY(of_state, op("microsoft.DynamicQuantizeMatMul", factors));
    return op("onnx.Add", {x, of_state});
  }

  static bool is_zero(const Value& value) {
    for (std::int64_t i = 0; i < value.tensor.size(); ++i)
      if (value.is_undefined(i) || !value.tensor.value(i).is_zero()) return false;
    return true;
  }

  /// A gate of what is known of all, plus `c`, plus its bias, each sum rounded.
  Result<Value> added_gate(const Direction& direction, std::size_t number, const Value& products, const Value* c) const {
    TIEBREAK_TRY(sum, slice(reshaped(products, {batch_, gates_, hidden_}), 1, static_cast<std::int64_t>(number)));
    if (c != nullptr) {
      TIEBREAK_TRY(with_cell, op("onnx.Add", {sum, *c}));
      sum = std::move(with_cell);
    }
    return direction.biases.empty() ? std::move(sum) : op("onnx.Add", {sum, direction.biases[number]});
  }

  /// Matrix product with transposed weights, which rounds the sum once, C and all.
  Result<Value> product(const Value& seen, const Value& weights, const Value* c = nullptr) const {
    std::vector<Value> operands{seen, weights};
    if (c != nullptr) operands.push_back(*c);
    return op("onnx.Gemm", operands, {{"transB", Attribute{Real(1)}}});
  }

  /// x * W + h * R + both biases, and the activation of that number.
  Result<Value> gate(const Direction& direction, std::size_t number, const Value& seen, std::size_t name) const {
    TIEBREAK_TRY(sum, direction.inputs ? added_gate(direction, number, seen, nullptr) : product(seen, direction.gates[number]));
    return activated(direction.names[name], std::move(sum));
  }

  /// The same plus P . c where there are peepholes, for the first activation.
  Result<Value> gate_with_cell(const Direction& direction, std::size_t number, const Value& seen, std::size_t peephole, const Value& cell) const {
    if (direction.peepholes.empty()) return gate(direction, number, seen, 0);
    TIEBREAK_TRY(shown, op("onnx.Mul", {direction.peepholes[peephole], cell}));
    TIEBREAK_TRY(sum, direction.inputs ? added_gate(direction, number, seen, &shown) : product(seen, direction.gates[number], &shown));
    return activated(direction.names[0], std::move(sum));
  }

  /// x * W + (r . h) * R + both biases.
  Result<Value> reset_first(const Direction& direction, const Value& x, const Value& h, const Value& reset) const {
    TIEBREAK_TRY(kept, op("onnx.Mul", {reset, h}));
    TIEBREAK_TRY(seen, beside({x, kept}));
    return gate(direction, 2, seen, 1);
  }

  /// x * W + bias + r . (h * R + bias).
  Result<Value> reset_behind(const Direction& direction, const Value& x, const Value& h, const Value& reset) const {
    TIEBREAK_TRY(input, beside({x}));
    TIEBREAK_TRY(state, beside({h}));
    TIEBREAK_TRY(of_input, product(input, *direction.input_part));
    TIEBREAK_TRY(of_state, product(state, *direction.state_part));
    TIEBREAK_TRY(kept, op("onnx.Mul", {reset, of_state}));
    TIEBREAK_TRY(sum, op("onnx.Add", {of_input, kept}));
    return activated(direction.names[1], std::move(sum));
  }

  Result<Value> one_less(const Value& value) const {
    TIEBREAK_TRY(one, filled(value.tensor.shape(), Real(1)));
    return op("onnx.Sub", {one, value});
  }

  /// The operator of that name; what it takes is clipped to [-clip, clip].
  Result<Value> activated(const std::string& name, Value value) const {
    if (const Attribute* clip = context_.attribute("clip")) {
      const Real* most = std::get_if<Real>(&clip->value);
      if (most == nullptr) return context_.refused(Errc::type, "clip is no number");
      TIEBREAK_TRY(low, filled({}, -*most));
      TIEBREAK_TRY(high, filled({}, *most));
      TIEBREAK_TRY(clipped, op("onnx.Clip", {value, low, high}));
      value = std::move(clipped);
    }
    constexpr const char* described[] = {"Relu", "Tanh", "Sigmoid", "Softsign", "Softplus", "HardSigmoid", "LeakyRelu", "ThresholdedRelu", "Elu"};
    if (std::ranges::find(described, name) == std::end(described))
      return context_.refused(Errc::unsupported, fmt::format("the activation '{}' is not described", name));
    return op("onnx." + name, {value});
  }

  Result<Value> op(const std::string& name, const std::vector<Value>& operands, AttributeMap attributes = {}) const {
    return run_op(context_, name, {operands.begin(), operands.end()}, std::move(attributes));
  }

  /// The same number everywhere, in X's type.
  Result<Value> filled(const Shape& shape, const Real& number) const {
    const ElementType& element = x_.tensor.element();
    const auto code = element.encode(number);
    if (!code) return context_.refused(Errc::type, fmt::format("{} is no number of {}", number.to_decimal(), element.name()));
    TIEBREAK_TRY(tensor, Tensor::zeros({element, shape}));
    for (std::int64_t i = 0; i < tensor.size(); ++i) tensor.set_code(i, *code);
    return Value{.name = "", .tensor = std::move(tensor)};
  }

  /// Y [steps, directions, batch, hidden] and what each state is in the end, [directions, batch, hidden]; the batch first in the other layout.
  Results results(const std::vector<Value>& given, const std::vector<std::vector<Value>>& last) const {
    TIEBREAK_TRY(y, stacked(context_, given, is_batch_first() ? 2 : 1));
    std::vector<Value> all{std::move(y)};
    for (const std::vector<Value>& state : last) {
      TIEBREAK_TRY(ended, stacked(context_, state, static_cast<std::int64_t>(directions_axis())));
      all.push_back(std::move(ended));
    }
    return all;
  }

  const Context& context_;
  std::int64_t gates_;
  std::size_t states_;
  std::vector<std::string> names_;
  Step step_;
  Value x_{};
  bool has_biases_ = false, has_codes_ = false;
  std::int64_t steps_ = 0, batch_ = 0, hidden_ = 0, directions_ = 0;
};

}  // namespace

Results rnn(const Context& context) { return Recurrence(context, 1, 1, {"Tanh"}, &Recurrence::rnn_step).run(); }
Results gru(const Context& context) { return Recurrence(context, 3, 1, {"Sigmoid", "Tanh"}, &Recurrence::gru_step).run(); }
Results lstm(const Context& context) { return Recurrence(context, 4, 2, {"Sigmoid", "Tanh", "Tanh"}, &Recurrence::lstm_step).run(); }

}  // namespace tiebreak::regions
