// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/tosa/tosa_moves.hpp"

#include <functional>

namespace tiebreak::oracle::tosa {
namespace {

std::int64_t offset_of(const Extents& shape, const Extents& index) {
  std::int64_t offset = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (index[d] < 0 || index[d] >= shape[d]) return -1;
    offset = offset * shape[d] + index[d];
  }
  return offset;
}

/// For each place of `shape`, the place of `input` that `source` makes of it.
Moved moved(const Extents& input, Extents shape, const std::function<void(Extents&)>& source) {
  Moved result{std::move(shape)};
  std::int64_t count = 1;
  for (std::int64_t extent : result.shape) count *= extent;
  for (std::int64_t flat = 0; flat < count; ++flat) {
    Extents index(result.shape.size());
    std::int64_t rest = flat;
    for (std::size_t d = result.shape.size(); d-- > 0;) {
      index[d] = rest % result.shape[d];
      rest /= result.shape[d];
    }
    source(index);
    result.from.push_back(offset_of(input, index));
  }
  return result;
}

}  // namespace

Moved reverse(const Extents& shape, std::int64_t axis) {
  const auto a = static_cast<std::size_t>(axis);
  return moved(shape, shape, [&](Extents& index) { index[a] = shape[a] - 1 - index[a]; });
}

Moved slice(const Extents& shape, const Extents& start, const Extents& size) {
  return moved(shape, size, [&](Extents& index) {
    for (std::size_t d = 0; d < index.size(); ++d) index[d] += start[d];
  });
}

Moved tile(const Extents& shape, const Extents& multiples) {
  Extents all = shape;
  for (std::size_t d = 0; d < all.size(); ++d) all[d] *= multiples[d];
  return moved(shape, all, [&](Extents& index) {
    for (std::size_t d = 0; d < index.size(); ++d) index[d] %= shape[d];
  });
}

Moved transpose(const Extents& shape, const Extents& perms) {
  Extents turned;
  for (std::int64_t from : perms) turned.push_back(shape[static_cast<std::size_t>(from)]);
  return moved(shape, turned, [&](Extents& index) {
    const Extents place = index;
    for (std::size_t d = 0; d < place.size(); ++d) index[static_cast<std::size_t>(perms[d])] = place[d];
  });
}

Moved pad(const Extents& shape, const Extents& padding) {
  Extents padded;
  for (std::size_t d = 0; d < shape.size(); ++d) padded.push_back(padding[2 * d] + shape[d] + padding[2 * d + 1]);
  return moved(shape, padded, [&](Extents& index) {
    for (std::size_t d = 0; d < index.size(); ++d) index[d] -= padding[2 * d];
  });
}

Moved concat(const std::vector<Extents>& shapes, std::int64_t axis) {
  const auto a = static_cast<std::size_t>(axis);
  Extents whole = shapes.front();
  whole[a] = 0;
  for (const Extents& shape : shapes) whole[a] += shape[a];
  Moved result{whole};
  // Every place looks through the inputs, as the text does.
  const Moved places = moved(whole, whole, [](Extents&) {});
  for (std::int64_t flat : places.from) {
    Extents index(whole.size());
    std::int64_t rest = flat;
    for (std::size_t d = whole.size(); d-- > 0;) {
      index[d] = rest % whole[d];
      rest /= whole[d];
    }
    std::int64_t before = 0;
    for (const Extents& shape : shapes) {
      const std::int64_t found = offset_of(shape, index);
      if (found >= 0) result.from.push_back(before + found);
      std::int64_t count = 1;
      for (std::int64_t extent : shape) count *= extent;
      before += count;
      index[a] -= shape[a];
    }
  }
  return result;
}

std::vector<std::optional<std::int64_t>> gather(const Extents& values, const Extents& indices, const std::vector<std::int64_t>& chosen) {
  std::vector<std::optional<std::int64_t>> from;
  for (std::int64_t n = 0; n < values[0]; ++n)
    for (std::int64_t w = 0; w < indices[1]; ++w)
      for (std::int64_t c = 0; c < values[2]; ++c) {
        const std::int64_t k = chosen[static_cast<std::size_t>(n * indices[1] + w)];
        from.push_back(k >= 0 && k < values[1] ? std::optional((n * values[1] + k) * values[2] + c) : std::nullopt);
      }
  return from;
}

std::vector<std::optional<std::int64_t>> scatter(const Extents& values, const Extents& indices, const std::vector<std::int64_t>& chosen) {
  const std::int64_t count = values[0] * values[1] * values[2];
  std::vector<std::optional<std::int64_t>> from;
  for (std::int64_t i = 0; i < count; ++i) from.emplace_back(i);
  std::vector<bool> written(static_cast<std::size_t>(count), false), lost(static_cast<std::size_t>(count), false);
  for (std::int64_t n = 0; n < values[0]; ++n)
    for (std::int64_t w = 0; w < indices[1]; ++w) {
      const std::int64_t k = chosen[static_cast<std::size_t>(n * indices[1] + w)];
      const bool outside = k < 0 || k >= values[1];
      for (std::int64_t row = outside ? 0 : k; row <= (outside ? values[1] - 1 : k); ++row)
        for (std::int64_t c = 0; c < values[2]; ++c) {
          const auto place = static_cast<std::size_t>((n * values[1] + row) * values[2] + c);
          lost[place] = lost[place] || outside || written[place];
          if (outside) continue;
          written[place] = true;
          from[place] = count + (n * indices[1] + w) * values[2] + c;
        }
    }
  for (std::size_t i = 0; i < from.size(); ++i)
    if (lost[i]) from[i] = std::nullopt;
  return from;
}

}  // namespace tiebreak::oracle::tosa
