// SPDX-License-Identifier: Apache-2.0
#include "tools/adapters/cmsis-nn/kernels.hpp"

#include <cmath>

namespace tiebreak::cmsis_nn {

Options& options() {
  static Options chosen;
  return chosen;
}

Status add_factor(double factor, Factors& factors) {
  if (!std::isfinite(factor) || factor <= 0) return fail(Errc::unsupported, "the factor is no positive number");
  int exponent = 0;
  auto mantissa = static_cast<std::int64_t>(std::round(std::ldexp(std::frexp(factor, &exponent), 31)));
  if (mantissa == std::int64_t{1} << 31) {
    mantissa /= 2;
    ++exponent;
  }
  if (exponent < -31) mantissa = exponent = 0;
  if (exponent > 30) return fail(Errc::unsupported, "the factor's exponent is beyond the shifts of an int32");
  factors.mantissas.push_back(static_cast<std::int32_t>(mantissa));
  factors.exponents.push_back(exponent);
  return {};
}

Result<Factors> factors_of(const Quantization& x, const Quantization& w, const Quantization& y) {
  TIEBREAK_CHECK(one_scale(x, "x"));
  TIEBREAK_CHECK(one_scale(y, "y"));
  Factors factors;
  for (float w_scale : w.scales) {
    const double product = static_cast<double>(x.scale()) * static_cast<double>(w_scale);
    TIEBREAK_CHECK(add_factor(product / static_cast<double>(y.scale()), factors));
  }
  return factors;
}

Result<std::vector<std::int8_t>> signed_codes(const Codes& codes, const std::string& name) {
  if (!codes.as.is_signed) return fail(Errc::unsupported, name + " of type u8: the functions take i8 alone");
  std::vector<std::int8_t> result;
  for (std::uint8_t byte : codes.bytes) result.push_back(static_cast<std::int8_t>(byte));
  return result;
}

Status checked(arm_cmsis_nn_status status, const std::string& name) {
  if (status == ARM_CMSIS_NN_SUCCESS) return {};
  return fail(Errc::unsupported, name + (status == ARM_CMSIS_NN_ARG_ERROR ? ": ARM_CMSIS_NN_ARG_ERROR" : ": ARM_CMSIS_NN_NO_IMPL_ERROR"));
}

Result<std::vector<std::int8_t>> packed(const std::vector<std::int8_t>& codes) {
  std::vector<std::int8_t> bytes((codes.size() + 1) / 2);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (codes[i] < -8 || codes[i] > 7) return fail(Errc::unsupported, "a weight that has not 4 bits");
    const unsigned half = static_cast<unsigned>(codes[i]) & 0xFU;
    const unsigned byte = static_cast<unsigned>(static_cast<std::uint8_t>(bytes[i / 2])) | (half << (4 * (i % 2)));
    bytes[i / 2] = static_cast<std::int8_t>(byte);
  }
  return bytes;
}

}  // namespace tiebreak::cmsis_nn
