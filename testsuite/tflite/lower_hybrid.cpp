// SPDX-License-Identifier: Apache-2.0
// FULLY_CONNECTED of a float activation and int8 weights: the kernel quantizes the activation by its own range, row by row.
#include "testsuite/tflite/graph.hpp"

namespace tiebreak::tflite {
namespace {

constexpr int hybrid_version = 3;

bool is_list(const OpCall& call, const std::string& name, const std::vector<std::int64_t>& wanted) {
  const auto found = call.attributes.find(name);
  if (found == call.attributes.end() || found->second.is_none()) return wanted.empty();
  return found->second.as_integers().value_or(std::vector<std::int64_t>{-1}) == wanted;
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
  TIEBREAK_TRY(parameters, weight_parameters(*rhs.type().quantized, 1, rhs.shape()[1]));
  TIEBREAK_TRY(weights, transposed(rhs, {1, 0}));
  Graph graph(options);
  TIEBREAK_TRY(source, graph.input("lhs", lhs, std::nullopt));
  TIEBREAK_TRY(filter, weights_of(graph, weights, parameters));
  const int result = graph.value("y", {call.result.element, {lhs.shape()[0], rhs.shape()[1]}, {}}, std::nullopt);
  graph.node(Builtin::fully_connected, hybrid_version, {source, filter}, result, {table_of_fully_connected, {}});
  return graph.finish(result, call.result);
}

}  // namespace tiebreak::tflite
