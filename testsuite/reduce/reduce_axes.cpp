// SPDX-License-Identifier: Apache-2.0
// Which axes belong together (the depth of both matrices, channels and their scales) is not asked of the op: axes of equal extent are cut
// together in every combination that the profile can still evaluate.
#include <algorithm>
#include <map>
#include <numeric>

#include "testsuite/reduce/reduce_steps.hpp"

namespace tiebreak {
namespace {

using Indices = std::vector<std::int64_t>;

struct Axis {
  ValueId value;
  int axis;
};
using Group = std::vector<Axis>;

Result<TensorType> kept_type(TensorType type, int axis, const Indices& kept) {
  type.shape[static_cast<std::size_t>(axis)] = static_cast<std::int64_t>(kept.size());
  if (!type.quantized) return type;
  QuantizedType& quantized = *type.quantized;
  for (std::size_t d = 0; d < quantized.dimensions.size(); ++d) {
    if (quantized.dimensions[d].axis != axis) continue;
    if (quantized.dimensions[d].block != 1 || quantized.dimensions.size() != 1) return fail(Errc::unsupported, "blocks are not cut");
    std::vector<Scale> scales;
    std::vector<ZeroPoint> zero_points;
    for (std::int64_t index : kept) {
      scales.push_back(quantized.scales[static_cast<std::size_t>(index)]);
      zero_points.push_back(quantized.zero_points[static_cast<std::size_t>(index)]);
    }
    quantized.scales = std::move(scales);
    quantized.zero_points = std::move(zero_points);
    quantized.parameter_shape[d] = static_cast<std::int64_t>(kept.size());
  }
  return type;
}

Result<Tensor> kept_tensor(const Tensor& tensor, int axis, const Indices& kept) {
  TIEBREAK_TRY(type, kept_type(tensor.type(), axis, kept));
  TIEBREAK_TRY(out, Tensor::zeros(type));
  auto place = static_cast<std::size_t>(axis);
  const Shape& shape = tensor.shape();
  std::int64_t inner = std::accumulate(shape.begin() + axis + 1, shape.end(), std::int64_t{1}, std::multiplies<>());
  std::int64_t outer = std::accumulate(shape.begin(), shape.begin() + axis, std::int64_t{1}, std::multiplies<>());
  std::int64_t next = 0;
  for (std::int64_t o = 0; o < outer; ++o)
    for (std::int64_t index : kept)
      for (std::int64_t i = 0; i < inner; ++i) out.set_code(next++, tensor.code((o * shape[place] + index) * inner + i));
  return out;
}

std::optional<Case> keep(const Case& test, const Group& group, const Indices& kept) {
  Case smaller = test;
  for (auto [id, axis] : group) {
    ProgramValue& value = smaller.program.values[static_cast<std::size_t>(id)];
    if (value.type) {
      Result<TensorType> type = kept_type(*value.type, axis, kept);
      if (!type) return std::nullopt;
      value.type = *std::move(type);
    }
    auto input = std::ranges::find(smaller.program.inputs, id);
    Tensor* tensor = value.constant ? &*value.constant : nullptr;
    if (input != smaller.program.inputs.end()) tensor = &smaller.inputs[static_cast<std::size_t>(input - smaller.program.inputs.begin())];
    if (tensor == nullptr) continue;
    Result<Tensor> cut = kept_tensor(*tensor, axis, kept);
    if (!cut) return std::nullopt;
    *tensor = *std::move(cut);
  }
  return smaller;
}

/// Axes by extent; only those with something to cut. Inputs and constants come first.
std::map<std::int64_t, Group> axes_by_extent(const Case& test) {
  std::map<std::int64_t, Group> classes;
  auto add = [&](std::size_t id, const Shape& shape) {
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
      if (shape[axis] > 1) classes[shape[axis]].push_back({static_cast<ValueId>(id), static_cast<int>(axis)});
  };
  for (std::size_t i = 0; i < test.inputs.size(); ++i) add(static_cast<std::size_t>(test.program.inputs[i]), test.inputs[i].shape());
  for (std::size_t id = 0; id < test.program.values.size(); ++id) {
    const ProgramValue& value = test.program.values[id];
    if (std::ranges::find(test.program.inputs, static_cast<ValueId>(id)) != test.program.inputs.end()) continue;
    if (value.constant) add(id, value.constant->shape());
    else if (value.type) add(id, value.type->shape);
  }
  return classes;
}

/// Subsets of axes that might belong together, the small ones first; of many axes only the smallest and the largest subsets.
std::vector<Group> groups_of(const Group& axes) {
  constexpr std::size_t most_axes = 7;
  std::vector<Group> groups;
  if (axes.size() > most_axes) {
    for (const Axis& axis : axes) groups.push_back({axis});
    for (std::size_t left_out = 0; left_out < axes.size(); ++left_out) {
      Group rest = axes;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(left_out));
      groups.push_back(std::move(rest));
    }
    groups.push_back(axes);
    return groups;
  }
  for (std::size_t mask = 1; mask < (std::size_t{1} << axes.size()); ++mask) {
    Group group;
    for (std::size_t i = 0; i < axes.size(); ++i)
      if ((mask >> i & 1) != 0) group.push_back(axes[i]);
    groups.push_back(std::move(group));
  }
  std::ranges::stable_sort(groups, {}, &Group::size);
  return groups;
}

Indices part(const Indices& all, std::size_t number, std::size_t parts, bool complement) {
  std::size_t first = all.size() * number / parts, last = all.size() * (number + 1) / parts;
  Indices kept;
  for (std::size_t i = 0; i < all.size(); ++i)
    if ((i >= first && i < last) != complement) kept.push_back(all[i]);
  return kept;
}

/// Delta debugging: one of the parts alone, else all but one of them, with ever smaller parts.
std::size_t cut_group(ReductionQuestions& questions, const FailureKind& wanted, const Group& group, std::int64_t extent, Case& test) {
  const Case whole = test;
  Indices kept(static_cast<std::size_t>(extent));
  std::iota(kept.begin(), kept.end(), std::int64_t{0});
  std::size_t steps = 0;
  for (std::size_t parts = 2; kept.size() > 1 && !questions.is_over();) {
    bool has_complements = parts > 2;
    auto indices = [&](std::size_t place) { return place < parts ? part(kept, place, parts, false) : part(kept, place - parts, parts, true); };
    auto make = [&](std::size_t place) { return keep(whole, group, indices(place)); };
    std::optional<std::size_t> found = questions.first_alike(has_complements ? 2 * parts : parts, make, wanted, test);
    if (found) {
      bool alone = *found < parts;
      kept = indices(*found);
      parts = alone ? 2 : std::max<std::size_t>(parts - 1, 2);
      ++steps;
    } else if (parts >= kept.size()) {
      break;
    } else {
      parts = std::min(2 * parts, kept.size());
    }
  }
  return steps;
}

}  // namespace

std::size_t cut_axes(ReductionQuestions& questions, const FailureKind& wanted, Case& test) {
  std::size_t steps = 0;
  for (bool changed = true; changed && !questions.is_over();) {
    changed = false;
    auto classes = axes_by_extent(test);
    for (auto entry = classes.rbegin(); entry != classes.rend() && !changed; ++entry) {  // the largest extents first
      const std::int64_t extent = entry->first;
      const Group& axes = entry->second;
      for (const Group& group : groups_of(axes)) {
        std::optional<Case> shorter = keep(test, group,
                                           part(
                                               [&] {
                                                 Indices all(static_cast<std::size_t>(extent));
                                                 std::iota(all.begin(), all.end(), std::int64_t{0});
                                                 return all;
                                               }(),
                                               0, 2, false));
        if (!shorter || !questions.is_possible(*shorter)) continue;
        std::size_t taken = cut_group(questions, wanted, group, extent, test);
        steps += taken;
        changed = taken > 0;  // other extents are what belongs together now
        if (changed || questions.is_over()) break;
      }
    }
  }
  return steps;
}

}  // namespace tiebreak
