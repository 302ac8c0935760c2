// SPDX-License-Identifier: Apache-2.0
#include "testsuite/calibrate/channel_axis.hpp"

#include "interpreter/bind/binder.hpp"

namespace tiebreak {

int channel_axis(const Semantics& semantics, const OpCall& call, std::size_t operand) {
  const auto place = semantics.library.find_op(call.op);
  if (!place || operand >= place->op->operands.size() || place->op->operands[operand].variadic) return -1;
  const auto formula = bind(semantics, call);
  if (!formula || !formula->geometry.has_bag) return -1;
  const auto access = formula->geometry.operands.find(place->op->operands[operand].name);
  if (access == formula->geometry.operands.end() || !access->second.varies_over_items()) return -1;
  int axis = -1;
  for (std::size_t d = 0; d < access->second.dimensions.size(); ++d) {
    const Affine& position = access->second.dimensions[d].position;
    if (!position.cell.empty() && position.item.empty()) axis = static_cast<int>(d);
  }
  return axis;
}

}  // namespace tiebreak
