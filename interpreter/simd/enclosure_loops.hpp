// SPDX-License-Identifier: Apache-2.0
// Sums, differences and products of numbers of which only two ends are known, in many lanes. A lane whose ends are nan is not known.
#pragma once
#include <cstddef>

namespace tiebreak::simd {

/// The ends of an argument; `uniform`: the first two stand in every lane.
struct Ends {
  const double *low = nullptr, *high = nullptr;
  bool uniform = false;
};

/// Ends of a + b, a - b, a * b. Where both arguments are single numbers and a double holds the result, it is a single number, too; of sums but for zeros, whose
/// sign is not known. Else the ends are moved outward by more than what IEEE's operations lose. What is not finite is not known.
void add_ends(Ends a, Ends b, std::size_t count, double* low, double* high);
void subtract_ends(Ends a, Ends b, std::size_t count, double* low, double* high);
void multiply_ends(Ends a, Ends b, std::size_t count, double* low, double* high);

}  // namespace tiebreak::simd
