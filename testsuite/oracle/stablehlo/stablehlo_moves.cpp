// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/stablehlo/stablehlo_moves.hpp"

#include <algorithm>

#include "testsuite/oracle/extents.hpp"

namespace tiebreak::oracle {
namespace {

std::int64_t& at(Index& values, std::int64_t position) { return values[static_cast<std::size_t>(position)]; }
std::int64_t at(const Index& values, std::int64_t position) { return values[static_cast<std::size_t>(position)]; }
std::int64_t held_between(std::int64_t low, std::int64_t value, std::int64_t high) { return value < low ? low : value > high ? high : value; }

Move holes(const Index& shape) { return {shape, std::vector<std::int64_t>(index_space(shape).size(), -1)}; }

bool inside(const Index& shape, const Index& index) {
  for (std::size_t d = 0; d < shape.size(); ++d)
    if (index[d] < 0 || index[d] >= shape[d]) return false;
  return true;
}

/// The start vector that the batch part of an outer index selects.
Index start_index(const Index& indices_shape, const std::vector<std::int64_t>& indices, const IndexNumbers& numbers, const Index& batch) {
  Index start;
  const std::int64_t rank = static_cast<std::int64_t>(indices_shape.size());
  if (numbers.index_vector_dim >= rank) return {at(indices, flat(indices_shape, batch))};
  for (std::int64_t entry = 0; entry < at(indices_shape, numbers.index_vector_dim); ++entry) {
    Index place = batch;
    place.insert(place.begin() + numbers.index_vector_dim, entry);
    start.push_back(at(indices, flat(indices_shape, place)));
  }
  return start;
}

/// full_batching_index + full_offset_index of the specification.
Index window_place(std::size_t rank, const IndexNumbers& numbers, const Index& batch, const Index& offset) {
  Index place(rank, 0);
  for (std::size_t i = 0; i < numbers.operand_batching_dims.size(); ++i) {
    const std::int64_t d_start = numbers.start_indices_batching_dims[i];
    at(place, numbers.operand_batching_dims[i]) += at(batch, d_start - (d_start < numbers.index_vector_dim ? 0 : 1));
  }
  std::size_t next = 0;
  for (std::size_t d = 0; d < rank; ++d)
    if (!contains(numbers.collapsed_slice_dims, static_cast<std::int64_t>(d)) && !contains(numbers.operand_batching_dims, static_cast<std::int64_t>(d)))
      place[d] += offset[next++];
  return place;
}

/// The batch part and the offset part of an outer index.
std::pair<Index, Index> batch_and_offset(const Index& outer, const IndexNumbers& numbers) {
  std::pair<Index, Index> both;
  for (std::size_t d = 0; d < outer.size(); ++d) (contains(numbers.offset_dims, static_cast<std::int64_t>(d)) ? both.second : both.first).push_back(outer[d]);
  return both;
}

}  // namespace

std::vector<Index> index_space(const Index& shape) {
  std::vector<Index> all{{}};
  for (std::int64_t extent : shape) {
    std::vector<Index> longer;
    for (const Index& index : all)
      for (std::int64_t i = 0; i < extent; ++i) {
        longer.push_back(index);
        longer.back().push_back(i);
      }
    all = longer;
  }
  return all;
}

std::int64_t flat(const Index& shape, const Index& index) {
  std::int64_t number = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) number = number * shape[d] + index[d];
  return number;
}

Move slice(const Index& operand, const Index& starts, const Index& limits, const Index& strides) {
  Move move;
  for (std::size_t d = 0; d < operand.size(); ++d) {
    std::int64_t count = 0;
    for (std::int64_t i = starts[d]; i < limits[d]; i += strides[d]) ++count;
    move.shape.push_back(count);
  }
  for (Index index : index_space(move.shape)) {
    for (std::size_t d = 0; d < index.size(); ++d) index[d] = starts[d] + index[d] * strides[d];
    move.from.push_back(flat(operand, index));
  }
  return move;
}

Move dynamic_slice(const Index& operand, const Index& starts, const Index& sizes) {
  Move move{sizes, {}};
  for (Index index : index_space(sizes)) {
    for (std::size_t d = 0; d < index.size(); ++d) index[d] += held_between(0, starts[d], operand[d] - sizes[d]);
    move.from.push_back(flat(operand, index));
  }
  return move;
}

Move dynamic_update_slice(const Index& operand, const Index& update, const Index& starts) {
  Move move = holes(operand);
  for (const Index& index : index_space(update)) {
    Index place = index;
    for (std::size_t d = 0; d < place.size(); ++d) place[d] += held_between(0, starts[d], operand[d] - update[d]);
    at(move.from, flat(operand, place)) = flat(update, index);
  }
  return move;
}

Move pad(const Index& operand, const Index& low, const Index& high, const Index& interior) {
  Index shape;
  for (std::size_t d = 0; d < operand.size(); ++d) shape.push_back(operand[d] + low[d] + high[d] + (operand[d] > 1 ? (operand[d] - 1) * interior[d] : 0));
  for (std::int64_t extent : shape)
    if (extent < 0) return {shape, {}};
  Move move = holes(shape);
  for (const Index& index : index_space(operand)) {
    Index place = index;
    for (std::size_t d = 0; d < place.size(); ++d) place[d] = low[d] + place[d] * (interior[d] + 1);
    if (inside(shape, place)) at(move.from, flat(shape, place)) = flat(operand, index);
  }
  return move;
}

Move transpose(const Index& operand, const Index& permutation) {
  Index shape;
  for (std::int64_t d : permutation) shape.push_back(at(operand, d));
  Move move = holes(shape);
  for (const Index& index : index_space(operand)) {
    Index place;
    for (std::int64_t d : permutation) place.push_back(at(index, d));
    at(move.from, flat(shape, place)) = flat(operand, index);
  }
  return move;
}

Move reverse(const Index& operand, const Index& dimensions) {
  Move move{operand, {}};
  for (Index index : index_space(operand)) {
    for (std::int64_t d : dimensions) at(index, d) = at(operand, d) - at(index, d) - 1;
    move.from.push_back(flat(operand, index));
  }
  return move;
}

Move broadcast_in_dim(const Index& operand, const Index& result, const Index& broadcast_dimensions) {
  Move move{result, {}};
  for (const Index& index : index_space(result)) {
    Index place;
    for (std::size_t d = 0; d < operand.size(); ++d) place.push_back(operand[d] == 1 ? 0 : at(index, broadcast_dimensions[d]));
    move.from.push_back(flat(operand, place));
  }
  return move;
}

Concatenation concatenate(const std::vector<Index>& inputs, std::int64_t dimension) {
  Concatenation result{inputs.front(), {}, {}};
  at(result.shape, dimension) = 0;
  for (const Index& input : inputs) at(result.shape, dimension) += at(input, dimension);
  for (Index index : index_space(result.shape)) {
    std::size_t k = 0;
    while (at(index, dimension) >= at(inputs[k], dimension)) at(index, dimension) -= at(inputs[k++], dimension);
    result.member.push_back(static_cast<std::int64_t>(k));
    result.from.push_back(flat(inputs[k], index));
  }
  return result;
}

Move gather(const Index& operand, const Index& indices_shape, const std::vector<std::int64_t>& indices, const IndexNumbers& numbers, const Index& slice_sizes) {
  Index batches, offsets;
  for (std::size_t d = 0; d < indices_shape.size(); ++d)
    if (static_cast<std::int64_t>(d) != numbers.index_vector_dim) batches.push_back(indices_shape[d]);
  for (std::size_t d = 0; d < operand.size(); ++d)
    if (!contains(numbers.collapsed_slice_dims, static_cast<std::int64_t>(d)) && !contains(numbers.operand_batching_dims, static_cast<std::int64_t>(d)))
      offsets.push_back(slice_sizes[d]);
  Move move;
  for (std::size_t d = 0, b = 0, o = 0; d < batches.size() + offsets.size(); ++d)
    move.shape.push_back(contains(numbers.offset_dims, static_cast<std::int64_t>(d)) ? offsets[o++] : batches[b++]);
  for (const Index& index : index_space(move.shape)) {
    const auto [batch, offset] = batch_and_offset(index, numbers);
    const Index start = start_index(indices_shape, indices, numbers, batch);
    Index place = window_place(operand.size(), numbers, batch, offset);
    for (std::size_t s = 0; s < start.size(); ++s) {
      const std::int64_t d = numbers.start_index_map[s];
      at(place, d) += held_between(0, start[s], at(operand, d) - at(slice_sizes, d));
    }
    move.from.push_back(flat(operand, place));
  }
  return move;
}

std::vector<std::int64_t> scatter(const Index& operand, const Index& indices_shape, const std::vector<std::int64_t>& indices, const IndexNumbers& numbers,
                                  const Index& updates) {
  std::vector<std::int64_t> targets;
  for (const Index& index : index_space(updates)) {
    const auto [batch, offset] = batch_and_offset(index, numbers);
    const Index start = start_index(indices_shape, indices, numbers, batch);
    Index place = window_place(operand.size(), numbers, batch, offset);
    for (std::size_t s = 0; s < start.size(); ++s) at(place, numbers.start_index_map[s]) += start[s];
    targets.push_back(inside(operand, place) ? flat(operand, place) : -1);
  }
  return targets;
}

}  // namespace tiebreak::oracle
