// SPDX-License-Identifier: Apache-2.0
// The sums of i8 weights with u8 or i8 codes that kernels make on different instruction sets, for one result: plain integers and floats.
#pragma once
#include <cstdint>
#include <vector>

namespace tiebreak::oracle {

/// The codes under one result, kernel tap after kernel tap, `channels` of them a tap. A matrix product is one tap.
struct SumItems {
  std::vector<std::int32_t> x{}, w{};
  std::int64_t channels = 1;
  bool is_signed = false;  ///< of x; w always is
  std::int32_t x_zero_point = 0, w_zero_point = 0;
};

/// Matrix products: VPMADDUBSW with 128 added to signed codes; the same only without zero points; and without pairs.
std::int32_t pairs_raised(const SumItems& items);
std::int32_t pairs_raised_right(const SumItems& items);
std::int32_t pairs_plain(const SumItems& items);
std::int32_t wrap_plain(const SumItems& items);
/// What QLinearMatMul's `pairs_plain` has instead of the last conversion: the plain sum modulo 2^32.
std::int32_t pairs_plain_unstored(const SumItems& items);

/// Convolutions to int32; windows of one tap have kernels of their own, which take zero points off in floats. The first is ONNX Runtime's: pairs
/// along each channel's window, one channel after the other. `rows_store`: pairs along the window as one row.
std::int32_t column_pairs(const SumItems& items);
std::int32_t raised_store(const SumItems& items);
std::int32_t raised_plain(const SumItems& items);
std::int32_t f32_moved(const SumItems& items);
std::int32_t rows_store(const SumItems& items);
std::int32_t pairs_store(const SumItems& items);
std::int32_t halves_store(const SumItems& items);

/// Convolutions with a bias, before the multiplier.
float pairs_f32_bias(const SumItems& items, std::int32_t bias);
float rows_f32_bias(const SumItems& items, std::int32_t bias);
float halves_f32_bias(const SumItems& items, std::int32_t bias);

}  // namespace tiebreak::oracle
