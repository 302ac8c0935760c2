// SPDX-License-Identifier: Apache-2.0
// Sorting with a comparator: lines along one dimension, all lines together, by a stable merge from the bottom up. An element of the later run goes
// first only where the comparator says that it is less.
#include <fmt/format.h>

#include "interpreter/evaluate/regions.hpp"

namespace tiebreak::regions {
namespace {

/// Where the elements of a line lie: first + position * stride.
struct Line {
  std::int64_t first = 0;
  std::vector<std::int64_t> order{};  ///< offsets, sorted so far in runs
  std::vector<std::int64_t> merged{};
};

/// Two runs of one line on their way into one.
struct Merge {
  std::size_t line = 0;
  std::size_t left = 0, left_end = 0, right = 0, right_end = 0;
};

Result<std::vector<std::uint8_t>> compare(RegionRun& comparator, const std::vector<ResultTensor>& inputs, const std::vector<std::int64_t>& left,
                                          const std::vector<std::int64_t>& right) {
  std::vector<ResultTensor> arguments;
  for (const ResultTensor& input : inputs)
    for (const auto* side : {&left, &right}) {
      TIEBREAK_TRY(taken, pick(input, *side));
      arguments.push_back(std::move(taken));
    }
  TIEBREAK_TRY(results, comparator.run_lanes(arguments, static_cast<std::int64_t>(left.size())));
  std::vector<std::uint8_t> less(left.size());
  for (std::size_t i = 0; i < less.size(); ++i) less[i] = results.front().tensor.code(static_cast<std::int64_t>(i)) != 0 ? 1 : 0;
  return less;
}

/// One element of every merge that still has two runs, until none has.
Status merge_all(RegionRun& comparator, const std::vector<ResultTensor>& inputs, std::vector<Line>& lines, std::vector<Merge>& merges) {
  for (;;) {
    std::vector<Merge*> open;
    std::vector<std::int64_t> early, late;
    for (Merge& merge : merges) {
      Line& line = lines[merge.line];
      if (merge.left == merge.left_end || merge.right == merge.right_end) continue;
      open.push_back(&merge);
      early.push_back(line.order[merge.left]);
      late.push_back(line.order[merge.right]);
    }
    if (open.empty()) break;
    TIEBREAK_TRY(less, compare(comparator, inputs, late, early));
    for (std::size_t i = 0; i < open.size(); ++i) {
      Merge& merge = *open[i];
      Line& line = lines[merge.line];
      const std::size_t at = merge.left + (merge.right - merge.left_end);  // as many are placed as both runs have given
      line.merged[at] = less[i] != 0 ? late[i] : early[i];
      less[i] != 0 ? ++merge.right : ++merge.left;
    }
  }
  for (Merge& merge : merges) {
    Line& line = lines[merge.line];
    std::size_t at = merge.left + (merge.right - merge.left_end);
    while (merge.left < merge.left_end) line.merged[at++] = line.order[merge.left++];
    while (merge.right < merge.right_end) line.merged[at++] = line.order[merge.right++];
  }
  return {};
}

}  // namespace

Results sort(const Context& context) {
  std::vector<ResultTensor> inputs = context.operands(context.argument(0));
  const Shape shape = inputs.front().tensor.shape();
  const std::int64_t rank = static_cast<std::int64_t>(shape.size());
  const auto attribute = context.call.attributes.find(context.argument(1));
  const auto given = attribute == context.call.attributes.end() ? std::optional<std::int64_t>(-1) : attribute->second.as_integer();
  if (!given || *given < -rank || *given >= rank)
    return fail(Errc::constraint, fmt::format("{} C4: the dimension is outside the rank {}", context.call.op, rank), context.call.where);
  const std::size_t dimension = static_cast<std::size_t>(*given < 0 ? *given + rank : *given);
  const std::size_t length = static_cast<std::size_t>(shape[dimension]);
  const std::int64_t stride = row_major_strides(shape)[dimension];
  std::vector<Line> lines;
  for (std::int64_t i = 0; i < inputs.front().tensor.size(); ++i) {
    if (i / stride % shape[dimension] != 0) continue;
    Line line{.first = i};
    for (std::size_t k = 0; k < length; ++k) line.order.push_back(i + static_cast<std::int64_t>(k) * stride);
    line.merged = line.order;
    lines.push_back(std::move(line));
  }
  RegionRun comparator(context, 0);
  for (std::size_t run = 1; run < length; run *= 2) {
    std::vector<Merge> merges;
    for (std::size_t l = 0; l < lines.size(); ++l)
      for (std::size_t first = 0; first < length; first += 2 * run) {
        const std::size_t middle = std::min(first + run, length);
        merges.push_back({l, first, middle, middle, std::min(first + 2 * run, length)});
      }
    TIEBREAK_CHECK(merge_all(comparator, inputs, lines, merges));
    for (Line& line : lines) line.order = line.merged;
  }
  std::vector<ResultTensor> results = inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    for (const Line& line : lines)
      for (std::size_t k = 0; k < length; ++k) {
        const std::int64_t to = line.first + static_cast<std::int64_t>(k) * stride;
        results[i].tensor.set_code(to, inputs[i].tensor.code(line.order[k]));
        if (!inputs[i].undefined.empty()) results[i].undefined[static_cast<std::size_t>(to)] = inputs[i].undefined[static_cast<std::size_t>(line.order[k])];
      }
  return results;
}

}  // namespace tiebreak::regions
