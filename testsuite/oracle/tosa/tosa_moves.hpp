// SPDX-License-Identifier: Apache-2.0
// TOSA's movement by the loops of its text: which element of the input, counted in row-major order, each element of the result is.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

namespace tiebreak::oracle::tosa {

using Extents = std::vector<std::int64_t>;

/// -1: none, a place of the padding.
struct Moved {
  Extents shape;
  std::vector<std::int64_t> from{};
};

Moved reverse(const Extents& shape, std::int64_t axis);
Moved slice(const Extents& shape, const Extents& start, const Extents& size);
Moved tile(const Extents& shape, const Extents& multiples);
Moved transpose(const Extents& shape, const Extents& perms);
/// Before and behind each dimension.
Moved pad(const Extents& shape, const Extents& padding);
/// Of all inputs, counted one after the other.
Moved concat(const std::vector<Extents>& shapes, std::int64_t axis);

/// Of [N, K, C] by [N, W]; nothing where an index lies outside.
std::vector<std::optional<std::int64_t>> gather(const Extents& values, const Extents& indices, const std::vector<std::int64_t>& chosen);
/// Elements of [N, K, C] after updates [N, W, C]: below N * K * C a place of the values, else that of an update. Nothing where a row is written twice,
/// or where the batch has an index outside.
std::vector<std::optional<std::int64_t>> scatter(const Extents& values, const Extents& indices, const std::vector<std::int64_t>& chosen);

}  // namespace tiebreak::oracle::tosa
