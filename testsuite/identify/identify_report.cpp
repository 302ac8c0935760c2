// SPDX-License-Identifier: Apache-2.0
// The answer for people and as tiebreak.identify/1.
#include "testsuite/identify/identify.hpp"

#include <algorithm>

#include "interpreter/json/json_writer.hpp"
#include "testsuite/text/text_parts.hpp"
#include "testsuite/text/text_table.hpp"

namespace tiebreak {
namespace {

std::string value_or_empty(const std::map<std::string, std::string>& map, const std::string& key) {
  auto found = map.find(key);
  return found == map.end() ? "" : found->second;
}

std::string identification_header(const Identification& found) {
  std::string line = "tiebreak " + value_or_empty(found.context, "tool_version") + "  spec " + value_or_empty(found.context, "spec_hash").substr(0, 8);
  if (std::string backend = value_or_empty(found.context, "backend"); !backend.empty()) {
    line += "  backend " + backend + " " + value_or_empty(found.context, "backend_version");
    if (std::string isa = value_or_empty(found.context, "backend_isa"); !isa.empty()) line += " (" + isa + ")";
    if (std::string recorded = value_or_empty(found.context, "backend_recorded"); !recorded.empty()) line += ", recorded " + recorded;
  }
  line += "  op " + found.op + (found.part.empty() ? "" : "  " + found.part) + (found.types.empty() ? "" : "  " + found.types) + "\n";
  return line + "  " + counted(found.candidates, "candidate") + " (" + counted(found.silent.size(), "profile") + " without a choice of this op left out), " +
         counted(found.answers, "answer") + "\n";
}

/// The first two of many.
std::string some_names(const std::vector<std::string>& names) {
  if (names.size() <= 3) return joined_words(names, ", ");
  return names[0] + ", " + names[1] + " and " + std::to_string(names.size() - 2) + " more";
}

std::string verdict_line(const Identification& found, bool colour) {
  std::string all = "explains all " + counted(found.answers, "answer");
  switch (found.verdict) {
    case Identification::Verdict::identified: return coloured(answer_name(found), Colour::green, colour) + "  " + all;
    case Identification::Verdict::several:
      return coloured("several", Colour::yellow, colour) + ": " + found.explaining[0].name + " " + all + ", and so do others";
    case Identification::Verdict::combination:
      return coloured("none of the profiles", Colour::red, colour) + "; a new point does: " + found.explaining[0].name + "  " + all;
    case Identification::Verdict::none: return coloured("none", Colour::red, colour);
    case Identification::Verdict::inconclusive:
      return coloured("inconclusive", Colour::yellow, colour) + (found.incomplete ? ": " + counted(found.answers, "answer") + " so far" : ": no answers");
  }
  return "";
}

std::string explaining_text(const Identification& found) {
  std::string text;
  for (std::size_t i = 0; i < found.explaining.size(); ++i) {
    const Explanation& one = found.explaining[i];
    if (i == 0 && one.members.size() > 1) text += "    the same choices: " + joined_words(one.members, ", ") + "\n";
    std::string open = one.undefined > 0 ? counted(one.undefined, "answer") + " left undefined" : "";
    if (i > 0) text += "    also " + joined_words(one.members, ", ") + ": " + one.relation + (open.empty() ? "" : "; " + open) + "\n";
    else if (!open.empty()) text += "    " + open + "\n";
  }
  return text;
}

std::string choices_text(const Identification& found) {
  TextTable table({"", "", ""});
  std::string idle;
  for (const ChoiceFinding& choice : found.choices) {
    if (choice.state == ChoiceFinding::State::idle) idle += (idle.empty() ? "" : ", ") + choice.name;
    else if (choice.state == ChoiceFinding::State::decided) table.add({choice.name, choice.alternative, "decided"});
    else table.add({choice.name, choice.alternative, "not told from " + joined_words(choice.possible, ", ")});
  }
  std::string text = table.empty() ? "" : "  choices\n" + table.text("    ", false);
  return text + (idle.empty() ? "" : "    without effect on the answers: " + idle + "\n");
}

std::string confirmation_text(const Confirmation& confirmation) {
  std::string text = "confirm  " + counted(confirmation.answered, "further element") + ", seeds from " + std::to_string(confirmation.seed) + ": " +
                     std::to_string(confirmation.different) + " differ";
  if (confirmation.undefined > 0) text += ", " + std::to_string(confirmation.undefined) + " left undefined";
  if (confirmation.answered < confirmation.asked) text += ", " + std::to_string(confirmation.asked - confirmation.answered) + " not answered";
  text += "\n";
  if (!confirmation.refusal.empty()) text += "    " + confirmation.refusal + "\n";
  return text + (confirmation.first ? "    first: " + witness_text(*confirmation.first) + "\n" : "");
}

}  // namespace

const char* to_word(Identification::Verdict verdict) {
  switch (verdict) {
    case Identification::Verdict::identified: return "identified";
    case Identification::Verdict::several: return "several";
    case Identification::Verdict::combination: return "combination";
    case Identification::Verdict::none: return "none";
    case Identification::Verdict::inconclusive: return "inconclusive";
  }
  return "inconclusive";
}

int Identification::exit_code() const {
  if (verdict == Identification::Verdict::inconclusive || verdict == Identification::Verdict::several) return 5;
  if (verdict == Identification::Verdict::none || verdict == Identification::Verdict::combination) return 1;
  if (confirmation && confirmation->different > 0) return 1;
  return confirmation && confirmation->answered == confirmation->undefined ? 5 : 0;  // what is left undefined confirms nothing
}

void name_backend(Identification& identification, const Library& library, const BackendDescription& description) {
  identification.context = {
      {"backend", description.name}, {"backend_version", description.version}, {"spec_hash", library.hash()}, {"tool_version", TIEBREAK_VERSION}};
  for (const auto& [name, value] : description.details) identification.context["backend_" + name] = value;
  if (!description.profile.empty()) identification.context["declared_profile"] = description.profile;
}

std::string witness_text(const Witness& witness) {
  return witness.inputs + (witness.inputs.empty() ? "" : "  ") + "predicted " + witness.predicted + ", answered " + witness.answered;
}

std::string answer_name(const Identification& found) {
  if (found.explaining.empty()) return "";
  std::string declared = value_or_empty(found.context, "declared_profile");
  const Explanation& best = found.explaining[0];
  return std::ranges::find(best.members, declared) == best.members.end() ? best.name : declared;
}

std::string identification_text(const Identification& found, bool colour) {
  std::string text = identification_header(found) + "verdict  " + verdict_line(found, colour) + "\n" + explaining_text(found);
  for (const std::string& input : found.deciding) text += "    would decide: " + input + "\n";
  text += choices_text(found);
  if (found.verdict == Identification::Verdict::none && !found.rejected.empty()) {
    const Rejection& best = found.rejected.front();
    text += "  best: " + best.name + " explains " + std::to_string(best.explained) + " of " + std::to_string(found.answers) + ", first counterexample\n    " +
            witness_text(best.witness) + "\n";
  }
  if (!found.searched.empty()) text += "  searched: " + found.searched + "\n";
  if (!found.rejected.empty()) text += "  rejected, with one witness each\n";
  TextTable table({"profile", "explains", "witness"}, {false, true, false});
  for (const Rejection& one : found.rejected)
    table.add({some_names(one.members), std::to_string(one.explained) + " of " + std::to_string(found.answers), witness_text(one.witness)});
  if (!table.empty()) text += table.text("    ");
  for (const std::string& refusal : found.refusals) text += "  " + refusal + "\n";
  for (const std::string& note : found.notes) text += "  note: " + note + "\n";
  if (found.confirmation) text += confirmation_text(*found.confirmation);
  if (found.incomplete) text += "incomplete: interrupted; questions, choices or further elements are missing\n";
  return text;
}

namespace {

void write_answered_witness(JsonWriter& json, const Witness& witness) {
  json.begin_object().member("inputs", witness.inputs).member("predicted", witness.predicted).member("answered", witness.answered).end_object();
}

void write_choices(JsonWriter& json, const Identification& found) {
  json.key("choices").begin_array();
  for (const ChoiceFinding& choice : found.choices) {
    const char* state = choice.state == ChoiceFinding::State::decided ? "decided" : choice.state == ChoiceFinding::State::open ? "open" : "idle";
    json.begin_object().member("choice", choice.name).member("alternative", choice.alternative).member("state", state);
    json.member("also_possible", choice.possible).end_object();
  }
  json.end_array();
}

void write_confirmation(JsonWriter& json, const Confirmation& confirmation) {
  json.key("confirmation").begin_object().member("seed", confirmation.seed).member("asked", confirmation.asked);
  json.member("answered", confirmation.answered).member("different", confirmation.different).member("undefined", confirmation.undefined);
  if (!confirmation.refusal.empty()) json.member("refusal", confirmation.refusal);
  if (confirmation.first) write_answered_witness(json.key("first"), *confirmation.first);
  json.end_object();
}

}  // namespace

std::string identification_json(const Identification& found) {
  JsonWriter json;
  json.begin_object().member("schema", "tiebreak.identify/1").member("context", found.context).member("op", found.op).member("types", found.types);
  if (!found.part.empty()) json.member("part", found.part);
  if (found.incomplete) json.member("incomplete", true);
  json.member("verdict", to_word(found.verdict)).member("candidates", std::uint64_t{found.candidates}).member("silent", found.silent);
  json.member("answers", std::uint64_t{found.answers});
  json.key("explaining").begin_array();
  for (const Explanation& one : found.explaining) {
    json.begin_object().member("name", one.name).member("members", one.members).member("undefined", std::uint64_t{one.undefined});
    if (!one.relation.empty()) json.member("relation", one.relation);
    json.end_object();
  }
  json.end_array();
  write_choices(json, found);
  json.key("rejected").begin_array();
  for (const Rejection& one : found.rejected) {
    json.begin_object().member("name", one.name).member("members", one.members).member("explained", std::uint64_t{one.explained}).key("witness");
    write_answered_witness(json, one.witness);
    json.end_object();
  }
  json.end_array().member("searched", found.searched).member("would_decide", found.deciding);
  json.key("asked").begin_array();
  for (const Witness& one : found.asked) write_answered_witness(json, one);
  json.end_array().member("refusals", found.refusals).member("notes", found.notes);
  if (found.confirmation) write_confirmation(json, *found.confirmation);
  json.end_object();
  return json.text();
}

}  // namespace tiebreak
