// SPDX-License-Identifier: Apache-2.0
#include "interpreter/movement/index_vectors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "interpreter/movement/move.hpp"
#include "interpreter/movement/movements.hpp"

namespace tiebreak::structure {
namespace {

bool is_unique(Shape values) {
  std::ranges::sort(values);
  return std::ranges::adjacent_find(values) == values.end();
}

Shape joined(const Shape& first, const Shape& second) {
  Shape all = first;
  all.insert(all.end(), second.begin(), second.end());
  return all;
}

class Reader {
 public:
  Reader(const StructureRequest& request, const IndexWords& words, const Shape& operand, const Shape& indices)
      : request_(request), words_(words), operand_rank_(rank(operand)), indices_rank_(rank(indices)), operand_(operand), indices_(indices) {}

  Result<IndexDimensions> run() {
    TIEBREAK_CHECK(read());
    TIEBREAK_CHECK(check_start_indices());
    TIEBREAK_CHECK(check_operand_dimensions());
    TIEBREAK_CHECK(check_batching());
    divide();
    return std::move(found_);
  }

 private:
  static std::int64_t rank(const Shape& shape) { return static_cast<std::int64_t>(shape.size()); }

  Status read() {
    for (auto [name, target] : {std::pair{words_.offset_dims, &found_.offset_dims}, std::pair{words_.collapsed_dims, &found_.collapsed},
                                std::pair{words_.operand_batching_dims, &found_.operand_batching},
                                std::pair{words_.indices_batching_dims, &found_.indices_batching}, std::pair{words_.index_map, &found_.index_map}}) {
      TIEBREAK_TRY(values, integers(request_, name, {}));
      *target = values;
    }
    TIEBREAK_TRY(vector_dim, integer(request_, "index_vector_dim", 0));
    found_.vector_dim = vector_dim;
    return {};
  }

  Status check(bool holds, const char* label, const std::string& what) const { return holds ? Status{} : Status(malformed(request_, label, what)); }
  Status check_range(const Shape& values, std::int64_t limit, const char* name, const char* label) const {
    return check(std::ranges::all_of(values, [&](std::int64_t value) { return value >= 0 && value < limit; }), label,
                 fmt::format("{} = {} is outside 0 .. {}", name, to_text(values), limit - 1));
  }

  Status check_start_indices() {
    const std::int64_t vector = found_.vector_dim;
    TIEBREAK_CHECK(
        check(vector >= 0 && vector <= indices_rank_, words_.vector_label, fmt::format("index_vector_dim = {} is outside 0 .. {}", vector, indices_rank_)));
    const std::int64_t entries = vector < indices_rank_ ? indices_[static_cast<std::size_t>(vector)] : 1;
    TIEBREAK_CHECK(check(rank(found_.index_map) == entries, words_.map_count_label,
                         fmt::format("{} has {} entries, the start vectors have {}", words_.index_map, found_.index_map.size(), entries)));
    for (std::int64_t d = 0; d < indices_rank_; ++d)
      if (d != vector) found_.batch_extents.push_back(indices_[static_cast<std::size_t>(d)]);
    const Shape& offsets = found_.offset_dims;
    TIEBREAK_CHECK(check(is_unique(offsets) && std::ranges::is_sorted(offsets), words_.offset_order_label,
                         fmt::format("{} = {} must rise", words_.offset_dims, to_text(offsets))));
    return check_range(offsets, rank(found_.batch_extents) + rank(offsets), words_.offset_dims, words_.offset_range_label);
  }

  Status check_operand_dimensions() {
    const Shape removed = joined(found_.collapsed, found_.operand_batching);
    TIEBREAK_CHECK(check(operand_rank_ == rank(found_.offset_dims) + rank(removed), words_.rank_label,
                         fmt::format("the operand has {} dimensions, {} and what is removed are {}", operand_rank_, words_.offset_dims,
                                     found_.offset_dims.size() + removed.size())));
    TIEBREAK_CHECK(check(is_unique(removed), words_.removed_unique_label,
                         fmt::format("{} and {} name a dimension twice", words_.collapsed_dims, words_.operand_batching_dims)));
    TIEBREAK_CHECK(check(std::ranges::is_sorted(found_.collapsed), words_.collapsed_order_label,
                         fmt::format("{} = {} must rise", words_.collapsed_dims, to_text(found_.collapsed))));
    TIEBREAK_CHECK(check_range(found_.collapsed, operand_rank_, words_.collapsed_dims, words_.collapsed_range_label));
    TIEBREAK_CHECK(check(std::ranges::is_sorted(found_.operand_batching), words_.batching_order_label,
                         fmt::format("{} = {} must rise", words_.operand_batching_dims, to_text(found_.operand_batching))));
    TIEBREAK_CHECK(check_range(found_.operand_batching, operand_rank_, words_.operand_batching_dims, words_.batching_range_label));
    TIEBREAK_CHECK(check(is_unique(joined(found_.index_map, found_.operand_batching)), words_.map_unique_label,
                         fmt::format("{} and {} name a dimension twice", words_.index_map, words_.operand_batching_dims)));
    return check_range(found_.index_map, operand_rank_, words_.index_map, words_.map_range_label);
  }

  Status check_batching() {
    const Shape& own = found_.indices_batching;
    TIEBREAK_CHECK(check(is_unique(own), words_.indices_batching_unique_label, fmt::format("{} names a dimension twice", words_.indices_batching_dims)));
    TIEBREAK_CHECK(check_range(own, indices_rank_, words_.indices_batching_dims, words_.indices_batching_range_label));
    TIEBREAK_CHECK(check(std::ranges::find(own, found_.vector_dim) == own.end(), words_.indices_batching_vector_label,
                         fmt::format("{} names the dimension of the start vectors", words_.indices_batching_dims)));
    TIEBREAK_CHECK(check(
        own.size() == found_.operand_batching.size(), words_.batching_count_label,
        fmt::format("{} has {} entries, {} has {}", words_.operand_batching_dims, found_.operand_batching.size(), words_.indices_batching_dims, own.size())));
    for (std::size_t i = 0; i < own.size(); ++i)
      TIEBREAK_CHECK(check(operand_[static_cast<std::size_t>(found_.operand_batching[i])] == indices_[static_cast<std::size_t>(own[i])],
                           words_.batching_size_label,
                           fmt::format("batching dimension {} of the operand and {} of the start indices differ in size", found_.operand_batching[i], own[i])));
    return {};
  }

  /// Dimensions of outer are offsets or batch; those of the operand are windows or removed.
  void divide() {
    const std::size_t outer = found_.offset_dims.size() + found_.batch_extents.size();
    for (std::size_t d = 0; d < outer; ++d)
      if (std::ranges::find(found_.offset_dims, static_cast<std::int64_t>(d)) == found_.offset_dims.end()) found_.batch_dims.push_back(d);
    const Shape removed = joined(found_.collapsed, found_.operand_batching);
    for (std::int64_t d = 0; d < operand_rank_; ++d)
      if (std::ranges::find(removed, d) == removed.end()) found_.window_dims.push_back(static_cast<std::size_t>(d));
  }

  const StructureRequest& request_;
  const IndexWords& words_;
  const std::int64_t operand_rank_, indices_rank_;
  const Shape& operand_;
  const Shape& indices_;
  IndexDimensions found_{};
};

}  // namespace

Result<IndexDimensions> index_dimensions(const StructureRequest& request, const IndexWords& words, const Shape& operand, const Shape& indices) {
  return Reader(request, words, operand, indices).run();
}

std::size_t batch_coordinate(const IndexDimensions& dimensions, std::int64_t indices_dimension) {
  return static_cast<std::size_t>(indices_dimension - (indices_dimension < dimensions.vector_dim ? 0 : 1));
}

Result<std::vector<Shape>> start_vectors(const StructureRequest& request, const IndexDimensions& dimensions, const Tensor& indices) {
  if (!indices.element().is_integer() || indices.type().quantized) return malformed(request, "", "start indices must be whole numbers");
  TIEBREAK_TRY(places, element_count(dimensions.batch_extents));
  const std::vector<std::int64_t> strides = row_major_strides(indices.shape());
  const std::size_t vector = static_cast<std::size_t>(dimensions.vector_dim);
  const std::int64_t step = vector < strides.size() ? strides[vector] : 0;
  std::vector<Shape> starts;
  starts.reserve(static_cast<std::size_t>(places));
  std::vector<std::int64_t> place(dimensions.batch_extents.size());
  for (std::int64_t i = 0; i < places; ++i) {
    unravel(i, dimensions.batch_extents, place);
    std::int64_t first = 0;
    for (std::size_t d = 0, batch = 0; d < strides.size(); ++d)
      if (d != vector) first += place[batch++] * strides[d];
    Shape start(dimensions.index_map.size());
    for (std::size_t entry = 0; entry < start.size(); ++entry) start[entry] = near_index(indices, first + static_cast<std::int64_t>(entry) * step);
    starts.push_back(std::move(start));
  }
  return starts;
}

}  // namespace tiebreak::structure
