// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpreter/geometry/geometry.hpp"

namespace tiebreak {

/// Whether two accesses, or geometries, are written alike: then they lie at the same offsets. Others may, too (same_places).
bool written_alike(const Access& a, const Access& b);
bool written_alike(const Geometry& a, const Geometry& b);

}  // namespace tiebreak
