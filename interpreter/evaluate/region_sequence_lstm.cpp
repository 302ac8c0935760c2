// SPDX-License-Identifier: Apache-2.0
// TensorFlow Lite's LSTM over a sequence. A step is made of operators that have pages (spec/tflite/sequence_lstm.md; of floats LOGISTIC, TANH, MUL and the
// activations, too), each of which rounds its result; a formula cannot say it, since an element of a state depends on all elements of the state before.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/evaluate/regions.hpp"

namespace tiebreak::regions {
namespace {

using Step = ResultTensor;
using MaybeStep = std::optional<ResultTensor>;

enum class Gate : std::uint8_t { input, forget, cell, output };

std::string word_of(Gate gate) {
  constexpr const char* words[] = {"input", "forget", "cell", "output"};
  return words[static_cast<std::size_t>(gate)];
}

class SequenceLstm {
 public:
  explicit SequenceLstm(const Context& context) : context_(context) {}

  Results run() {
    TIEBREAK_CHECK(read_operands());
    std::vector<Step> line;
    for (std::int64_t t = 0; t < steps_; ++t) {
      TIEBREAK_TRY(x, slice(x_, steps_axis(), t));
      TIEBREAK_CHECK(step(x));
      line.push_back(hidden_);
    }
    TIEBREAK_TRY(all, stacked(context_, line, static_cast<std::int64_t>(steps_axis())));
    // The result has the codes of the state, whatever parameters the model states for it.
    const auto& stated = context_.header.results.front();
    if (stated && stated->element.name() == all.tensor.element().name()) all.tensor.set_type({all.tensor.element(), all.tensor.shape(), stated->quantized});
    return std::vector<Step>{std::move(all)};
  }

 private:
  bool is_float() const { return x_.tensor.element().is_float(); }
  bool is_coupled() const { return !operand("input_to_input_weights"); }
  std::size_t steps_axis() const { return context_.flag("time_major", false) ? 0 : 1; }

  Status step(const Step& x) {
    TIEBREAK_TRY(forget, gate(Gate::forget, x));
    TIEBREAK_TRY(candidate, gate(Gate::cell, x));
    std::vector<MaybeStep> parts{cell_, std::move(forget), std::move(candidate)};
    if (!is_coupled()) {
      TIEBREAK_TRY(taken, gate(Gate::input, x));
      parts.emplace_back(std::move(taken));
    }
    TIEBREAK_TRY(next, op("tflite.lstm_state", parts, cell_.tensor.type(), given({"cell_clip"})));
    cell_ = std::move(next);
    TIEBREAK_TRY(output, gate(Gate::output, x));
    TIEBREAK_TRY(shown, is_float() ? shown_float(output) : shown_codes(output));
    return hand_on(std::move(shown));
  }

  Result<Step> gate(Gate which, const Step& x) const {
    TIEBREAK_TRY(total, total_of(which, x));
    if (is_float()) return which == Gate::cell ? activated(std::move(total)) : op("tflite.LOGISTIC", {total}, total.tensor.type());
    return op("tflite.lstm_function", {total}, total.tensor.type(), {{"activation", Attribute{std::string(which == Gate::cell ? "TANH" : "LOGISTIC")}}});
  }

  /// x * W + h * R + P . c; with the bias in the first sum, or behind the normalization.
  Result<Step> total_of(Gate which, const Step& x) const {
    const std::string word = word_of(which);
    const MaybeStep bias = operand(word + "_gate_bias"), coefficients = operand(word + "_layer_norm_coefficients"),
                    peephole = which == Gate::cell ? MaybeStep() : operand("cell_to_" + word + "_weights");
    TIEBREAK_TRY(scale, scale_of(which));
    const TensorType type = total_type();
    TIEBREAK_TRY(seen, op("tflite.lstm_product", {x, operand("input_to_" + word + "_weights"), coefficients ? MaybeStep() : bias}, type, scale));
    TIEBREAK_TRY(total, op("tflite.lstm_product", {hidden_, operand("recurrent_to_" + word + "_weights"), {}, std::move(seen)}, type, scale));
    if (peephole) {
      TIEBREAK_TRY(more, op("tflite.lstm_peephole", {std::move(total), cell_, peephole}, type, scale));
      total = std::move(more);
    }
    return coefficients ? op("tflite.lstm_normalized", {std::move(total), coefficients, bias}, type) : Result<Step>(std::move(total));
  }

  /// Of the numbers before the gate's function: 2^-12 where nothing normalizes them.
  Result<AttributeMap> scale_of(Gate which) const {
    if (is_float()) return AttributeMap{};
    const Attribute* scales = context_.attribute("gate_scales");
    if (scales == nullptr) return AttributeMap{{"scale", Attribute{Real::from_double(0x1p-12)}}};
    const auto* list = std::get_if<AttributeList>(&scales->value);
    if (list == nullptr || list->size() != 4) return context_.refused(Errc::constraint, "gate_scales has a number for each of the four gates");
    return AttributeMap{{"scale", (*list)[static_cast<std::size_t>(which)]}};
  }

  Result<Step> activated(Step value) const { return op("tflite." + context_.word("fused_activation_function", "TANH"), {value}, value.tensor.type()); }

  Result<Step> shown_float(const Step& output) const {
    TIEBREAK_TRY(curve, activated(cell_));
    return op("tflite.MUL", {output, curve}, cell_.tensor.type());
  }

  Result<Step> shown_codes(const Step& output) const {
    AttributeMap attributes = shown_parameters();
    attributes.emplace("projected", Attribute{operand("projection_weights").has_value()});
    return op("tflite.lstm_shown", {cell_, output}, {hidden_.tensor.element(), cell_.tensor.shape(), {}}, std::move(attributes));
  }

  /// The state that the next step sees: what is shown, projected where there are weights for it. Without them codes are taken as they are.
  Status hand_on(Step shown) {
    const MaybeStep weights = operand("projection_weights");
    if (!weights) {
      shown.tensor.set_type(hidden_.tensor.type());
      hidden_ = std::move(shown);
      return {};
    }
    AttributeMap attributes = given({"proj_clip"});
    attributes.merge(shown_parameters());
    TIEBREAK_TRY(projected, op("tflite.lstm_projection", {shown, weights, operand("projection_bias")}, hidden_.tensor.type(), std::move(attributes)));
    hidden_ = std::move(projected);
    return {};
  }

  /// What the model states of the codes that are shown.
  AttributeMap shown_parameters() const {
    AttributeMap attributes;
    if (const Attribute* scale = context_.attribute("hidden_scale")) attributes.emplace("scale", *scale);
    if (const Attribute* zero_point = context_.attribute("hidden_zero_point")) attributes.emplace("zero_point", *zero_point);
    return attributes;
  }

  TensorType total_type() const { return {*ElementType::parse(is_float() ? "f32" : "i16"), cell_.tensor.shape(), {}}; }

  Status read_operands() {
    x_ = *operand("input");
    if (x_.tensor.shape().size() != 3) return context_.refused(Errc::constraint, "input has three dimensions");
    steps_ = x_.tensor.shape()[steps_axis()];
    if (steps_ == 0) return context_.refused(Errc::unsupported, "a sequence without a step is not described");
    const std::int64_t batch = x_.tensor.shape()[1 - steps_axis()], inputs = x_.tensor.shape()[2];
    const Step forget = *operand("recurrent_to_forget_weights");
    if (forget.tensor.shape().size() != 2) return context_.refused(Errc::constraint, "recurrent weights have two dimensions");
    const std::int64_t cells = forget.tensor.shape()[0], hidden = forget.tensor.shape()[1];
    for (const Gate gate : {Gate::input, Gate::forget, Gate::cell, Gate::output}) {
      const std::string word = word_of(gate);
      TIEBREAK_CHECK(context_.check_shape("input_to_" + word + "_weights", {cells, inputs}));
      TIEBREAK_CHECK(context_.check_shape("recurrent_to_" + word + "_weights", {cells, hidden}));
      if (gate != Gate::cell) TIEBREAK_CHECK(context_.check_shape("cell_to_" + word + "_weights", {cells}));
      TIEBREAK_CHECK(context_.check_shape(word + "_gate_bias", {cells}));
      TIEBREAK_CHECK(context_.check_shape(word + "_layer_norm_coefficients", {cells}));
    }
    TIEBREAK_CHECK(context_.check_shape("projection_weights", {hidden, cells}));
    TIEBREAK_CHECK(context_.check_shape("projection_bias", {hidden}));
    if (!operand("projection_weights") && cells != hidden) return context_.refused(Errc::constraint, "without a projection the state is as long as the cell");
    TIEBREAK_TRY(first_hidden, begin("output_state", {batch, hidden}));
    TIEBREAK_TRY(first_cell, begin("cell_state", {batch, cells}));
    hidden_ = std::move(first_hidden);
    cell_ = std::move(first_cell);
    return {};
  }

  /// A state may lie in one dimension.
  Result<Step> begin(const std::string& name, const Shape& shape) const {
    Step value = *operand(name);
    if (value.tensor.size() != shape[0] * shape[1])
      return context_.refused(Errc::constraint,
                              fmt::format("{} is {}, it must have as many elements as {}", name, to_text(value.tensor.type()), to_text(shape)));
    return reshaped(std::move(value), shape);
  }

  MaybeStep operand(const std::string& name) const { return context_.operand(name); }

  AttributeMap given(std::initializer_list<const char*> names) const {
    AttributeMap attributes;
    for (const char* name : names)
      if (const Attribute* given = context_.attribute(name)) attributes.emplace(name, *given);
    return attributes;
  }

  Result<Step> op(const std::string& name, const std::vector<MaybeStep>& operands, TensorType result, AttributeMap attributes = {}) const {
    return run_op(context_, name, operands, std::move(attributes), std::move(result));
  }

  const Context& context_;
  Step x_{}, hidden_{}, cell_{};
  std::int64_t steps_ = 0;
};

}  // namespace

Results sequence_lstm(const Context& context) { return SequenceLstm(context).run(); }

}  // namespace tiebreak::regions
