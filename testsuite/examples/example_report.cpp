// SPDX-License-Identifier: Apache-2.0
#include "testsuite/examples/example_report.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include "testsuite/text/text_table.hpp"

namespace tiebreak {
namespace {

bool is_defect(const ExampleAnswer& answer) { return answer.answer == Answer::differs || answer.answer == Answer::ill_formed; }
bool is_stale(const ExampleAnswer& answer) { return answer.answer == Answer::holds && !answer.known.empty(); }

/// The answer with what a reader should know beside it.
std::string answer_word(const ExampleAnswer& answer) {
  std::string word = to_word(answer.answer);
  if (answer.answer == Answer::holds && answer.as_printed > 0) word += " as printed";
  if (is_defect(answer) && !answer.known.empty()) word += " (known)";
  if (is_stale(answer)) word += " (stale)";
  return word;
}

std::string reason_with_notes(const ExampleAnswer& answer) {
  std::string text = answer.reason;
  if (is_stale(answer)) text = "listed as a known defect: " + answer.known;
  else if (!answer.known.empty()) text += " (known: " + answer.known + ")";
  for (const std::string& note : answer.notes) text += (text.empty() ? "" : "; ") + ("note: " + note);
  return text;
}

Colour colour_of(const ExampleAnswer& answer) {
  if (is_stale(answer) || (is_defect(answer) && !answer.known.empty())) return Colour::yellow;
  if (is_defect(answer)) return Colour::red;
  return answer.answer == Answer::holds ? Colour::green : Colour::dim;
}

/// Text for one cell of a table.
std::string table_cell(std::string text) {
  for (std::size_t at = text.find_first_of("|\n"); at != std::string::npos; at = text.find_first_of("|\n", at)) {
    text.replace(at, 1, text[at] == '|' ? "\\|" : " ");
    at += 2;
  }
  return text;
}

std::string file_name(const ExampleAnswer& answer) { return std::filesystem::path(answer.file).filename().string(); }

std::string table_code(const std::string& text) { return text.empty() ? "" : "`" + table_cell(text) + "`"; }

}  // namespace

std::string answers_text(const std::vector<ExampleAnswer>& answers, bool colour, bool quiet) {
  TextTable table({"place", "heading", "op", "answer"});
  std::vector<const ExampleAnswer*> shown;
  for (const ExampleAnswer& answer : answers) {
    if (quiet && !is_stale(answer) && !(is_defect(answer) && answer.known.empty())) continue;
    shown.push_back(&answer);
    table.add({answer.file + ":" + std::to_string(answer.line), heading_of(answer.headings), answer.op.empty() ? "-" : answer.op, answer_word(answer)});
  }
  // Colour and the reason come behind the columns: neither has a width.
  std::string aligned = shown.empty() ? "" : table.text("", false), text;
  for (std::size_t i = 0, start = 0; i < shown.size(); ++i) {
    const std::size_t end = aligned.find('\n', start);
    const std::string line = aligned.substr(start, end - start), word = answer_word(*shown[i]), reason = reason_with_notes(*shown[i]);
    text += line.substr(0, line.size() - word.size()) + coloured(word, colour_of(*shown[i]), colour) + (reason.empty() ? "" : "  " + reason) + "\n";
    start = end + 1;
  }
  return text;
}

std::string answers_summary(const std::vector<ExampleAnswer>& answers) {
  std::map<Answer, std::size_t> counts, known;
  std::map<std::string, std::size_t> causes;
  std::size_t executed = 0, printed = 0, stale = 0;
  for (const ExampleAnswer& answer : answers) {
    ++counts[answer.answer];
    executed += answer.executed ? 1 : 0;
    printed += answer.answer == Answer::holds && answer.as_printed > 0 ? 1 : 0;
    stale += is_stale(answer) ? 1 : 0;
    if (is_defect(answer) && !answer.known.empty()) ++known[answer.answer];
    if (answer.answer == Answer::not_checkable) ++causes[answer.cause];
  }
  std::string reasons;
  for (const auto& [cause, count] : causes) reasons += (reasons.empty() ? "" : ", ") + cause + " " + std::to_string(count);
  TextTable table({"answer", "examples", "of these"}, {false, true, false});
  for (Answer answer : {Answer::holds, Answer::differs, Answer::ill_formed, Answer::not_checkable}) {
    std::string detail = answer == Answer::not_checkable ? reasons : "";
    if (answer == Answer::holds && printed > 0) detail = std::to_string(printed) + " as printed";
    if (answer == Answer::holds && stale > 0) detail += (detail.empty() ? "" : ", ") + std::to_string(stale) + " listed as defects";
    if (known[answer] > 0) detail = std::to_string(known[answer]) + " known";
    table.add({to_word(answer), std::to_string(counts[answer]), detail});
  }
  return table.text("  ", false) + "  " + counted(answers.size(), "example") + ", " + std::to_string(executed) + " executed\n";
}

void write_answer(JsonWriter& json, const ExampleAnswer& answer) {
  json.begin_object().member("id", answer.id).member("line", answer.line).member("headings", answer.headings).member("op", answer.op);
  json.member("answer", to_word(answer.answer)).member("as_printed", std::uint64_t{answer.as_printed});
  if (!answer.reason.empty()) json.member("reason", answer.reason);
  if (!answer.cause.empty()) json.member("cause", answer.cause);
  json.member("executed", answer.executed).member("statements", std::uint64_t{answer.statements});
  json.key("differences").begin_array();
  for (const DocumentedDifference& each : answer.differences) {
    json.begin_object().member("output", each.output).member("index", each.index).member("documented", each.documented);
    json.member("computed", each.computed);
    if (!each.exact.empty()) json.member("exact", each.exact);
    if (!each.distance.empty()) json.member("distance", each.distance).member("unit", each.unit);
    json.member("different", each.count).member("condition", each.condition).member("where", each.where).end_object();
  }
  json.end_array().member("notes", answer.notes);
  if (!answer.known.empty()) json.member("known", answer.known);
  json.end_object();
}

std::string defects_markdown(const std::vector<ExampleAnswer>& answers) {
  std::string text = "| Example | Place | Printed | Computed | Exactly | Why |\n|---|---|---|---|---|---|\n", notes;
  auto name = [](const ExampleAnswer& answer) { return table_cell(answer.op.empty() ? heading_of(answer.headings) : answer.op); };
  auto place = [](const ExampleAnswer& answer) { return file_name(answer) + ":" + std::to_string(answer.line); };
  auto row = [&](const ExampleAnswer& answer, const std::string& printed, const std::string& computed, const std::string& exact) {
    text += "| " + name(answer) + " | " + place(answer) + " | " + printed + " | " + computed + " | " + exact + " | " + table_cell(answer.known) + " |\n";
  };
  for (const ExampleAnswer& answer : answers) {
    for (const std::string& note : answer.notes) notes += "- " + name(answer) + ", " + place(answer) + ": " + note + "\n";
    if (!is_defect(answer)) continue;
    if (answer.differences.empty()) row(answer, to_word(answer.answer), table_cell(answer.reason), "");
    for (const DocumentedDifference& each : answer.differences) {
      row(answer, table_code(each.output + each.index + " = " + each.documented), table_code(each.computed), table_code(each.exact));
    }
  }
  return notes.empty() ? text : text + "\nRead with a guess, or in part:\n\n" + notes;
}

}  // namespace tiebreak
