// SPDX-License-Identifier: Apache-2.0
// A parameter over several indices, `c: i32[row, channel]`: its shape broadcasts against their extents, aligned at the back. `s: f16[row, feature by 32]`
// has one entry for each run of 32 along the feature.
#include <fmt/format.h>

#include "interpreter/structure/builders.hpp"

namespace tiebreak::structure {

Result<Access> over_indices(const Geometry& geometry, const StructureRequest& request, const StructureOperand& operand,
                            const std::vector<ParameterIndex>& indices) {
  const Shape& shape = operand.type.shape;
  Shape extents;
  for (const ParameterIndex& index : indices) {
    auto extent = geometry.extents.find(index.name);
    if (extent == geometry.extents.end())
      return fail(Errc::unsupported, fmt::format("{}: {} over '{}' together with other indices", request.op, operand.name, index.name), request.where);
    extents.push_back(index.block > 0 ? (extent->second + index.block - 1) / index.block : extent->second);
  }
  if (shape.size() > extents.size())
    return malformed(request, "", fmt::format("{} has shape {}, expected what broadcasts to {}", operand.name, to_text(shape), to_text(extents)));
  const std::size_t ahead = extents.size() - shape.size();
  std::vector<Affine> positions(shape.size());
  std::vector<std::int64_t> divisors(shape.size(), 1);
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == 1) continue;
    if (shape[d] != extents[ahead + d])
      return malformed(request, "", fmt::format("{} has shape {}, expected what broadcasts to {}", operand.name, to_text(shape), to_text(extents)));
    const ParameterIndex& index = indices[ahead + d];
    positions[d] = geometry.indices.at(index.name);
    if (index.block > 0) divisors[d] = index.block;
  }
  Access access = make_access(shape, std::move(positions));
  for (std::size_t d = 0; d < shape.size(); ++d) access.dimensions[d].divisor = divisors[d];
  return access;
}

}  // namespace tiebreak::structure
