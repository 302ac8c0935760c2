// SPDX-License-Identifier: Apache-2.0
// What was rewritten, as text and JSON.
#include <fmt/format.h>

#include "interpreter/json/json_writer.hpp"
#include "testsuite/rewrite/rewrite_program.hpp"
#include "testsuite/text/text_parts.hpp"
#include "testsuite/text/text_table.hpp"

namespace tiebreak {
namespace {

std::string values_text(const RuleValues& values) {
  std::vector<std::string> words;
  for (const auto& [name, text] : values) words.push_back(name + "=" + text);
  return joined_words(words, " ");
}

/// What is known of it: judged with its own parameters, else what its page says of the page's.
std::string verdict_of(const MadeRewrite& one) {
  if (!one.judged) return fmt::format("{} on its page", one.stated);
  std::vector<std::string> notes;
  if (one.judged->verdict == RuleVerdict::holds) notes = one.judged->ways;
  if (one.judged_by.own_shapes) notes.emplace_back("with the shapes of its page");
  const std::string verdict = to_word(one.judged->verdict);
  return notes.empty() ? verdict : fmt::format("{} ({})", verdict, joined_words(notes, ", "));
}

}  // namespace

std::string rewrite_text(const RewriteReport& report) {
  std::string text;
  for (const MadeRewrite& one : report.made) {
    const std::string values = values_text(one.values);
    text += fmt::format("{} at {}, {}{}{}: {}\n", one.rule, one.where, one.value, values.empty() ? "" : ", ", values, verdict_of(one));
    if (one.judged && one.judged->witness) text += "  " + witness_text(*one.judged) + "\n";
  }
  for (const RefusedRewrite& one : report.refused) text += fmt::format("{} at {}, {}: not applied: {}\n", one.rule, one.where, one.value, one.why);
  for (const auto& [rule, why] : report.unusable) text += fmt::format("{}: not applicable: {}\n", rule, why);
  return text + fmt::format("{}: {}, {} tried\n", report.name, counted(report.made.size(), "rewrite"), counted(report.rules, "rule"));
}

std::string rewrite_json(const RewriteReport& report) {
  JsonWriter json;
  json.begin_object().member("schema", "tiebreak.rewrite/1").member("program", report.name).member("rules", report.rules).key("made").begin_array();
  for (const MadeRewrite& one : report.made) {
    json.begin_object().member("rule", one.rule).member("file", one.file).member("where", one.where).member("value", one.value);
    json.key("parameters").begin_object();
    for (const auto& [name, value] : one.values) json.member(name, value);
    json.end_object().member("stated", one.stated);
    if (one.judged) json.member("verdict", to_word(one.judged->verdict)).member("ways", one.judged->ways).member("own_shapes", one.judged_by.own_shapes);
    if (one.judged && one.judged->witness) json.member("witness", witness_text(*one.judged));
    json.end_object();
  }
  json.end_array().key("refused").begin_array();
  for (const RefusedRewrite& one : report.refused)
    json.begin_object().member("rule", one.rule).member("where", one.where).member("value", one.value).member("why", one.why).end_object();
  json.end_array().key("unusable").begin_array();
  for (const auto& [rule, why] : report.unusable) json.begin_object().member("rule", rule).member("why", why).end_object();
  json.end_array().member("rewritten", print_mlir(report.program)).end_object();
  return json.text();
}

}  // namespace tiebreak
