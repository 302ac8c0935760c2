// SPDX-License-Identifier: Apache-2.0
// Running a region: as it stands, or for many lanes at once where it is made of elementwise operations on scalars.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/evaluate/program_run.hpp"
#include "interpreter/evaluate/regions.hpp"
#include "interpreter/notation/walk.hpp"

namespace tiebreak::regions {
namespace {

/// A scalar as `lanes` equal elements.
Result<ResultTensor> spread(const ResultTensor& scalar, std::int64_t lanes) { return pick(scalar, std::vector<std::int64_t>(static_cast<std::size_t>(lanes))); }

}  // namespace

RegionRun::RegionRun(const Context& context, std::size_t region) : context_(context), region_(context.call.regions[region]), elementwise_(is_elementwise()) {}

std::size_t RegionRun::parameters() const { return region_.program->inputs.size() - region_.captured.size(); }

const TensorType& RegionRun::parameter(std::size_t position) const {
  return *region_.program->values[static_cast<std::size_t>(region_.program->inputs[position])].type;
}

/// All values are scalars of known types, and every operation's page is elementwise: then a tensor of lanes computes what the scalars would.
bool RegionRun::is_elementwise() const {
  for (const ProgramValue& value : region_.program->values)
    if (!value.type || !value.type->shape.empty()) return false;
  return std::ranges::all_of(region_.program->operations, [&](const Operation& operation) {
    if (!operation.regions.empty()) return false;
    const auto place = context_.library.find_op(operation.op);
    if (!place) return false;
    const notation::Structure* line = notation::structure_of(*place->op);
    return line != nullptr && line->path == "elementwise";
  });
}

Result<std::vector<ResultTensor>> RegionRun::run(const std::vector<ResultTensor>& arguments) const {
  std::vector<LentTensor> inputs;
  for (const ResultTensor& argument : arguments) inputs.push_back(lent(argument));
  for (const ResultTensor& captured : region_.captured) inputs.push_back(lent(captured));
  return evaluate_program({context_.library, context_.profile}, *region_.program, inputs, context_.options);
}

Result<std::vector<ResultTensor>> RegionRun::run_each(const std::vector<ResultTensor>& arguments, std::int64_t lanes) const {
  std::vector<ResultTensor> gathered;
  for (std::int64_t lane = 0; lane < lanes; ++lane) {
    std::vector<ResultTensor> scalars;
    for (const ResultTensor& argument : arguments) {
      TIEBREAK_TRY(one, pick(argument, {lane}));
      scalars.push_back(reshaped(std::move(one), {}));
    }
    TIEBREAK_TRY(results, run(scalars));
    if (gathered.empty())
      for (const ResultTensor& result : results) {
        TIEBREAK_TRY(all, spread(result, lanes));
        gathered.push_back(std::move(all));
      }
    for (std::size_t r = 0; r < results.size(); ++r) put(gathered[r], {lane}, results[r]);
  }
  return gathered;
}

Result<std::vector<ResultTensor>> RegionRun::run_lanes(const std::vector<ResultTensor>& arguments, std::int64_t lanes) {
  if (!elementwise_) return run_each(arguments, lanes);
  if (lifted_lanes_ != lanes) {
    lifted_ = *region_.program;
    for (ProgramValue& value : lifted_.values) {
      value.type->shape = {lanes};
      if (!value.constant) continue;
      TIEBREAK_TRY(all, spread({.name = value.name, .tensor = *value.constant}, lanes));
      value.constant = std::move(all.tensor);
    }
    lifted_lanes_ = lanes;
  }
  std::vector<ResultTensor> inputs = arguments;
  for (const ResultTensor& captured : region_.captured) {
    TIEBREAK_TRY(all, spread(captured, lanes));
    inputs.push_back(std::move(all));
  }
  return evaluate_values({context_.library, context_.profile}, lifted_, inputs, context_.options);
}

Result<ResultTensor> pick(const ResultTensor& from, const std::vector<std::int64_t>& offsets, const ResultTensor* hole) {
  TensorType type = from.tensor.type();
  type.shape = {static_cast<std::int64_t>(offsets.size())};
  TIEBREAK_TRY(tensor, Tensor::zeros(std::move(type)));
  ResultTensor picked{.name = from.name, .tensor = std::move(tensor)};
  const bool undefined = !from.undefined.empty() || (hole != nullptr && !hole->undefined.empty());
  if (undefined) picked.undefined.resize(offsets.size());
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const ResultTensor& source = offsets[i] < 0 ? *hole : from;
    const std::int64_t offset = std::max<std::int64_t>(0, offsets[i]);
    picked.tensor.set_code(static_cast<std::int64_t>(i), source.tensor.code(offset));
    if (!source.undefined.empty()) picked.undefined[i] = source.undefined[static_cast<std::size_t>(offset)];
  }
  return picked;
}

void put(ResultTensor& to, const std::vector<std::int64_t>& offsets, const ResultTensor& values) {
  if (!values.undefined.empty() && to.undefined.empty()) to.undefined.resize(static_cast<std::size_t>(to.tensor.size()));
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    to.tensor.set_code(offsets[i], values.tensor.code(static_cast<std::int64_t>(i)));
    if (!to.undefined.empty()) to.undefined[static_cast<std::size_t>(offsets[i])] = values.undefined.empty() ? std::uint8_t{0} : values.undefined[i];
  }
}

Result<ResultTensor> run_op(const Context& context, const std::string& op, const std::vector<std::optional<ResultTensor>>& operands, AttributeMap attributes,
                            std::optional<TensorType> result) {
  OpCall call{.op = op, .operands = {}, .attributes = std::move(attributes), .result_types = {std::move(result)}, .where = context.call.where};
  for (const auto& value : operands) {
    call.operands.push_back(value ? std::optional(value->tensor) : std::nullopt);
    call.undefined.push_back(value ? value->undefined : std::vector<std::uint8_t>{});
  }
  TIEBREAK_TRY(results, evaluate({context.library, context.profile}, call, context.options));
  return std::move(results.front());
}

Result<ResultTensor> convert_element(const Context& context, const ResultTensor& value, const TensorType& destination) {
  TensorType type = destination;
  type.shape = value.tensor.shape();
  if (same_type(value.tensor.type(), type)) return value;
  return run_op(context, type.quantized ? "stablehlo.uniform_quantize" : "stablehlo.convert", {value}, {}, type);
}

ResultTensor reshaped(ResultTensor value, const Shape& shape) {
  TensorType type = value.tensor.type();
  type.shape = shape;
  value.tensor.set_type(std::move(type));
  return value;
}

}  // namespace tiebreak::regions
