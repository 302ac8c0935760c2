// SPDX-License-Identifier: Apache-2.0
// A region that computes in expressed types: quantized operands are widened to the arguments of its block, and what it returns is narrowed to the types of the
// results. Widening is quant.dcast, narrowing quant.qcast, so that a profile's choices of these hold here.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "interpreter/evaluate/evaluate.hpp"
#include "interpreter/evaluate/regions.hpp"

namespace tiebreak::regions {
namespace {

constexpr std::array<std::string_view, 5> logical_kernels{"GENERIC", "BINARY_ADD", "BINARY_SUB", "BINARY_MUL", "BINARY_DIV"};

tl::unexpected<Error> refused(const Context& context, const std::string& label, const std::string& what) {
  return fail(Errc::constraint, fmt::format("{} {}: {}", context.call.op, label, what), context.call.where);
}

/// The same type, or from a quantized type to its expressed type.
bool widens(const TensorType& from, const TensorType& to) {
  if (same_type(from, to)) return true;
  return from.quantized && !to.quantized && from.quantized->expressed == to.element && from.shape == to.shape;
}

Status check_kernel(const Context& context) {
  const auto config = context.call.attributes.find("config");
  if (config == context.call.attributes.end() || config->second.is_none()) return {};
  const AttributeMap* fields = std::get_if<AttributeMap>(&config->second.value);
  const auto kernel = fields == nullptr ? AttributeMap::const_iterator{} : fields->find("logical_kernel");
  const auto name = fields == nullptr || kernel == fields->end() ? std::nullopt : kernel->second.as_string();
  if (name && std::ranges::find(logical_kernels, *name) != logical_kernels.end()) return {};
  return refused(context, "K1", fmt::format("logical_kernel {} is none of {}", name.value_or("is not given and"), fmt::join(logical_kernels, ", ")));
}

/// The types of the region's arguments and of what it returns, against those of the call.
Status check_types(const Context& context, const RegionRun& region, const std::vector<ResultTensor>& operands, const std::vector<TensorType>& results) {
  if (operands.size() != region.parameters())
    return refused(context, "A1", fmt::format("{} operands, the region takes {}", operands.size(), region.parameters()));
  for (std::size_t i = 0; i < operands.size(); ++i)
    if (!widens(operands[i].tensor.type(), region.parameter(i)))
      return refused(context, "W1", fmt::format("operand {}: {} does not widen to {}", i, to_text(operands[i].tensor.type()), to_text(region.parameter(i))));
  const std::vector<ValueId>& outputs = region.program().outputs;
  if (results.size() != outputs.size()) return refused(context, "A2", fmt::format("{} results, the region returns {}", results.size(), outputs.size()));
  for (std::size_t i = 0; i < results.size(); ++i) {
    const std::optional<TensorType>& given = region.program().values[static_cast<std::size_t>(outputs[i])].type;
    if (given && !widens(results[i], *given))
      return refused(context, "W2", fmt::format("result {}: {} does not narrow to {}", i, to_text(*given), to_text(results[i])));
  }
  return {};
}

Result<ResultTensor> cast(const Context& context, const std::string& op, ResultTensor value, const TensorType& to) {
  if (same_type(value.tensor.type(), to)) return value;
  return run_op(context, op, {std::move(value)}, {}, to);
}

}  // namespace

Results widened(const Context& context) {
  TIEBREAK_CHECK(check_kernel(context));
  if (!context.call.regions.front().captured.empty()) return refused(context, "I1", "the region reads values from around it");
  const RegionRun region(context, 0);
  std::vector<ResultTensor> operands = context.operands(context.argument(0));
  std::vector<TensorType> stated;
  for (const auto& type : context.header.results) stated.push_back(*type);
  TIEBREAK_CHECK(check_types(context, region, operands, stated));
  for (std::size_t i = 0; i < operands.size(); ++i) {
    TIEBREAK_TRY(wide, cast(context, "quant.dcast", std::move(operands[i]), region.parameter(i)));
    operands[i] = std::move(wide);
  }
  TIEBREAK_TRY(results, region.run(operands));
  for (std::size_t i = 0; i < results.size(); ++i) {
    TIEBREAK_TRY(narrow, cast(context, "quant.qcast", std::move(results[i]), stated[i]));
    results[i] = std::move(narrow);
  }
  return results;
}

}  // namespace tiebreak::regions
