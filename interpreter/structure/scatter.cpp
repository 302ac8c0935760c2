// SPDX-License-Identifier: Apache-2.0
// Placeholder until the index vectors are here: scatter is refused.
#include "interpreter/structure/scatter.hpp"
namespace tiebreak {
Result<std::vector<std::int64_t>> scatter_targets(const Shape&, const Tensor&, const Shape&, const AttributeMap&, const std::string& where) { return fail(Errc::unsupported, "stablehlo.scatter is not executed yet", where); }
}
