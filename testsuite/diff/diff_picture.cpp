// SPDX-License-Identifier: Apache-2.0
// Heat maps as SVG: no script, no font of its own, the same bytes on every run.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "testsuite/diff/diff_semantics.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

std::string svg_escaped(const std::string& text) {
  std::string out;
  for (char c : text) out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : std::string(1, c);
  return out;
}

/// From pale yellow (rare) to dark red (often), in 20 steps over `decades` powers of ten below 1; white is never.
std::string colour(double share, double decades) {
  if (share <= 0) return "#ffffff";
  const double depth = std::clamp(1 + std::log10(share) / decades, 0.0, 1.0);
  const double step = std::floor(depth * 20) / 20;
  auto mix = [step](int pale, int dark) { return static_cast<int>(std::lround(pale + (dark - pale) * step)); };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(255, 128), mix(245, 0), mix(200, 38));
}

class Picture {
 public:
  void rectangle(double x, double y, double width, double height, const std::string& fill, const std::string& title) {
    body_ +=
        fmt::format("<rect x=\"{:g}\" y=\"{:g}\" width=\"{:g}\" height=\"{:g}\" fill=\"{}\" stroke=\"#bbbbbb\" stroke-width=\"0.5\"><title>{}</title></rect>\n",
                    x, y, width, height, fill, svg_escaped(title));
  }
  void text(double x, double y, const std::string& words, const char* anchor = "start", int turn = 0) {
    const std::string turned = turn == 0 ? "" : fmt::format(" transform=\"rotate({} {:g} {:g})\"", turn, x, y);
    body_ += fmt::format("<text x=\"{:g}\" y=\"{:g}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, turned, svg_escaped(words));
  }
  void legend(double x, double y, double decades) {
    for (int i = 0; i < 20; ++i) rectangle(x + i * 8, y, 8, 12, colour(std::pow(10.0, -decades * (1 - (i + 0.5) / 20)), decades), "");
    text(x - 6, y + 10, fmt::format("1e-{:g}", decades), "end");
    text(x + 166, y + 10, "1 = every input");
  }
  std::string svg(double width, double height) const {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" height=\"{1:g}\" viewBox=\"0 0 {0:g} {1:g}\" font-family=\"sans-serif\" font-size=\"11\">\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{2}</svg>\n",
        width, height, body_);
  }

 private:
  std::string body_;
};

double share_of(const Disagreement& d) {
  return d.unsaturated == 0 ? (d.count > 0 ? 1.0 : 0.0) : static_cast<double>(d.count) / static_cast<double>(d.unsaturated);
}

}  // namespace

std::string diff_svg(const DiffReport& report, const DiffQuestion& question) {
  const auto& axes = question.sweep.axes();
  const std::uint64_t columns = axes.empty() ? 1 : axes.back().values.size();
  const std::uint64_t rows = std::max<std::uint64_t>(1, question.sweep.size() / columns);
  constexpr double left = 190, top = 64, decades = 6;
  const double cell_width = std::clamp(900.0 / static_cast<double>(columns), 1.0, 28.0), cell_height = std::clamp(700.0 / static_cast<double>(rows), 1.0, 18.0);
  Picture picture;
  picture.text(12, 20, report.first + "  against  " + report.second);
  picture.text(12, 38, fmt::format("{}: share of the unsaturated inputs ({}) on which they differ", question.call.op, question.varied));
  for (const DiffPoint& point : report.points) {
    const double x = left + static_cast<double>(point.set % columns) * cell_width, y = top + static_cast<double>(point.set / columns) * cell_height;
    picture.rectangle(x, y, cell_width, cell_height, colour(share_of(point.disagreement), decades),
                      fmt::format("{}: {} differ", question.sweep.text(point.set), point.disagreement.count));
  }
  const std::uint64_t every_row = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ceil(12.0 / cell_height)));
  for (std::uint64_t row = 0; row < rows; row += every_row) {
    std::string label;
    for (std::size_t axis = 0; axis + 1 < axes.size(); ++axis)
      label += (label.empty() ? "" : " ") + axes[axis].name + "=" + question.sweep.value(row * columns, axis).to_decimal(6);
    picture.text(left - 6, top + static_cast<double>(row) * cell_height + std::min(12.0, cell_height), label, "end");
  }
  const double bottom = top + static_cast<double>(rows) * cell_height;
  if (!axes.empty()) {
    picture.text(left, bottom + 16, axes.back().name + " = " + axes.back().values.front().to_decimal(6));
    picture.text(left + static_cast<double>(columns) * cell_width, bottom + 16, axes.back().values.back().to_decimal(6), "end");
  }
  picture.legend(left, bottom + 30, decades);
  return picture.svg(std::max(520.0, left + static_cast<double>(columns) * cell_width + 40), bottom + 60);
}

std::string matrix_svg(const DiffMatrix& matrix, const DiffQuestion& question) {
  const std::size_t n = matrix.classes.size();
  constexpr double cell = 20, decades = 9;
  double left = 60;
  for (const auto& names : matrix.classes) left = std::max(left, 40 + 6.2 * static_cast<double>(names.front().size() + (names.size() > 1 ? 6 : 0)));
  const double top = left + 24;
  Picture picture;
  picture.text(12, 20, fmt::format("{}: share of all inputs ({}) on which two semantics differ", question.call.op, question.varied));
  for (std::size_t i = 0; i < n; ++i) {
    const std::string label = matrix.classes[i].front() + (matrix.classes[i].size() > 1 ? fmt::format(" (+{})", matrix.classes[i].size() - 1) : "");
    picture.text(left - 6, top + static_cast<double>(i) * cell + 14, label, "end");
    picture.text(left + static_cast<double>(i) * cell + 14, top - 6, label, "start", -90);
    for (std::size_t j = 0; j < n; ++j) {
      const double share = matrix.inputs == 0 ? 0 : static_cast<double>(matrix.counts[i][j]) / static_cast<double>(matrix.inputs);
      picture.rectangle(left + static_cast<double>(j) * cell, top + static_cast<double>(i) * cell, cell, cell, i == j ? "#eeeeee" : colour(share, decades),
                        fmt::format("{} | {}: {}", matrix.classes[i].front(), matrix.classes[j].front(), matrix.counts[i][j]));
    }
  }
  const double bottom = top + static_cast<double>(n) * cell;
  picture.legend(left, bottom + 14, decades);
  return picture.svg(std::max(460.0, left + static_cast<double>(n) * cell + 40), bottom + 44);
}

}  // namespace tiebreak
