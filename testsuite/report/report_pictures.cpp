// SPDX-License-Identifier: Apache-2.0
#include "testsuite/report/report_pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "testsuite/text/markup.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

/// What the picture of places is drawn from, and whether that is every different element.
struct Drawn {
  Places places;
  bool complete = true;
};

Drawn drawn_places(const Comparison& comparison) {
  if (!comparison.places.counts.empty()) return {comparison.places, true};
  Drawn drawn{places_of(comparison.shape), static_cast<std::int64_t>(comparison.first.size()) == comparison.different};
  for (const Mismatch& mismatch : comparison.first) note_place(drawn.places, mismatch.index);
  return drawn;
}

/// Elements that share a cell, at most.
std::int64_t cell_size(const Places& places) {
  return ((places.outer + places.rows - 1) / places.rows) * ((places.inner + places.columns - 1) / places.columns);
}

/// One path for each of four strengths keeps the page small: a cell is sixteen bytes.
std::array<std::string, 4> cell_paths(const Places& places, double width, double height) {
  std::array<std::string, 4> paths;
  const std::int64_t full = cell_size(places);
  for (std::size_t i = 0; i < places.counts.size(); ++i) {
    const std::int64_t count = places.counts[i];
    if (count == 0) continue;
    const double share = static_cast<double>(count) / static_cast<double>(full);
    const std::size_t level = std::min<std::size_t>(3, static_cast<std::size_t>(share * 4));
    const auto row = static_cast<std::int64_t>(i) / places.columns, column = static_cast<std::int64_t>(i) % places.columns;
    paths[level] +=
        fmt::format("M{:g} {:g}h{:g}v{:g}h-{:g}z", static_cast<double>(column) * width, static_cast<double>(row) * height, width - 1, height - 1, width - 1);
  }
  return paths;
}

}  // namespace

std::string histogram_svg(const Comparison& comparison) {
  const auto bars = histogram_order(comparison.histogram);
  if (bars.empty()) return "";
  constexpr double step = 64, left = 6, base = 92, tallest = 66;
  std::int64_t most = 1;
  for (const auto& [bucket, count] : bars) most = std::max(most, count);
  std::string body;
  double x = left;
  for (const auto& [bucket, count] : bars) {
    const double height = std::max(2.0, tallest * static_cast<double>(count) / static_cast<double>(most));
    const bool positive = bucket[0] >= '0' && bucket[0] <= '9';
    body += fmt::format("<rect class=\"bar\" x=\"{:g}\" y=\"{:g}\" width=\"{:g}\" height=\"{:g}\"/>", x + 8, base - std::round(height), step - 16,
                        std::round(height));
    body += fmt::format("<text x=\"{0:g}\" y=\"{1:g}\">{2}</text><text x=\"{0:g}\" y=\"{3:g}\">{4}{5}</text>\n", x + step / 2, base - std::round(height) - 5,
                        count, base + 16, positive ? "+" : "", markup_escaped(bucket));
    x += step;
  }
  return fmt::format(
      "<svg role=\"img\" width=\"{0:g}\" height=\"116\" viewBox=\"0 0 {0:g} 116\"><title>elements by difference in {1}</title>\n{2}<path class=\"axis\" "
      "d=\"M{3:g} {4:g}h{5:g}\"/></svg>",
      x + left, markup_escaped(comparison.unit), body, left, base, x - left);
}

std::string places_svg(const Comparison& comparison) {
  const Drawn drawn = drawn_places(comparison);
  const Places& places = drawn.places;
  if (places.counts.empty() || comparison.compared + comparison.undefined <= 1) return "";
  const double width = std::clamp(512.0 / static_cast<double>(places.columns), 8.0, 32.0), height = places.rows == 1 ? 24 : 14;
  const double right = width * static_cast<double>(places.columns), bottom = height * static_cast<double>(places.rows);
  std::string body;
  const auto paths = cell_paths(places, width, height);
  for (std::size_t level = 0; level < paths.size(); ++level)
    if (!paths[level].empty()) body += fmt::format("<path class=\"at{}\" d=\"{}\"/>\n", level + 1, paths[level]);
  return fmt::format(
      "<svg role=\"img\" width=\"{0:g}\" height=\"{1:g}\" viewBox=\"0 0 {0:g} {1:g}\"><title>where in the tensor elements differ</title>"
      "<rect class=\"ground\" width=\"{2:g}\" height=\"{3:g}\"/>\n{4}</svg>",
      right, bottom, right - 1, bottom - 1, body);
}

std::string places_caption(const Comparison& comparison) {
  const Drawn drawn = drawn_places(comparison);
  const Places& places = drawn.places;
  std::string text = places.outer == 1
                         ? fmt::format("flat index 0 to {}, left to right", places.inner - 1)
                         : fmt::format("across: the innermost dimension, 0 to {}; down: the others, row 0 to {}", places.inner - 1, places.outer - 1);
  if (const std::int64_t size = cell_size(places); size > 1)
    text += fmt::format("; a cell is up to {} elements, the stronger its colour, the more of them differ", size);
  text += drawn.complete ? fmt::format("; all {} that differ", comparison.different)
                         : fmt::format("; only the {} kept mismatches of {} are shown", comparison.first.size(), comparison.different);
  return text + ".";
}

}  // namespace tiebreak
