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

Result<Geometry> listed_along(const StructureRequest& request, const StructureOperand& operand, const Shape& wanted, const std::string& label,
                              const std::function<std::int64_t(std::size_t, std::int64_t)>& place) {
  TIEBREAK_CHECK(check_stated_shape(request, wanted, label));
  TIEBREAK_TRY(geometry, cells_of_result(request, wanted));
  std::vector<Affine> positions;
  for (std::size_t d = 0; d < wanted.size(); ++d) positions.push_back(at_cell(static_cast<int>(d)));
  Access access = make_access(operand.type.shape, std::move(positions));
  for (std::size_t d = 0; d < wanted.size() && geometry.cells() > 0; ++d) {  // an empty result may have one dimension beyond any list
    auto list = std::make_shared<std::vector<std::int64_t>>();
    for (std::int64_t i = 0; i < wanted[d]; ++i) list->push_back(place(d, i));
    access.dimensions[d].listed = std::move(list);
  }
  geometry.operands[operand.name] = std::move(access);
  return std::move(geometry);
}

}  // namespace tiebreak::structure
