// SPDX-License-Identifier: Apache-2.0
// A bound formula whose operands are read elsewhere than the text says: a geometry is a value, and what is bound reads where it says.
#include <algorithm>
#include <numeric>

#include "interpreter/notation/walk.hpp"
#include "interpreter/structure/structure.hpp"
#include "testsuite/score/misreading.hpp"

namespace tiebreak {
namespace {

constexpr std::uint64_t beyond_cells = rate_item | rate_block | rate_carried;

/// A node varies over what its sources vary over. Those whose source is read elsewhere gain cell coordinates, and so does what is computed of them.
void widen_rates(Formula& formula, const std::vector<bool>& elsewhere) {
  std::vector<bool> touched(formula.nodes.size());
  for (std::size_t id = 0; id < formula.nodes.size(); ++id) {
    Node& node = formula.nodes[id];
    std::uint64_t gained = 0;
    if (node.op == NodeOp::element && elsewhere[static_cast<std::size_t>(node.source)])
      gained = formula.sources[static_cast<std::size_t>(node.source)].access.cell_rate(), touched[id] = true;
    for (NodeId arg : node.args)
      if (touched[static_cast<std::size_t>(arg)]) gained |= formula[arg].rate & ~beyond_cells, touched[id] = true;
    node.rate |= gained;
  }
}

/// The operand's elements, their places, and its parameters along axes.
void read_elsewhere(Formula& formula, const std::string& operand, const Access& access) {
  formula.geometry.operands[operand] = access;
  const auto elements = std::ranges::find(formula.sources, operand, &Source::name);
  std::vector<bool> elsewhere(formula.sources.size());
  for (std::size_t i = 0; i < formula.sources.size(); ++i) {
    Source& source = formula.sources[i];
    const bool parameter = source.name == operand + ".scale" || source.name == operand + ".zero_point";
    elsewhere[i] = parameter || source.name == operand || source.name == operand + ".place";
    if (elsewhere[i]) source.access = parameter ? quantized_parameter_access(access, *elements->tensor->type().quantized) : access;
  }
  widen_rates(formula, elsewhere);
}

Access mirrored(Access access, const Shape& extents) {
  for (AccessDimension& dimension : access.dimensions)
    for (Affine::Part& part : dimension.position.item) {
      dimension.position.base += part.coefficient * (extents[static_cast<std::size_t>(part.coordinate)] - 1);
      part.coefficient = -part.coefficient;
    }
  return access;
}

/// The items of one operand in the opposite order, so that they meet others; of a geometry whose items lie in the result, those.
void mirror_items(Formula& formula, const std::string& operand) {
  const auto found = formula.geometry.operands.find(operand);
  if (found == formula.geometry.operands.end()) return;
  const Shape& extents = formula.geometry.item_extents;
  if (found->second.varies_over_items()) return read_elsewhere(formula, operand, mirrored(found->second, extents));
  formula.geometry.item_result = mirrored(formula.geometry.item_result, extents);
}

/// Where each cell of a reshape, a place of `shape`, reads if both tensors are gone through with the first dimension fastest.
Access column_major(const Shape& shape, const Shape& wanted) {
  const std::int64_t count = product(shape, 0, shape.size());
  std::vector<Affine> positions(shape.size());
  for (Affine& position : positions)
    for (std::size_t own = 0; own < shape.size(); ++own) position.cell.push_back({static_cast<int>(own), product(shape, own + 1, shape.size())});
  Access access = make_access(shape, std::move(positions));
  Shape place(wanted.size());
  std::vector<std::vector<std::int64_t>> listed(shape.size());
  for (std::int64_t cell = 0; cell < count; ++cell) {
    unravel(cell, wanted, place);
    std::int64_t number = 0;
    for (std::size_t d = wanted.size(); d-- > 0;) number = number * wanted[d] + place[d];
    for (std::size_t d = 0; d < shape.size(); ++d) {
      listed[d].push_back(number % shape[d]);
      number /= shape[d];
    }
  }
  for (std::size_t d = 0; d < shape.size(); ++d) access.dimensions[d].listed = std::make_shared<const std::vector<std::int64_t>>(std::move(listed[d]));
  return access;
}

/// The places go to the parts in turn, one to each that still has room.
std::vector<std::int64_t> dealt(Shape room, std::size_t part) {
  std::vector<std::int64_t> places;
  const std::int64_t total = std::accumulate(room.begin(), room.end(), std::int64_t{0});
  for (std::int64_t place = 0; place < total;)
    for (std::size_t p = 0; p < room.size(); ++p) {
      if (room[p] == 0) continue;
      --room[p];
      if (p == part) places.push_back(place);
      ++place;
    }
  return places;
}

/// Parts of a split that begin at other places, or have their places scattered.
void move_parts(const std::string& operand, const std::string& word, std::size_t axis, std::vector<Formula>& parts) {
  Shape lengths;
  for (const Formula& part : parts) lengths.push_back(part.geometry.result_shape[axis]);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    Access access = parts[p].geometry.operands.at(operand);
    AccessDimension& along = access.dimensions[axis];
    const auto next = lengths.begin() + static_cast<std::ptrdiff_t>(p) + 1;
    along.position.base = word == "parts_reversed" ? std::accumulate(next, lengths.end(), std::int64_t{0}) : 0;
    if (word == "parts_dealt") along.listed = std::make_shared<const std::vector<std::int64_t>>(dealt(lengths, p));
    read_elsewhere(parts[p], operand, access);
  }
}

}  // namespace

void misread_places(const notation::Op& op, const Misreading& misreading, const OpCall& call, std::vector<Formula>& parts) {
  if (misreading.word == "mirrored") return mirror_items(parts.front(), misreading.names.front());
  const std::string& moved = notation::structure_of(op)->arguments.front().name;
  const Geometry& geometry = parts.front().geometry;
  if (misreading.word == "column_major") return read_elsewhere(parts.front(), moved, column_major(geometry.cell_extents, geometry.result_shape));
  const std::int64_t axis = attribute_value(op, call, "axis").as_integer().value_or(0);
  const std::int64_t rank = static_cast<std::int64_t>(geometry.result_shape.size());
  move_parts(moved, misreading.word, static_cast<std::size_t>(axis < 0 ? axis + rank : axis), parts);
}

}  // namespace tiebreak
