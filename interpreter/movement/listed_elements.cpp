// SPDX-License-Identifier: Apache-2.0
#include "interpreter/movement/listed_elements.hpp"

namespace tiebreak::structure {

Result<Geometry> listed_elements(const StructureRequest& request, const StructureOperand& operand, const Shape& wanted, std::vector<std::int64_t> places) {
  TIEBREAK_CHECK(check_stated_shape(request, wanted, ""));
  TIEBREAK_TRY(geometry, cells_of_result(request, wanted));
  TIEBREAK_TRY(size, element_count(operand.type.shape));
  Affine position;
  const std::vector<std::int64_t> strides = row_major_strides(wanted);
  for (std::size_t d = 0; d < wanted.size(); ++d) position.cell.push_back({static_cast<int>(d), strides[d]});
  Access access = make_access({size}, {position});
  access.dimensions[0].listed = std::make_shared<std::vector<std::int64_t>>(std::move(places));
  geometry.operands[operand.name] = std::move(access);
  return std::move(geometry);
}

}  // namespace tiebreak::structure
