// SPDX-License-Identifier: Apache-2.0
// QUANTIZE in its three uses, DEQUANTIZE, ADD and MUL.
#include "testsuite/tflite/graph.hpp"

namespace tiebreak::tflite {
namespace {

constexpr int table_of_add = 11;
constexpr int table_of_mul = 21;
constexpr std::size_t most_dimensions = 6;

/// Ranks beyond those of the delegate reach the builtin kernel of an elementwise operator.
Result<Tensor> shaped_for(const Tensor& tensor, const LowerOptions& options) {
  if (options.builtin_kernels) return reshaped(tensor, {1, 1, 1, 1, 1, 1, tensor.size()});
  return tensor.shape().size() > most_dimensions || tensor.shape().empty() ? reshaped(tensor, {tensor.size()}) : tensor;
}

int quantize_version(const ElementType& from, const ElementType& to) { return from.name() == "f32" && to.name() == "i8" ? 1 : 2; }

Result<Lowered> quantized(const OpCall& call, const Tensor& x, std::optional<Quantization> from, const Quantization& to, const LowerOptions& options) {
  TIEBREAK_TRY(shaped, shaped_for(x, options));
  Graph graph(options);
  TIEBREAK_TRY(source, graph.input("x", shaped, std::move(from)));
  const int result = graph.value("y", {call.result.element, shaped.shape(), {}}, to);
  graph.node(Builtin::quantize, quantize_version(x.element(), call.result.element), {source}, result);
  return graph.finish(result, call.result);
}

/// Scales beyond these limits are XNNPACK's to refuse: the delegate leaves the node to the builtin kernel, and not every host says so.
Status check_delegate_scales(bool is_add, float a, float b, float y) {
  const auto within = [](float ratio, float least) { return ratio >= least && ratio < 0x1p8f; };
  const bool fits = is_add ? within(a / y, 0x1p-10f) && within(b / y, 0x1p-10f) : within(a * b / y, 0x1p-16f);
  return fits ? Status{} : fail(Errc::unsupported, "the delegate does not take these scales together");
}

bool is_quantized_type(const ElementType& element) { return is_eight_bits(element) || element.name() == "i16"; }

}  // namespace

Result<Lowered> lower_quantize(const OpCall& call, const LowerOptions& options) {
  TIEBREAK_TRY(x, operand(call, 0));
  if (x.element().name() != "f32") return fail(Errc::unsupported, "QUANTIZE of " + x.element().name());
  if (!is_quantized_type(call.result.element)) return fail(Errc::unsupported, "QUANTIZE to " + call.result.element.name());
  const auto precision = call.attributes.find("precision");
  if (precision != call.attributes.end() && !precision->second.is_none()) return fail(Errc::unsupported, "the attribute precision");
  TIEBREAK_TRY(parameters, whole_parameters(call, 1, 2, call.result.element));
  if (call.result.element.name() == "i16" && parameters.zero_points[0] != 0) return fail(Errc::unsupported, "int16 with a zero point");
  return quantized(call, x, std::nullopt, parameters, options);
}

Result<Lowered> lower_requantize(const OpCall& call, const LowerOptions& options) {
  TIEBREAK_TRY(accumulator, operand(call, 0));
  if (!is_quantized_type(accumulator.element()) || !is_quantized_type(call.result.element))
    return fail(Errc::unsupported, "QUANTIZE of " + accumulator.element().name() + " to " + call.result.element.name());
  TIEBREAK_TRY(from, whole_parameters(call, 1, call.operands.size(), accumulator.element()));
  Quantization second{{1.0f}, {0}, 0}, to{{1.0f}, {0}, 0};
  if (call.operands.size() > 2 && call.operands[2]) {
    TIEBREAK_TRY(given, whole_parameters(call, 2, call.operands.size(), accumulator.element()));
    second = given;
  }
  if (second.scales[0] != 1.0f) return fail(Errc::unsupported, "QUANTIZE has one scale of its operand, not two");
  if (call.operands.size() > 3 && call.operands[3]) {
    TIEBREAK_TRY(given, whole_parameters(call, 3, 4, call.result.element));
    to = given;
  }
  return quantized(call, accumulator, from, to, options);
}

Result<Lowered> lower_dequantize(const OpCall& call, const LowerOptions& options) {
  TIEBREAK_TRY(x, operand(call, 0));
  if (!is_quantized_type(x.element()) || call.result.element.name() != "f32")
    return fail(Errc::unsupported, "DEQUANTIZE of " + x.element().name() + " to " + call.result.element.name());
  TIEBREAK_TRY(parameters, whole_parameters(call, 1, 2, x.element()));
  if (x.element().name() == "i16" && parameters.zero_points[0] != 0) return fail(Errc::unsupported, "int16 with a zero point");
  TIEBREAK_TRY(shaped, shaped_for(x, options));
  Graph graph(options);
  TIEBREAK_TRY(source, graph.input("x", shaped, parameters));
  const int result = graph.value("y", {call.result.element, shaped.shape(), {}}, std::nullopt);
  graph.node(Builtin::dequantize, x.element().name() == "u8" ? 1 : x.element().name() == "i8" ? 2 : 3, {source}, result);
  return graph.finish(result, call.result);
}

Result<Lowered> lower_binary(const OpCall& call, const LowerOptions& options) {
  TIEBREAK_TRY(a, operand(call, 0));
  TIEBREAK_TRY(b, operand(call, 3));
  if (!is_eight_bits(a.element()) || a.element().name() != b.element().name() || a.element().name() != call.result.element.name())
    return fail(Errc::unsupported, "operands and result of several types, or not of 8 bits");
  if (a.shape().size() > 4 || b.shape().size() > 4) return fail(Errc::unsupported, "more than four dimensions");
  TIEBREAK_TRY(a_parameters, whole_parameters(call, 1, 2, a.element()));
  TIEBREAK_TRY(b_parameters, whole_parameters(call, 4, 5, b.element()));
  TIEBREAK_TRY(y_parameters, whole_parameters(call, 6, 7, a.element()));
  const bool is_add = call.op.ends_with("dd");
  if (!options.builtin_kernels) TIEBREAK_CHECK(check_delegate_scales(is_add, a_parameters.scales[0], b_parameters.scales[0], y_parameters.scales[0]));
  Graph graph(options);
  TIEBREAK_TRY(left, graph.input("a", a.shape().empty() ? *reshaped(a, {1}) : a, a_parameters));
  TIEBREAK_TRY(right, graph.input("b", b.shape().empty() ? *reshaped(b, {1}) : b, b_parameters));
  const int result = graph.value("y", {call.result.element, call.result.shape.empty() ? Shape{1} : call.result.shape, {}}, y_parameters);
  Options table{is_add ? table_of_add : table_of_mul, {}};
  if (options.builtin_kernels) table.fields.push_back({0, sign_bit});
  graph.node(is_add ? Builtin::add : Builtin::mul, a.element().name() == "u8" ? 1 : 2, {left, right}, result, std::move(table));
  return graph.finish(result, call.result);
}

}  // namespace tiebreak::tflite
