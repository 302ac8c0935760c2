// SPDX-License-Identifier: Apache-2.0
#include "interpreter/elementwise/inputs.hpp"

#include <algorithm>

#include "interpreter/geometry/access_order.hpp"

namespace tiebreak {
namespace {

/// Marks the sources that a node reads; false where it reads anything else that differs from cell to cell.
bool mark_sources(const Formula& formula, NodeId id, std::vector<bool>& seen, std::vector<bool>& sources) {
  if (seen[static_cast<std::size_t>(id)]) return true;
  seen[static_cast<std::size_t>(id)] = true;
  const Node& node = formula[id];
  switch (node.op) {
    case NodeOp::index:
    case NodeOp::count:
    case NodeOp::carried:
    case NodeOp::aggregate: return false;
    case NodeOp::element: sources[static_cast<std::size_t>(node.source)] = true; break;
    default: break;
  }
  return std::ranges::all_of(node.args, [&](NodeId arg) { return mark_sources(formula, arg, seen, sources); });
}

}  // namespace

std::optional<CellInputs> cell_inputs(const Formula& formula, NodeId result) {
  std::vector<bool> seen(formula.nodes.size()), sources(formula.sources.size());
  bool plain = !formula.geometry.has_bag && mark_sources(formula, result, seen, sources);
  for (const FormulaRequire& requirement : formula.requires_) plain = plain && mark_sources(formula, requirement.node, seen, sources);
  if (!plain) return std::nullopt;
  const Shape& extents = formula.geometry.cell_extents;
  CellInputs inputs;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (!sources[i]) continue;
    const Source& source = formula.sources[i];
    if (source.access.may_miss || source.access.varies_over_items() || source.undefined != nullptr) return std::nullopt;
    if (source.tensor != nullptr && visits_in_order(source.access, extents)) {
      inputs.cellwise.push_back(i);
    } else {
      inputs.parameters.push_back(i);
      inputs.rate |= source.access.cell_rate();
    }
  }
  return inputs;
}

ParameterSets::ParameterSets(const Shape& extents, std::uint64_t rate) : extents_(extents), strides_(extents.size(), 0) {
  for (std::size_t d = extents.size(); d-- > 0;)
    if ((rate >> d & 1) != 0) {
      strides_[d] = count_;
      count_ *= extents[d];
    }
}

std::vector<std::int64_t> ParameterSets::cell_of(std::int64_t set) const {
  std::vector<std::int64_t> cell(extents_.size());
  for (std::size_t d = 0; d < extents_.size(); ++d)
    if (strides_[d] != 0) cell[d] = set / strides_[d] % extents_[d];
  return cell;
}

Status ParameterSets::for_each_run(const std::function<Status(const Run&)>& f) const {
  // Trailing coordinates over which no parameter varies make one run; so does the last one over which one does.
  std::size_t outer = extents_.size();
  std::int64_t length = 1, step = 0;
  if (outer > 0 && strides_[outer - 1] != 0) {
    length = extents_[--outer];
    step = 1;
  } else {
    while (outer > 0 && strides_[outer - 1] == 0) length *= extents_[--outer];
  }
  if (length == 0) return {};
  std::vector<std::int64_t> place(outer);
  std::int64_t set = 0;
  for (std::int64_t first = 0;; first += length) {
    TIEBREAK_CHECK(f({first, length, set, step}));
    std::size_t d = outer;
    for (; d > 0; --d) {
      set += strides_[d - 1];
      if (++place[d - 1] < extents_[d - 1]) break;
      set -= strides_[d - 1] * extents_[d - 1];
      place[d - 1] = 0;
    }
    if (d == 0) return {};
  }
}

}  // namespace tiebreak
