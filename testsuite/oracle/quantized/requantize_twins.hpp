// SPDX-License-Identifier: Apache-2.0
// Requantization as the kernels write it: machine integers and floats, one twin for each profile of spec/systems that says how an accumulator
// becomes a code. Factors are derived once for a set of scales, so that all 2^32 accumulators can be run through a twin.
#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

namespace tiebreak::oracle {

struct RequantizeParameters {
  float x_scale = 1, w_scale = 1, y_scale = 1;
  std::int64_t zero_point = 0, low = -128, high = 127;
  bool per_tensor = true;  ///< false: the scales are those of one channel, where that makes a difference
  bool same_type = false;  ///< accumulators are codes of the result's own type, where that makes a difference
};

/// What a twin keeps of a set of parameters. Which members it fills and reads is its own business.
struct PreparedRequantize {
  double wide = 0;               ///< factor in f64
  float factor = 0, second = 0;  ///< factors in f32
  std::int64_t mantissa = 0;     ///< of the factor `mantissa * 2^exponent / 2^31`
  int exponent = 0;
  float x_scale = 1, w_scale = 1, y_scale = 1;
  std::int64_t zero_point = 0, low = 0, high = 0;
  bool per_tensor = true;
  bool refused = false;  ///< the system does not take this factor
};

/// Where a system leaves the result undefined.
constexpr std::int64_t requantize_undefined = std::numeric_limits<std::int64_t>::min();
constexpr std::int32_t run_undefined = std::numeric_limits<std::int32_t>::min();

struct RequantizeTwin {
  std::string_view profile;
  PreparedRequantize (*prepare)(const RequantizeParameters&);
  std::int64_t (*apply)(const PreparedRequantize&, std::int64_t accumulator);
  /// Codes of the accumulators first, first + 1, ... (wrapping); run_undefined where there is none. For results narrower than int32.
  void (*run)(const PreparedRequantize&, std::int32_t first, std::span<std::int32_t> codes);
};

/// All of them, in the order of their families.
std::span<const RequantizeTwin> requantize_twins();
/// The twin of a profile, or nullptr.
const RequantizeTwin* requantize_twin(std::string_view profile);

// The families, each defined in one file.
std::span<const RequantizeTwin> requantize_fixed_twins();
std::span<const RequantizeTwin> requantize_wide_twins();
std::span<const RequantizeTwin> requantize_float_twins();

/// gemmlowp's old output stage, whose parameters are integers: offset, multiplier and shift to the right.
std::int64_t requantize_legacy(std::int32_t accumulator, std::int32_t offset, std::int32_t multiplier, int shift, std::int64_t low, std::int64_t high);

}  // namespace tiebreak::oracle
