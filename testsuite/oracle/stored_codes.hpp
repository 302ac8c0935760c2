// SPDX-License-Identifier: Apache-2.0
// Codes as kernels and files have them: packed bits, stored zero points, four-bit floats under a scale, powers of two, a leaky ReLU from codes to codes.
// By machine integers and the bits of floats.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace tiebreak::oracle {

/// The number that the low `width` bits stand for: twos_complement offset offset_less_one unsigned.
std::int64_t unpacked(const std::string& code, std::uint32_t bits, int width);
/// What is stored for a zero point of so many bits, less one where the format says so.
std::uint32_t stored_zero_point(std::uint32_t zero_point, int width, bool less_one);

/// f4e2m1 of x / unit, compared exactly with the seven midpoints, or by a quotient in f32.
enum class UnitQuotient : std::uint8_t { exact, divided, by_inverse };
double four_bit_float(float x, float unit, UnitQuotient quotient, bool ties_away);

/// The code of f8e8m0 that an f32 becomes (255 is NaN), of its fields: `table` is what the text has, nothing where that says nothing.
std::optional<int> power_of_two(float x, const std::string& mode, bool saturate);
/// As a program that works on the fields of an f32, for which signs and what lies below its normal numbers count little.
int power_of_two_by_fields(float x, const std::string& mode, bool saturate);

/// Float to an integer of 4 bits, signed: the low bits of the nearest whole number; nothing for what is none.
std::optional<std::int64_t> four_bit_integer(float x, bool ties_away);

/// 8-bit codes through a leaky ReLU as PyTorch's CPU kernel computes: its vectors (a fused first step), else its tail.
struct LeakyRelu {
  float x_scale = 1, y_scale = 1, alpha = 0;
  std::int64_t x_zero_point = 0, y_zero_point = 0;
  bool is_signed = false, vectors = false;
};
std::int64_t leaky_relu(const LeakyRelu& how, std::int64_t code);

}  // namespace tiebreak::oracle
