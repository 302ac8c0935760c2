// SPDX-License-Identifier: Apache-2.0
// The Cholesky decomposition, row by row in long doubles: for numbers of 24 bits and few rows it is off by far less than half a unit of f32.
#pragma once
#include <span>
#include <vector>

namespace tiebreak::oracle::stablehlo {

/// The lower triangular factor of an n by n matrix, row-major, zeros above; empty where a pivot is not positive.
std::vector<long double> cholesky(std::span<const double> matrix, std::size_t n);

}  // namespace tiebreak::oracle::stablehlo
