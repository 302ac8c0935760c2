// SPDX-License-Identifier: Apache-2.0
// The elements of two tensors whose codes differ, one after another. Equal stretches are passed over many bytes at a time.
#pragma once
#include <algorithm>
#include <cstring>

#include "interpreter/formula/call.hpp"
#include "interpreter/tensor/tensor.hpp"

namespace tiebreak {

template <class Stored, class F>
void for_each_differing_as(const Tensor& a, const Tensor& b, F& f) {
  constexpr std::int64_t together = 128;
  const std::byte *left = a.bytes().data(), *right = b.bytes().data();
  const int bits = a.element().bits();
  const std::uint64_t mask = bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  const auto stored = [](const std::byte* from, std::int64_t i) {
    Stored value;
    std::memcpy(&value, from + i * static_cast<std::int64_t>(sizeof value), sizeof value);
    return value;
  };
  for (std::int64_t first = 0; first < a.size(); first += together) {
    const std::int64_t count = std::min(together, a.size() - first), begin = first * static_cast<std::int64_t>(sizeof(Stored));
    if (std::memcmp(left + begin, right + begin, static_cast<std::size_t>(count) * sizeof(Stored)) == 0) continue;
    for (std::int64_t i = first; i < first + count; ++i) {
      const std::uint64_t x = stored(left, i) & mask, y = stored(right, i) & mask;
      if (x != y && !f(i, x, y)) return;
    }
  }
}

/// f(index, code of a, code of b), in ascending order of the index, until it returns false. Both have one element type and one shape.
template <class F>
void for_each_differing(const Tensor& a, const Tensor& b, F f) {
  switch (a.element().storage_bytes()) {
    case 1: return for_each_differing_as<std::uint8_t>(a, b, f);
    case 2: return for_each_differing_as<std::uint16_t>(a, b, f);
    case 4: return for_each_differing_as<std::uint32_t>(a, b, f);
    default: return for_each_differing_as<std::uint64_t>(a, b, f);
  }
}

/// Whether compare() finds elements that differ.
bool any_different(const ResultTensor& expected, const Tensor& actual);

}  // namespace tiebreak
