// SPDX-License-Identifier: Apache-2.0
// gemmlowp's one function on row-major matrices, with the output stages that a case asks for. No arithmetic of its own.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace tiebreak::gemmlowp_calls {

/// Codes of 8 bits without sign, and what is added to each: minus the zero point. One offset, or one a row of the left matrix.
struct Matrix {
  std::vector<std::uint8_t> codes{};
  int rows = 0, columns = 0;
  std::vector<std::int32_t> offsets{};
};

/// A factor as mantissa and exponent, m * 2^e / 2^31; one, or one a row of the result.
struct Finish {
  std::vector<std::int32_t> mantissas{}, exponents{};
  std::int32_t offset = 0;           ///< the result's zero point
  std::vector<std::int32_t> bias{};  ///< one a row, or none
  bool to_signed = false;            ///< to i8, else to u8
  bool by_shift = false;             ///< QuantizeDownInt32ByFixedPoint, else ScaleInt32ByFixedPointAndExponent
};

/// The library's path for this build: what it was compiled for.
std::string kernels();
std::vector<std::int32_t> accumulators(const Matrix& left, const Matrix& right);
/// Bytes of i8 or u8.
std::vector<std::uint8_t> codes(const Matrix& left, const Matrix& right, const Finish& finish);

}  // namespace tiebreak::gemmlowp_calls
