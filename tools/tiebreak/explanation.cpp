// SPDX-License-Identifier: Apache-2.0
#include "tools/tiebreak/explanation.hpp"

#include <algorithm>

#include "testsuite/text/text_table.hpp"

namespace tiebreak::command {
namespace {

const TraceStep* step_at(const std::vector<TraceStep>& steps, int index) { return index < 0 ? nullptr : &steps[static_cast<std::size_t>(index)]; }

std::string short_place(const std::string& place) { return place.substr(place.rfind('/') + 1); }

/// Both texts where they differ, one where they do not or only one is there.
std::string either(const std::string& first, const std::string& second) {
  if (first.empty() || second.empty() || first == second) return first.empty() ? second : first;
  return first + " | " + second;
}

struct Line {
  std::string mark, formula, first, second, choice, place;
};

/// The steps of one row; "-" and "+" mark steps that one side alone has, ">" where the values part, "*" where they differ after that.
Line line_of(const TraceDifference& difference, std::size_t index, std::size_t first_depth) {
  const TraceRow& row = difference.rows[index];
  const TraceStep* first = step_at(difference.first, row.first);
  const TraceStep* second = step_at(difference.second, row.second);
  const int depth = first != nullptr ? first->depth : second->depth;
  Line line;
  line.mark = difference.parts == index ? ">" : first == nullptr ? "+" : second == nullptr ? "-" : difference.same_value(row) ? " " : "*";
  line.formula = std::string(static_cast<std::size_t>(std::clamp(depth, 0, static_cast<int>(first_depth))), ' ') +
                 either(first != nullptr ? first->text : "", second != nullptr ? second->text : "");
  line.first = first != nullptr ? step_value(*first) : "";
  line.second = second != nullptr ? step_value(*second) : "";
  line.choice = either(first != nullptr ? first->choice : "", second != nullptr ? second->choice : "");
  line.place = either(first != nullptr ? short_place(first->place) : "", second != nullptr ? short_place(second->place) : "");
  return line;
}

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0, begin = 0;
  while (begin < text.size()) {
    const std::size_t end = text.find('\n', begin);
    widest = std::max(widest, display_width(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return widest;
}

std::string columns(const std::vector<Line>& lines, const Explanation& first, const Explanation& second, bool choices, bool places) {
  std::vector<std::string> headings{" ", "formula", first.profile, second.profile};
  if (choices) headings.emplace_back("choice");
  if (places) headings.emplace_back("place");
  TextTable table(headings);
  for (const Line& line : lines) {
    std::vector<std::string> cells{line.mark, line.formula, line.first, line.second};
    if (choices) cells.push_back(line.choice);
    if (places) cells.push_back(line.place);
    table.add(cells);
  }
  return table.text("");
}

/// Narrow: the formula on a line of its own, below it one value where both have the same, else one a profile.
std::string stacked(const std::vector<Line>& lines, const Explanation& first, const Explanation& second) {
  std::string text;
  for (const Line& line : lines) {
    text += line.mark + " " + line.formula + "\n";
    const std::string indent(6, ' ');
    if (line.first == line.second) {
      text += indent + line.first + "\n";
      continue;
    }
    if (!line.first.empty()) text += indent + first.profile + "  " + line.first + "\n";
    if (!line.second.empty()) text += indent + second.profile + "  " + line.second + "\n";
  }
  return text;
}

std::string parting_text(const Explanation& first, const Explanation& second, const TraceDifference& difference) {
  if (!difference.parts) {
    const bool all_paired = std::ranges::all_of(difference.rows, [](const TraceRow& row) { return row.is_pair(); });
    return all_paired ? "the two readings agree in every step\n" : "the steps are others, but wherever both have one their values agree\n";
  }
  const TraceRow& row = difference.rows[*difference.parts];
  TextTable table({"profile", "value", "formula", "place", "choice"});
  auto add = [&](const std::string& profile, const TraceStep& step) { table.add({profile, step_value(step), step.text, step.place, step.choice}); };
  add(first.profile, *step_at(difference.first, row.first));
  add(second.profile, *step_at(difference.second, row.second));
  const bool meet = first.value == second.value;
  return "first differ at\n" + table.text("  ", false) + (meet ? "and meet again: the results are equal\n" : "");
}

std::string readings_text(const TraceDifference& difference) {
  if (difference.readings.empty()) return "";
  TextTable table({"choice", "first", "second", "alone"});
  for (const ReadingDifference& reading : difference.readings) {
    std::string alone = reading.alone.empty()                       ? ""
                        : reading.alone == difference.first_result  ? "alone it changes nothing here"
                        : reading.alone == difference.second_result ? "alone it makes the difference: " + reading.alone
                                                                    : "alone it gives " + reading.alone;
    table.add({reading.key, reading.first.empty() ? "(not met)" : reading.first, reading.second.empty() ? "(not met)" : reading.second, alone});
  }
  return "choices read differently\n" + table.text("  ", false);
}

void write_step(JsonWriter& json, const TraceStep& step) {
  json.begin_object().member("depth", step.depth).member("formula", step.text).member("value", step.value).member("decimal", step.decimal);
  json.member("place", step.place).member("choice", step.choice).end_object();
}

}  // namespace

std::string step_value(const TraceStep& step) { return step.decimal.empty() || step.decimal == step.value ? step.value : step.value + " = " + step.decimal; }

std::string explanation_text(const Explanation& explanation) {
  std::string text = "profile " + explanation.profile + "\n";
  TextTable table({"formula", "value", "place", "choice"});
  for (const TraceStep& step : explanation.steps)
    table.add({std::string(static_cast<std::size_t>(std::max(step.depth, 0)) * 2, ' ') + step.text, step_value(step), step.place, step.choice});
  text += table.text("  ", false);
  if (!explanation.exact.empty()) text += "  before the last rounding  " + explanation.exact + "\n";
  if (!explanation.distance.empty()) text += "  to the boundary           " + explanation.distance + "\n";
  return text + "  result                    " + explanation.value + "\n";
}

std::string difference_text(const Explanation& first, const Explanation& second, const TraceDifference& difference, std::size_t width) {
  constexpr std::size_t deepest_indent = 12;
  std::vector<Line> lines;
  for (std::size_t i = 0; i < difference.rows.size(); ++i) lines.push_back(line_of(difference, i, deepest_indent));
  if (!first.exact.empty() || !second.exact.empty()) lines.push_back({" ", "before the last rounding", first.exact, second.exact, "", ""});
  if (!first.distance.empty() || !second.distance.empty()) lines.push_back({" ", "to the boundary", first.distance, second.distance, "", ""});
  lines.push_back({first.value == second.value ? " " : "*", "result", first.value, second.value, "", ""});
  std::string text;
  for (const auto& [choices, places] : {std::pair{true, true}, {true, false}, {false, false}})
    if (text = columns(lines, first, second, choices, places); widest_line(text) <= width) break;
  if (widest_line(text) > width) text = "profiles " + first.profile + ", " + second.profile + "\n" + stacked(lines, first, second);
  return text + parting_text(first, second, difference) + readings_text(difference);
}

void write_explanation(JsonWriter& json, const Explanation& explanation) {
  json.begin_object().member("profile", explanation.profile).member("result", explanation.value);
  if (!explanation.exact.empty()) json.member("exact", explanation.exact);
  if (!explanation.distance.empty()) json.member("to_boundary", explanation.distance);
  json.key("steps").begin_array();
  for (const TraceStep& step : explanation.steps) write_step(json, step);
  json.end_array().end_object();
}

void write_difference(JsonWriter& json, const Explanation& first, const Explanation& second, const TraceDifference& difference) {
  auto index = [&](int step) { step < 0 ? json.null() : json.value(step); };
  json.begin_object().member("first", first.profile).member("second", second.profile).member("equal", first.value == second.value);
  json.key("first_differ").begin_array();
  if (difference.parts) {
    const TraceRow& row = difference.rows[*difference.parts];
    write_step(json, *step_at(difference.first, row.first));
    write_step(json, *step_at(difference.second, row.second));
  }
  json.end_array().key("pairs").begin_array();
  for (const TraceRow& row : difference.rows) {
    json.begin_array();
    index(row.first);
    index(row.second);
    json.end_array();
  }
  json.end_array().key("choices").begin_array();
  for (const ReadingDifference& reading : difference.readings)
    json.begin_object()
        .member("choice", reading.key)
        .member("first", reading.first)
        .member("second", reading.second)
        .member("alone", reading.alone)
        .end_object();
  json.end_array().end_object();
}

}  // namespace tiebreak::command
