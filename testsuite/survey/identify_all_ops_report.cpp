// SPDX-License-Identifier: Apache-2.0
// A survey as text, JSON and Markdown.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/json/json_writer.hpp"
#include "testsuite/survey/identify_all_ops.hpp"
#include "testsuite/text/markup.hpp"
#include "testsuite/text/text_table.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

std::string answer_of(const SurveyRow& row) {
  if (row.state == SurveyRow::State::unanswered) return "no answer";
  if (row.state == SurveyRow::State::unasked) return "not asked";
  return row.answer;
}

std::vector<const SurveyRow*> rows_of_backend(const Survey& survey, std::size_t place, bool with_unasked) {
  std::vector<const SurveyRow*> rows;
  for (const SurveyRow& row : survey.rows)
    if (row.backend == place && (with_unasked || row.state < SurveyRow::State::unanswered)) rows.push_back(&row);
  return rows;
}

std::string further_of(const SurveyRow& row) { return row.further == 0 ? "" : std::to_string(row.different) + " of " + std::to_string(row.further); }

std::string markdown_of_survey(const Survey& survey, std::size_t place) {
  const SurveyedBackend& one = survey.backends[place];
  std::string text = "\n## " + one.name + "\n\n";
  if (one.backend == nullptr) return text + "Not asked: " + markdown_cell(one.trouble) + "\n";
  text += markdown_heading_of(one) + "\n";
  std::vector<const SurveyRow*> rows = rows_of_backend(survey, place, false);
  if (!rows.empty()) text += "\n| Op | Types | Follows | Answers | Further: differ | Beside it | First counterexample |\n|---|---|---|---|---|---|---|\n";
  for (const SurveyRow* row : rows) {
    std::string mark = row->state == SurveyRow::State::declared ? "" : "**";
    text += "| " + row->op + " | " + row->types + " | " + mark + markdown_cell(row->answer) + mark + " | " + std::to_string(row->answers) + " | " +
            further_of(*row) + " | " + markdown_cell(row->note) + " | " + code_cell(row->counterexample) + " |\n";
  }
  for (SurveyRow::State state : {SurveyRow::State::unanswered, SurveyRow::State::unasked}) {
    std::string names;
    for (const SurveyRow* row : rows_of_backend(survey, place, true))
      if (row->state == state)
        names += (names.empty() ? "" : ", ") + row->op + (state == SurveyRow::State::unanswered ? " (" + markdown_cell(shortened(row->note, 120)) + ")" : "");
    if (!names.empty()) text += (state == SurveyRow::State::unanswered ? "\nNo answer: " : "\nNeither questions nor cases: ") + names + ".\n";
  }
  return text;
}

void write_row(JsonWriter& json, const SurveyRow& row) {
  json.begin_object().member("op", row.op).member("types", row.types).member("state", to_word(row.state)).member("answer", row.answer);
  json.member("answers", std::uint64_t{row.answers}).member("further", row.further).member("different", row.different);
  json.member("note", row.note).member("counterexample", row.counterexample).member("seconds", decimal_text(row.seconds, 3)).end_object();
}

}  // namespace

std::string survey_text(const Survey& survey) {
  std::string text;
  for (std::size_t place = 0; place < survey.backends.size(); ++place) {
    const SurveyedBackend& one = survey.backends[place];
    if (one.backend == nullptr) {
      text += one.name + "  not asked: " + one.trouble + "\n";
      continue;
    }
    text += heading_of(one) + "\n";
    TextTable table({"op", "types", "follows", "answers", "further", "s", ""}, {false, false, false, true, true, true, false});
    for (const SurveyRow* row : rows_of_backend(survey, place, true)) {
      std::string beside = row->counterexample.empty() ? row->note : row->counterexample + (row->note.empty() ? "" : "; " + row->note);
      table.add({row->op, row->types, answer_of(*row), std::to_string(row->answers), further_of(*row),
                 row->seconds > 0 ? fmt::format("{:.1f}", row->seconds) : "", shortened(beside, 200)});
    }
    if (!table.empty()) text += table.text("  ");
  }
  std::map<SurveyRow::State, std::size_t> counts;
  for (const SurveyRow& row : survey.rows) ++counts[row.state];
  text += counted(survey.rows.size(), "row") + ":";
  for (const auto& [state, count] : counts) text += " " + std::to_string(count) + " " + to_word(state);
  return text + (survey.incomplete ? ", interrupted" : "") + "\n";
}

std::string survey_line(const SurveyedBackend& backend, const SurveyRow& row) {
  std::string text = backend.name + "  " + row.op + (row.types.empty() ? "" : " " + row.types) + ": " + answer_of(row);
  return row.seconds > 0 ? text + fmt::format(", {:.1f} s", row.seconds) : text;
}

std::string survey_json(const Survey& survey) {
  JsonWriter json;
  json.begin_object().member("schema", "tiebreak.survey/1").member("context", survey.context).member("incomplete", survey.incomplete);
  json.key("backends").begin_array();
  for (std::size_t place = 0; place < survey.backends.size(); ++place) {
    const SurveyedBackend& one = survey.backends[place];
    json.begin_object().member("name", one.name).member("version", one.description.version).member("declared", one.description.profile);
    json.member("details", one.description.details).member("trouble", one.trouble);
    json.key("ops").begin_array();
    for (const SurveyRow* row : rows_of_backend(survey, place, true)) write_row(json, *row);
    json.end_array().end_object();
  }
  json.end_array().end_object();
  return json.text();
}

std::string survey_markdown(const Survey& survey) {
  auto context = [&](const std::string& name) {
    auto found = survey.context.find(name);
    return found == survey.context.end() ? std::string() : found->second;
  };
  std::string text =
      "# Identified\n\nWhich arithmetic each backend follows, op by op, as it answered. Made by\n\n    " + context("command") +
      "\n\n*Follows* is the profile that explains every answer: the declared one, unless it is in bold. *Answers* are those to the questions that split all "
      "known semantics\n"
      "(docs/identify.md); of ops without such questions those to the cases that there are. *Further* are elements beyond them, most at ties or beside\n"
      "them, and how many of them the profile does not explain. Types that a backend refuses are left out.\n";
  for (std::size_t place = 0; place < survey.backends.size(); ++place) text += markdown_of_survey(survey, place);
  return text;
}

}  // namespace tiebreak
