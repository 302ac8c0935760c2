// SPDX-License-Identifier: Apache-2.0
#include "interpreter/fast/store_lanes.hpp"

#include <algorithm>
#include <bit>
#include <span>

#include "interpreter/exact/machine_formats.hpp"
#include "interpreter/operations/avx2_copy.hpp"

namespace tiebreak {
namespace {

/// Lanes as the low bytes of codes, in one pass; false where one is no value of the stored type.
template <class Stored>
TIEBREAK_AVX2_COPY bool store_lanes(const std::int64_t* lanes, std::size_t count, Stored* out) {
  std::int64_t lost = 0;
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = static_cast<Stored>(lanes[i]);
    lost |= lanes[i] ^ static_cast<std::int64_t>(out[i]);
  }
  return lost == 0;
}

template <class Stored>
bool store_as(const Column& column, std::size_t count, std::byte* bytes, std::int64_t first) {
  Stored* out = reinterpret_cast<Stored*>(bytes) + first;
  if (!column.uniform) return store_lanes<Stored>(column.integers.data(), count, out);
  if (!store_lanes<Stored>(column.integers.data(), 1, out)) return false;
  std::fill_n(out, count, out[0]);
  return true;
}

template <class Signed, class Unsigned>
bool store_either(const Column& column, std::size_t count, Tensor& tensor, std::int64_t first) {
  return tensor.element().integer().is_signed ? store_as<Signed>(column, count, tensor.bytes().data(), first)
                                              : store_as<Unsigned>(column, count, tensor.bytes().data(), first);
}

/// Whether the type has fewer numbers than its storage.
bool is_narrow(const TensorType& type) {
  if (type.element.bits() != 8 * type.element.storage_bytes()) return true;
  return type.quantized && (!type.quantized->storage_min.identical(type.element.min()) || !type.quantized->storage_max.identical(type.element.max()));
}

/// The codes of doubles, nan in its one form; false where one is no value of the stored type.
template <class Number, class Code>
TIEBREAK_AVX2_COPY bool store_numbers(const double* lanes, std::size_t count, Code nan, Code* out) {
  int lost = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Number number = static_cast<Number>(lanes[i]);
    const bool is_nan = lanes[i] != lanes[i];
    lost |= static_cast<double>(number) != lanes[i] && !is_nan ? 1 : 0;
    out[i] = is_nan ? nan : std::bit_cast<Code>(number);
  }
  return lost == 0;
}

template <class Number, class Code>
bool store_numbers_as(const Column& column, std::size_t count, Tensor& tensor, std::int64_t first) {
  Code* out = reinterpret_cast<Code*>(tensor.bytes().data()) + first;
  const auto nan = static_cast<Code>(*tensor.element().encode(Real::nan()));
  if (!column.uniform) return store_numbers<Number>(column.reals.data(), count, nan, out);
  if (!store_numbers<Number>(column.reals.data(), 1, nan, out)) return false;
  std::fill_n(out, count, out[0]);
  return true;
}

}  // namespace

bool store_integers(const Column& column, std::size_t count, Tensor& tensor, std::int64_t first) {
  const TensorType& type = tensor.type();
  if (count == 0 || column.carrier != Carrier::integer || !column.undefined.empty() || !type.element.is_integer()) return false;
  if (is_narrow(type)) {
    const auto low = (type.quantized ? type.quantized->storage_min : type.element.min()).to_int64();
    const auto high = (type.quantized ? type.quantized->storage_max : type.element.max()).to_int64();
    const auto lanes = std::span(column.integers).first(column.uniform ? 1 : count);
    if (!low || !high || !std::ranges::all_of(lanes, [&](std::int64_t v) { return v >= *low && v <= *high; })) return false;
  }
  // What is narrower than its storage is extended in it as the number is.
  switch (type.element.storage_bytes()) {
    case 1: return store_either<std::int8_t, std::uint8_t>(column, count, tensor, first);
    case 2: return store_either<std::int16_t, std::uint16_t>(column, count, tensor, first);
    case 4: return store_either<std::int32_t, std::uint32_t>(column, count, tensor, first);
    default: return false;
  }
}

bool store_floats(const Column& column, std::size_t count, Tensor& tensor, std::int64_t first) {
  const TensorType& type = tensor.type();
  if (count == 0 || column.carrier != Carrier::real || !column.undefined.empty() || !type.element.is_float() || type.quantized) return false;
  if (is_binary32(type.element.floating())) return store_numbers_as<float, std::uint32_t>(column, count, tensor, first);
  return is_binary64(type.element.floating()) && store_numbers_as<double, std::uint64_t>(column, count, tensor, first);
}

}  // namespace tiebreak
