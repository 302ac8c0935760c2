// SPDX-License-Identifier: Apache-2.0
// Weights that were quantized and folded back to floats: where all of them are multiples of one number, that number is their scale.
#include <algorithm>
#include <set>

#include "interpreter/notation/walk.hpp"
#include "testsuite/recover/recovery.hpp"

namespace tiebreak::recover {
namespace {

constexpr int most_steps = 255;

struct Grid {
  Real scale;
  std::int64_t least = 0, greatest = 0;  ///< codes
};

/// The widest grid through zero on which all values lie, exactly as products of a scale and a whole number rounded to the format. Two magnitudes at
/// least must be met: one alone lies on many.
std::optional<Grid> grid_of(const std::vector<Real>& values, const FloatFormat& format) {
  std::set<Real, decltype([](const Real& a, const Real& b) { return a < b; })> distinct;
  for (const Real& value : values)
    if (!value.is_finite()) return std::nullopt;
    else if (!value.is_zero()) distinct.insert(abs(value));
  if (distinct.size() < 2) return std::nullopt;
  const Real greatest = *distinct.rbegin();
  for (int steps = 2; steps <= most_steps; ++steps) {
    const auto nearest = round_to(greatest / Real(steps), format);
    if (!nearest || nearest->is_zero()) return std::nullopt;
    const Real unit = Real::power_of_two(nearest->exponent() - format.fraction_bits);
    for (const Real& scale : {*nearest, *nearest - unit, *nearest + unit}) {
      const auto lies_on = [&](const Real& value) { return round_to(round_whole(value / scale, Rounding::nearest_even) * scale, format) == value; };
      if (!std::ranges::all_of(distinct, lies_on)) continue;
      Grid grid{scale};
      for (const Real& value : values) {
        const std::int64_t code = round_whole(value / scale, Rounding::nearest_even).to_int64().value_or(0);
        grid.least = std::min(grid.least, code);
        grid.greatest = std::max(grid.greatest, code);
      }
      return grid;
    }
  }
  return std::nullopt;
}

/// Numbers of each slice along an axis.
std::vector<std::vector<Real>> slices(const Tensor& tensor, std::size_t axis) {
  std::int64_t inner = 1;
  for (std::size_t d = axis + 1; d < tensor.shape().size(); ++d) inner *= tensor.shape()[d];
  std::vector<std::vector<Real>> parts(static_cast<std::size_t>(tensor.shape()[axis]));
  for (std::int64_t i = 0; i < tensor.size(); ++i) parts[static_cast<std::size_t>(i / inner % tensor.shape()[axis])].push_back(tensor.value(i));
  return parts;
}

struct Found {
  std::vector<Grid> grids{};
  std::optional<int> axis{};
};

std::optional<Found> search(const Tensor& tensor) {
  const FloatFormat& format = tensor.element().floating();
  std::vector<Real> all;
  for (std::int64_t i = 0; i < tensor.size(); ++i) all.push_back(tensor.value(i));
  if (const auto grid = grid_of(all, format)) return Found{{*grid}, {}};
  for (std::size_t axis = 0; axis < tensor.shape().size(); ++axis) {
    if (tensor.shape()[axis] < 2 || tensor.shape()[axis] == tensor.size()) continue;
    Found found{{}, static_cast<int>(axis)};
    for (const std::vector<Real>& part : slices(tensor, axis)) {
      const auto grid = grid_of(part, format);
      if (!grid) break;
      found.grids.push_back(*grid);
    }
    if (static_cast<std::int64_t>(found.grids.size()) == tensor.shape()[axis]) return found;
  }
  return std::nullopt;
}

}  // namespace

/// Floats that are multiplied by numbers that codes stand for.
void Recovery::find_grids() {
  std::set<ValueId> dequantized;
  for (const auto& [codes, known] : facts_)
    if (known.real >= 0 && graph_.producer(known.real) >= 0 && codes != known.real) dequantized.insert(known.real);
  for (const Operation& operation : program_.operations) {
    if (semantics_.library.stop().is_requested()) return;
    const auto place = semantics_.library.op_place(operation.op);
    const notation::Structure* structure = place ? notation::structure_of(*place->op) : nullptr;
    if (structure == nullptr || (!structure->path.starts_with("dot.") && structure->path.find("convolution.") == std::string::npos)) continue;
    const bool reads = std::ranges::any_of(operation.operands, [&](ValueId id) {
      if (dequantized.contains(id)) return true;
      const int maker = id < 0 ? -1 : graph_.producer(id);
      if (maker < 0) return false;
      // Behind a dequantize operation whose codes stand for another value: quantized, and back.
      for (const ValueId codes : program_.operations[static_cast<std::size_t>(maker)].operands)
        if (const auto known = facts_.find(codes); known != facts_.end() && !known->second.scales.empty()) return true;
      return false;
    });
    if (!reads) continue;
    for (const ValueId id : operation.operands)
      if (id >= 0 && graph_.value(id).constant && graph_.value(id).constant->element().is_float() && graph_.value(id).constant->shape().size() > 1)
        find_grid(id, operation);
  }
}

void Recovery::find_grid(ValueId weight, const Operation& operation) {
  if (const auto known = facts_.find(weight); known != facts_.end() && known->second.is_annotated) return;
  const std::string name = graph_.name(weight);
  for (const RecoveredTensor& earlier : grids_)
    if (earlier.parameters.tensor == name) return;
  for (const LostParameter& earlier : lost_)
    if (earlier.tensor == name) return;
  const Tensor& tensor = *graph_.value(weight).constant;
  const auto found = search(tensor);
  if (!found) {
    lost_.push_back({name, "scale", "it is folded to floats, which lie on no grid of " + std::to_string(most_steps) + " steps", operation.op, operation.where});
    return;
  }
  const auto [least, greatest] =
      std::pair(std::ranges::min(found->grids, {}, &Grid::least).least, std::ranges::max(found->grids, {}, &Grid::greatest).greatest);
  if (least < -128 || greatest > 127) {
    lost_.push_back({name, "zero point",
                     "it is folded to floats, multiples " + std::to_string(least) + " .. " + std::to_string(greatest) +
                         " of a scale, which no codes of 8 bits around 0 hold",
                     operation.op, operation.where});
    return;
  }
  QuantizedType type;
  type.storage = IntegerFormat{true, 8};
  type.storage_min = least == -128 ? -128 : -127;
  type.storage_max = 127;
  type.expressed = tensor.element();
  for (const Grid& grid : found->grids) {
    type.scales.push_back({grid.scale});
    type.zero_points.push_back({Real(0)});
  }
  if (found->axis) {
    type.dimensions = {{*found->axis, 1}};
    type.parameter_shape = {static_cast<std::int64_t>(found->grids.size())};
  }
  grids_.push_back(
      {{name, type, "recovered: the widest grid of its values, codes " + std::to_string(least) + " .. " + std::to_string(greatest), {}}, "", operation.where});
}

}  // namespace tiebreak::recover
