// SPDX-License-Identifier: Apache-2.0
// ONNX's recurrent networks: LSTM, GRU, RNN. A step is made of operators that have pages (Gemm, the activations, Mul, Add, Sub, Clip), each of which rounds its
// result; a formula cannot say it, since a state's element depends on all elements of the state before.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/evaluate/regions.hpp"

namespace tiebreak::regions {
namespace {

using Value = ResultTensor;
using MaybeValue = std::optional<ResultTensor>;

std::int64_t number(const Context& context, const std::string& name, std::int64_t fallback) {
  const auto found = context.call.attributes.find(name);
  return found == context.call.attributes.end() ? fallback : found->second.as_integer().value_or(fallback);
}

tl::unexpected<Error> not_described(const Context& context, const std::string& what) {
  return fail(Errc::unsupported, fmt::format("{}: {}", context.call.op, what), context.call.where);
}

/// Entry `place` along the first axis, without that axis; of it rows from `first` on where `rows` is not 0.
Result<Value> entry(const Value& value, std::int64_t place, std::int64_t first = 0, std::int64_t rows = 0) {
  Shape shape(value.tensor.shape().begin() + 1, value.tensor.shape().end());
  std::int64_t row = 1;
  for (std::size_t d = 1; d < shape.size(); ++d) row *= shape[d];
  const std::int64_t begin = (place * shape.front() + first) * row;
  if (rows != 0) shape.front() = rows;
  std::vector<std::int64_t> offsets(static_cast<std::size_t>(shape.front() * row));
  for (std::size_t i = 0; i < offsets.size(); ++i) offsets[i] = begin + static_cast<std::int64_t>(i);
  TIEBREAK_TRY(picked, pick(value, offsets));
  return reshaped(std::move(picked), shape);
}

/// What one direction of a network has; gates stand one after the other in the rows of W and R.
struct Weights {
  Value w, r;                        ///< [gates * hidden, input], [gates * hidden, hidden]
  MaybeValue b{}, p{};               ///< [2 * gates * hidden] of W, then of R; [3 * hidden]
  std::vector<std::string> names{};  ///< of the activations
};

class Recurrence {
 public:
  /// A step makes the new states of [batch, input] and the old ones; the first is the network's result.
  using Step = Status (Recurrence::*)(const Weights& weights, const Value& x, std::vector<Value>& states) const;

  Recurrence(const Context& context, std::size_t gates, std::size_t states, std::vector<std::string> names, Step step)
      : context_(context), gates_(static_cast<std::int64_t>(gates)), states_(states), names_(std::move(names)), step_(step) {}

  Results run() {
    TIEBREAK_CHECK(read_operands());
    std::vector<std::vector<Value>> last(states_);  // of each state, by direction
    std::vector<std::vector<Value>> given;          // by direction and place in the sequence
    for (std::int64_t d = 0; d < directions_; ++d) {
      TIEBREAK_TRY(weights, weights_of(d));
      std::vector<Value> states;
      for (std::size_t s = 0; s < states_; ++s) {
        TIEBREAK_TRY(state, begin(s, d));
        states.push_back(std::move(state));
      }
      std::vector<Value>& line = given.emplace_back(static_cast<std::size_t>(steps_));
      for (std::int64_t t = 0; t < steps_; ++t) {
        const std::int64_t place = is_backward(d) ? steps_ - 1 - t : t;
        TIEBREAK_TRY(x, entry(*x_, place));
        TIEBREAK_CHECK((this->*step_)(weights, x, states));
        line[static_cast<std::size_t>(place)] = states.front();
      }
      for (std::size_t s = 0; s < states_; ++s) last[s].push_back(std::move(states[s]));
    }
    return results(given, last);
  }

  Status rnn_step(const Weights& weights, const Value& x, std::vector<Value>& states) const {
    TIEBREAK_TRY(sum, gate_sum(weights, 0, x, states[0]));
    TIEBREAK_TRY(next, activated(weights.names[0], std::move(sum)));
    states[0] = std::move(next);
    return {};
  }

  /// Gates update, reset, hidden.
  Status gru_step(const Weights& weights, const Value& x, std::vector<Value>& states) const {
    const Value& before = states[0];
    TIEBREAK_TRY(update_sum, gate_sum(weights, 0, x, before));
    TIEBREAK_TRY(update, activated(weights.names[0], std::move(update_sum)));
    TIEBREAK_TRY(reset_sum, gate_sum(weights, 1, x, before));
    TIEBREAK_TRY(reset, activated(weights.names[0], std::move(reset_sum)));
    TIEBREAK_TRY(hidden_sum,
                 number(context_, "linear_before_reset", 0) != 0 ? reset_behind(weights, x, before, reset) : reset_first(weights, x, before, reset));
    TIEBREAK_TRY(hidden, activated(weights.names[1], std::move(hidden_sum)));
    TIEBREAK_TRY(one, filled(update.tensor.shape(), 1));
    TIEBREAK_TRY(rest, op("onnx.Sub", {one, update}));
    TIEBREAK_TRY(fresh, op("onnx.Mul", {rest, hidden}));
    TIEBREAK_TRY(kept, op("onnx.Mul", {update, before}));
    TIEBREAK_TRY(next, op("onnx.Add", {fresh, kept}));
    states[0] = std::move(next);
    return {};
  }

  /// Gates input, output, forget, cell; states hidden, cell.
  Status lstm_step(const Weights& weights, const Value& x, std::vector<Value>& states) const {
    const Value &before = states[0], cell = states[1];
    TIEBREAK_TRY(input_sum, gate_sum(weights, 0, x, before, &cell, 0));
    TIEBREAK_TRY(input, activated(weights.names[0], std::move(input_sum)));
    TIEBREAK_TRY(forget, forget_gate(weights, x, before, cell, input));
    TIEBREAK_TRY(cell_sum, gate_sum(weights, 3, x, before));
    TIEBREAK_TRY(candidate, activated(weights.names[1], std::move(cell_sum)));
    TIEBREAK_TRY(kept, op("onnx.Mul", {forget, cell}));
    TIEBREAK_TRY(taken, op("onnx.Mul", {input, candidate}));
    TIEBREAK_TRY(next_cell, op("onnx.Add", {kept, taken}));
    TIEBREAK_TRY(output_sum, gate_sum(weights, 1, x, before, &next_cell, 1));
    TIEBREAK_TRY(output, activated(weights.names[0], std::move(output_sum)));
    TIEBREAK_TRY(shown, activated(weights.names[2], next_cell));
    TIEBREAK_TRY(next, op("onnx.Mul", {output, shown}));
    states = {std::move(next), std::move(next_cell)};
    return {};
  }

 private:
  Status read_operands() {
    x_ = operand("X");
    const Shape& shape = x_->tensor.shape();
    const MaybeValue w = operand("W"), r = operand("R");
    if (shape.size() != 3 || w->tensor.shape().size() != 3 || r->tensor.shape().size() != 3)
      return fail(Errc::constraint, fmt::format("{}: X, W and R have three dimensions", context_.call.op), context_.call.where);
    is_batch_first_ = number(context_, "layout", 0) != 0;
    if (is_batch_first_) {
      TIEBREAK_TRY(turned, transposed(*x_, {1, 0, 2}));
      x_ = std::move(turned);
    }
    steps_ = x_->tensor.shape()[0];
    batch_ = x_->tensor.shape()[1];
    directions_ = w->tensor.shape()[0];
    hidden_ = r->tensor.shape()[2];
    const Shape w_shape{directions_, gates_ * hidden_, x_->tensor.shape()[2]}, r_shape{directions_, gates_ * hidden_, hidden_};
    if (w->tensor.shape() != w_shape || r->tensor.shape() != r_shape || directions_ != (word("direction", "forward") == "bidirectional" ? 2 : 1))
      return fail(Errc::constraint,
                  fmt::format("{}: W {} and R {} do not fit X and the direction", context_.call.op, to_text(w->tensor.type()), to_text(r->tensor.type())),
                  context_.call.where);
    TIEBREAK_CHECK(check_shape("B", {directions_, 2 * gates_ * hidden_}));
    TIEBREAK_CHECK(check_shape("P", {directions_, 3 * hidden_}));
    const Shape state = is_batch_first_ ? Shape{batch_, directions_, hidden_} : Shape{directions_, batch_, hidden_};
    for (const char* name : {"initial_h", "initial_c"}) TIEBREAK_CHECK(check_shape(name, state));
    if (const MaybeValue lengths = operand("sequence_lens"))
      for (std::int64_t i = 0; i < lengths->tensor.size(); ++i)
        if (lengths->tensor.value(i).to_int64() != steps_) return not_described(context_, "sequences that differ in length are not described");
    for (const char* name : {"activation_alpha", "activation_beta"})
      if (context_.call.attributes.contains(name)) return not_described(context_, fmt::format("activations with {} are not described", name));
    return {};
  }

  Status check_shape(const char* name, const Shape& shape) const {
    const MaybeValue value = operand(name);
    if (!value || value->tensor.shape() == shape) return {};
    return fail(Errc::constraint, fmt::format("{}: {} is {}, its shape must be {}", context_.call.op, name, to_text(value->tensor.type()), to_text(shape)),
                context_.call.where);
  }

  MaybeValue operand(const char* name) const {
    auto found = context_.operands(name);
    return found.empty() ? MaybeValue() : std::optional(std::move(found.front()));
  }

  std::string word(const char* name, const char* fallback) const {
    const auto found = context_.call.attributes.find(name);
    return found == context_.call.attributes.end() ? fallback : found->second.as_string().value_or(fallback);
  }

  bool is_backward(std::int64_t direction) const { return direction == 1 || word("direction", "forward") == "reverse"; }

  Result<Weights> weights_of(std::int64_t direction) const {
    TIEBREAK_TRY(w, entry(*operand("W"), direction));
    TIEBREAK_TRY(r, entry(*operand("R"), direction));
    Weights weights{std::move(w), std::move(r), {}, {}, {}};
    for (auto [name, part] : {std::pair("B", &weights.b), std::pair("P", &weights.p)})
      if (const MaybeValue all = operand(name)) {
        TIEBREAK_TRY(own, entry(*all, direction));
        *part = std::move(own);
      }
    weights.names = names_;
    if (const auto found = context_.call.attributes.find("activations"); found != context_.call.attributes.end() && !found->second.is_none()) {
      const AttributeList* list = std::get_if<AttributeList>(&found->second.value);
      const std::size_t first = static_cast<std::size_t>(direction) * names_.size();
      if (list == nullptr || list->size() < first + names_.size())
        return fail(Errc::constraint, fmt::format("{}: {} activations a direction", context_.call.op, names_.size()), context_.call.where);
      for (std::size_t i = 0; i < names_.size(); ++i) weights.names[i] = (*list)[first + i].as_string().value_or("");
    }
    return weights;
  }

  /// The state that a direction begins with.
  Result<Value> begin(std::size_t state, std::int64_t direction) const {
    MaybeValue given = operand(state == 0 ? "initial_h" : "initial_c");
    if (!given) return filled({batch_, hidden_}, 0);
    if (!is_batch_first_) return entry(*given, direction);
    TIEBREAK_TRY(turned, transposed(*given, {1, 0, 2}));
    return entry(turned, direction);
  }

  /// x * W + h * R + P . c + both biases of a gate: one product of matrices, so that the sum is rounded once, beside what `peephole`, which counts the gates
  /// that have one, sees of the cell.
  Result<Value> gate_sum(const Weights& weights, std::int64_t gate, const Value& x, const Value& h, const Value* c = nullptr, std::int64_t peephole = 0) const {
    TIEBREAK_TRY(w, rows(weights.w, gate));
    TIEBREAK_TRY(r, rows(weights.r, gate));
    std::vector<Value> left{x, h}, right{std::move(w), std::move(r)};
    for (std::int64_t bias : {gate, gates_ + gate}) TIEBREAK_CHECK(add_bias(weights, bias, left, right));
    if (c == nullptr || !weights.p) return product(left, right);
    TIEBREAK_TRY(p, rows(*weights.p, peephole));
    TIEBREAK_TRY(seen, op("onnx.Mul", {p, *c}));
    return product(left, right, &seen);
  }

  /// The bias as a column of weights, which counts once.
  Status add_bias(const Weights& weights, std::int64_t bias, std::vector<Value>& left, std::vector<Value>& right) const {
    if (!weights.b) return {};
    TIEBREAK_TRY(column, rows(*weights.b, bias));
    TIEBREAK_TRY(one, filled({batch_, 1}, 1));
    left.push_back(std::move(one));
    right.push_back(reshaped(std::move(column), {hidden_, 1}));
    return {};
  }

  Result<Value> product(const std::vector<Value>& left, const std::vector<Value>& right, const Value* added = nullptr) const {
    TIEBREAK_TRY(a, op("onnx.Concat", left, {{"axis", Attribute{Real(1)}}}));
    TIEBREAK_TRY(b, op("onnx.Concat", right, {{"axis", Attribute{Real(1)}}}));
    std::vector<Value> operands{std::move(a), std::move(b)};
    if (added != nullptr) operands.push_back(*added);
    return op("onnx.Gemm", operands, {{"transB", Attribute{Real(1)}}});
  }

  /// x * W + (r . h) * R + both biases.
  Result<Value> reset_first(const Weights& weights, const Value& x, const Value& h, const Value& reset) const {
    TIEBREAK_TRY(seen, op("onnx.Mul", {reset, h}));
    return gate_sum(weights, 2, x, seen);
  }

  /// x * W + bias + r . (h * R + bias).
  Result<Value> reset_behind(const Weights& weights, const Value& x, const Value& h, const Value& reset) const {
    TIEBREAK_TRY(w, rows(weights.w, 2));
    TIEBREAK_TRY(r, rows(weights.r, 2));
    std::vector<Value> left{x}, right{std::move(w)}, left_of_state{h}, right_of_state{std::move(r)};
    TIEBREAK_CHECK(add_bias(weights, 2, left, right));
    TIEBREAK_CHECK(add_bias(weights, gates_ + 2, left_of_state, right_of_state));
    TIEBREAK_TRY(of_input, product(left, right));
    TIEBREAK_TRY(of_state, product(left_of_state, right_of_state));
    TIEBREAK_TRY(seen, op("onnx.Mul", {reset, of_state}));
    return op("onnx.Add", {of_input, seen});
  }

  Result<Value> forget_gate(const Weights& weights, const Value& x, const Value& h, const Value& c, const Value& input) const {
    if (number(context_, "input_forget", 0) != 0) {
      TIEBREAK_TRY(one, filled(input.tensor.shape(), 1));
      return op("onnx.Sub", {one, input});
    }
    TIEBREAK_TRY(sum, gate_sum(weights, 2, x, h, &c, 2));
    return activated(weights.names[0], std::move(sum));
  }

  /// The operator of that name; what it takes is cut off at `clip`.
  Result<Value> activated(const std::string& name, Value value) const {
    if (const auto found = context_.call.attributes.find("clip"); found != context_.call.attributes.end() && !found->second.is_none()) {
      const Real* most = std::get_if<Real>(&found->second.value);
      if (most == nullptr) return fail(Errc::type, fmt::format("{}: clip is no number", context_.call.op), context_.call.where);
      TIEBREAK_TRY(low, scalar_of(-*most));
      TIEBREAK_TRY(high, scalar_of(*most));
      TIEBREAK_TRY(cut, op("onnx.Clip", {value, low, high}));
      value = std::move(cut);
    }
    constexpr const char* described[] = {"Relu", "Tanh", "Sigmoid", "Softsign", "Softplus", "HardSigmoid", "LeakyRelu", "ThresholdedRelu", "Elu"};
    if (std::ranges::find(described, name) == std::end(described)) return not_described(context_, fmt::format("the activation '{}' is not described", name));
    return op("onnx." + name, {value});
  }

  Result<Value> op(const std::string& name, const std::vector<Value>& operands, AttributeMap attributes = {}) const {
    OpCall call{.op = name, .operands = {}, .attributes = std::move(attributes), .result_types = {std::nullopt}, .where = context_.call.where};
    for (const Value& value : operands) {
      call.operands.emplace_back(value.tensor);
      call.undefined.push_back(value.undefined);
    }
    TIEBREAK_TRY(results, evaluate({context_.library, context_.profile}, call, context_.options));
    return std::move(results.front());
  }

  /// Those of a gate, of a matrix or of a line.
  Result<Value> rows(const Value& value, std::int64_t gate) const {
    Shape shape = value.tensor.shape();
    shape.insert(shape.begin(), 1);
    return entry(reshaped(value, shape), 0, gate * hidden_, hidden_);
  }

  Result<Value> filled(const Shape& shape, std::int64_t number_of_each) const {
    TIEBREAK_TRY(tensor, Tensor::zeros({x_->tensor.element(), shape}));
    const auto code = x_->tensor.element().encode(Real(number_of_each));
    for (std::int64_t i = 0; code && i < tensor.size(); ++i) tensor.set_code(i, *code);
    return Value{.name = "", .tensor = std::move(tensor)};
  }

  Result<Value> scalar_of(const Real& number_of_it) const {
    const auto code = x_->tensor.element().encode(number_of_it);
    if (!code)
      return fail(Errc::type, fmt::format("{}: {} is no number of {}", context_.call.op, number_of_it.to_decimal(), x_->tensor.element().name()),
                  context_.call.where);
    TIEBREAK_TRY(tensor, Tensor::zeros({x_->tensor.element(), {}}));
    tensor.set_code(0, *code);
    return Value{.name = "", .tensor = std::move(tensor)};
  }

  Result<Value> transposed(const Value& value, const std::vector<std::int64_t>& order) const {
    AttributeList list;
    for (std::int64_t axis : order) list.push_back({Real(axis)});
    return op("onnx.Transpose", {value}, {{"perm", Attribute{std::move(list)}}});
  }

  /// One tensor of equal ones, along a new first axis.
  Result<Value> together(const std::vector<Value>& parts) const {
    Shape shape = parts.front().tensor.shape();
    shape.insert(shape.begin(), 1);
    std::vector<Value> all;
    for (const Value& part : parts) all.push_back(reshaped(part, shape));
    return op("onnx.Concat", all, {{"axis", Attribute{Real(0)}}});
  }

  /// Y [steps, directions, batch, hidden] and what each state is in the end, [directions, batch, hidden]; the batch first in the other layout.
  Results results(const std::vector<std::vector<Value>>& given, const std::vector<std::vector<Value>>& last) const {
    std::vector<Value> lines, all;
    for (const std::vector<Value>& line : given) {
      if (line.empty()) return not_described(context_, "a sequence without a step is not described");
      TIEBREAK_TRY(joined, together(line));
      lines.push_back(std::move(joined));
    }
    TIEBREAK_TRY(y, together(lines));  // directions, steps, batch, hidden
    const std::vector<std::int64_t> order = is_batch_first_ ? std::vector<std::int64_t>{2, 1, 0, 3} : std::vector<std::int64_t>{1, 0, 2, 3};
    TIEBREAK_TRY(turned, transposed(y, order));
    all.push_back(std::move(turned));
    for (const std::vector<Value>& state : last) {
      TIEBREAK_TRY(joined, together(state));
      if (is_batch_first_) {
        TIEBREAK_TRY(batch_first, transposed(joined, {1, 0, 2}));
        joined = std::move(batch_first);
      }
      all.push_back(std::move(joined));
    }
    return all;
  }

  const Context& context_;
  std::int64_t gates_;
  std::size_t states_;
  std::vector<std::string> names_;  ///< of the activations, as the text has them where the call has none
  Step step_;
  MaybeValue x_{};  ///< [steps, batch, input]
  bool is_batch_first_ = false;
  std::int64_t steps_ = 0, batch_ = 0, hidden_ = 0, directions_ = 0;
};

}  // namespace

Results rnn(const Context& context) { return Recurrence(context, 1, 1, {"Tanh"}, &Recurrence::rnn_step).run(); }
Results gru(const Context& context) { return Recurrence(context, 3, 1, {"Sigmoid", "Tanh"}, &Recurrence::gru_step).run(); }
Results lstm(const Context& context) { return Recurrence(context, 4, 2, {"Sigmoid", "Tanh", "Tanh"}, &Recurrence::lstm_step).run(); }

}  // namespace tiebreak::regions
