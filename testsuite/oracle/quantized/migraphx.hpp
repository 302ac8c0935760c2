// SPDX-License-Identifier: Apache-2.0
// MIGraphX's ops on 8 bits and f16, step by step in C++ floats as its reference target and its kernels have them.
#pragma once
#include <cstdint>
#include <optional>
#include <utility>

namespace tiebreak::oracle {

/// Which build computes: the reference target since 2026, the one of 2024, the one before #2244, the rewrite for GPUs.
enum class Migraphx : std::uint8_t { reference, reference_2024, before_2244, gpu };

/// The upper digits of an f32 as f16: cut off, no rounding. Beyond the range it is infinite.
double f16_cut(float v);
/// The nearest f16.
double f16_nearest(double v);

/// quantizelinear of f16 numbers into i8; nothing where the build leaves it undefined.
std::optional<int> migraphx_quantize(Migraphx build, double x, double scale, int zero_point);
/// dequantizelinear of a code into f16.
double migraphx_dequantize(Migraphx build, int code, double scale, int zero_point);
/// convert of a number into i8; nothing where the build leaves it undefined.
std::optional<int> migraphx_convert(Migraphx build, double x);
/// The code of f4e2m1 that pack_fp4 has for a number.
int migraphx_fp4(double x);
/// Two numbers of 4 bits in a byte, clamped first.
int migraphx_pack(int low, int high, bool is_signed);
std::pair<int, int> migraphx_unpack(int byte, bool is_signed);

}  // namespace tiebreak::oracle
