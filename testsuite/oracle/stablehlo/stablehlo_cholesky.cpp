// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/stablehlo/stablehlo_cholesky.hpp"

#include <cmath>

namespace tiebreak::oracle::stablehlo {

std::vector<long double> cholesky(std::span<const double> matrix, std::size_t n) {
  std::vector<long double> factor(n * n, 0.0L);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      long double rest = static_cast<long double>(matrix[i * n + j]);
      for (std::size_t k = 0; k < j; ++k) rest -= factor[i * n + k] * factor[j * n + k];
      if (i == j && !(rest > 0)) return {};
      factor[i * n + j] = i == j ? std::sqrt(rest) : rest / factor[j * n + j];
    }
  return factor;
}

}  // namespace tiebreak::oracle::stablehlo
