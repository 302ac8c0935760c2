// SPDX-License-Identifier: Apache-2.0
// FULLY_CONNECTED of a float activation and int8 weights: the kernel quantizes the activation by its own range, row by row.
#include <bit>

#include "testsuite/tflite/graph.hpp"

namespace tiebreak::tflite {
namespace {

constexpr int hybrid_version = 3;

bool is_list(const OpCall& call, const std::string& name, const std::vector<std::int64_t>& wanted) {
  const auto found = call.attributes.find(name);
  if (found == call.attributes.end() || found->second.is_none()) return wanted.empty();
  return found->second.as_integers().value_or(std::vector<std::int64_t>{-1}) == wanted;
}

/// Symmetric parameters of the weights: one scale, or one a column.
Result<Quantization> weight_parameters(const QuantizedType& type, std::int64_t columns) {
  const bool one = type.is_per_tensor();
  if (!one && (type.scales.size() != static_cast<std::size_t>(columns) || type.dimensions.size() != 1 || type.dimensions[0].axis != 1))
    return fail(Errc::unsupported, "weights with other scales than one, or one a column");
  Quantization parameters;
  for (const Scale& scale : type.scales) {
    const auto code = ElementType::parse("f32")->encode(scale.value);
    if (!code) return fail(Errc::unsupported, "a scale that is no f32");
    parameters.scales.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(*code)));
  }
  for (const ZeroPoint& zero_point : type.zero_points)
    if (!zero_point.value.is_zero()) return fail(Errc::unsupported, "int8 weights with a zero point");
  parameters.zero_points.assign(parameters.scales.size(), 0);
  return parameters;
}

/// The delegate takes constant weights alone.
Result<int> weights_of(Graph& graph, const Tensor& weights, const Quantization& parameters) {
  if (!graph.options().builtin_kernels) return graph.constant("rhs", weights, parameters);
  if (parameters.scales.size() > 1) return fail(Errc::unsupported, "QUANTIZE has one scale, so that weights per channel come in as a constant only");
  return graph.input("rhs", weights, parameters);
}

}  // namespace

Result<Lowered> lower_hybrid_product(const OpCall& call, const LowerOptions& options) {
  TIEBREAK_TRY(lhs, operand(call, 0));
  TIEBREAK_TRY(rhs, operand(call, 1));
  if (lhs.element().name() != "f32" || !rhs.type().quantized || rhs.element().name() != "i8")
    return fail(Errc::unsupported, "only f32 by quantized i8 has a kernel");
  if (lhs.shape().size() != 2 || rhs.shape().size() != 2) return fail(Errc::unsupported, "other than two dimensions");
  const bool is_plain = is_list(call, "lhs_batching_dimensions", {}) && is_list(call, "rhs_batching_dimensions", {}) &&
                        is_list(call, "lhs_contracting_dimensions", {1}) && is_list(call, "rhs_contracting_dimensions", {0});
  if (!is_plain) return fail(Errc::unsupported, "other dimensions than a row by a column");
  if (lhs.size() == 0 || rhs.size() == 0) return fail(Errc::unsupported, "empty tensors");
  TIEBREAK_TRY(parameters, weight_parameters(*rhs.type().quantized, rhs.shape()[1]));
  TIEBREAK_TRY(weights, transposed(rhs, {1, 0}));
  Graph graph(options);
  TIEBREAK_TRY(source, graph.input("lhs", lhs, std::nullopt));
  TIEBREAK_TRY(filter, weights_of(graph, weights, parameters));
  const int result = graph.value("y", {call.result.element, {lhs.shape()[0], rhs.shape()[1]}, {}}, std::nullopt);
  graph.node(Builtin::fully_connected, hybrid_version, {source, filter}, result, {table_of_fully_connected, {}});
  return graph.finish(result, call.result);
}

}  // namespace tiebreak::tflite
