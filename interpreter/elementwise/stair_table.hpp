// SPDX-License-Identifier: Apache-2.0
// A staircase for quick looks: inputs in their order are cut into buckets so narrow that each has at most one step.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "interpreter/simd/step_lookup.hpp"
#include "interpreter/stairs/staircase.hpp"

namespace tiebreak {

/// Places of inputs in their order, as 32-bit numbers: of an integer itself (less 2^31 without a sign), of a float the order of its codes, nan at both ends.
struct StairTable {
  simd::StepBuckets buckets{};  ///< without their entries
  std::vector<std::uint32_t> entries{};
  struct Places {
    std::int32_t first, last;
  };
  std::vector<Places> undefined{};  ///< results are, there
};

/// Nothing where codes are wider than a byte, inputs wider than 32 bits, or steps so near to each other that a table would be beyond `entries`.
std::optional<StairTable> stair_table(const Staircase& stairs, std::size_t entries);

/// Puts the codes of the results for elements of a type into `out`, byte by byte; whether one of them is undefined.
bool look_up(const StairTable& table, const ElementType& type, const std::byte* elements, std::size_t count, std::uint8_t* out);
/// out[i] = 1 where the result is undefined, else 0.
void mark_undefined(const StairTable& table, const ElementType& type, const std::byte* elements, std::size_t count, std::uint8_t* out);

}  // namespace tiebreak
