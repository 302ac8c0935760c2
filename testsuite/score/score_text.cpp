// SPDX-License-Identifier: Apache-2.0
// The score for people and for programs.
#include "testsuite/score/score.hpp"
#include "testsuite/text/json_writer.hpp"
#include "testsuite/text/text_table.hpp"

namespace tiebreak {
namespace {

/// Killed of those that could be: what is proved equal does not count.
std::string percent(std::size_t killed, std::size_t surviving) {
  if (killed + surviving == 0) return "-";
  const std::size_t tenths = killed * 1000 / (killed + surviving);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " %";
}

std::string table(const ScoreReport& report) {
  TextTable rows({"op", "inputs", "outputs", "cases", "mutants", "killed", "equivalent", "surviving", "score"},
                 {false, false, false, true, true, true, true, true, true});
  for (const ScoreCell& cell : report.cells) {
    const std::size_t killed = cell.count(MutantState::killed), surviving = cell.count(MutantState::surviving);
    rows.add({cell.op, cell.inputs, cell.outputs, std::to_string(cell.cases), std::to_string(cell.mutants.size()), std::to_string(killed),
              std::to_string(cell.count(MutantState::equivalent)), std::to_string(surviving), percent(killed, surviving)});
  }
  return rows.text("");
}

std::string survivor(const ScoredMutant& mutant) {
  std::string text = "  " + mutant.place + "  " + mutant.rule + ": " + mutant.before + "  ->  " + mutant.after + "\n";
  if (!mutant.witness.empty()) text += "      would kill it: " + mutant.witness + "\n";
  if (!mutant.unproved.empty()) text += "      no proof: " + mutant.unproved + "\n";
  return text;
}

std::string survivors(const ScoreReport& report) {
  std::string text;
  for (const ScoreCell& cell : report.cells) {
    if (cell.count(MutantState::surviving) == 0) continue;
    text += "\n" + cell.op + "  (" + cell.inputs + ") -> " + cell.outputs + ": " + counted(cell.count(MutantState::surviving), "survivor") + "\n";
    for (const ScoredMutant& mutant : cell.mutants)
      if (mutant.state == MutantState::surviving) text += survivor(mutant);
  }
  return text;
}

std::string notes(const ScoreReport& report) {
  std::string text;
  for (const auto& [op, mutants] : report.not_reached)
    text += op + ": " + std::to_string(mutants.size()) + " of " + counted(report.mutants_of_op.at(op), "mutant") + " in what none of these cases reaches\n";
  for (const auto& [op, mutants] : report.ill_formed)
    text += op + ": " + std::to_string(mutants.size()) + " of " + counted(report.mutants_of_op.at(op), "mutant") + " fit no legal call of these types\n";
  for (const auto& [reason, count] : report.left_out) text += counted(count, "case") + " without a score: " + reason + "\n";
  return text.empty() ? "" : "\n" + text;
}

void mutant_json(JsonWriter& json, const ScoredMutant& mutant) {
  json.begin_object().member("rule", mutant.rule).member("place", mutant.place).member("before", mutant.before).member("after", mutant.after);
  json.member("state", to_word(mutant.state));
  if (!mutant.killed_by.empty()) json.member("killed_by", mutant.killed_by);
  if (!mutant.proof.empty()) json.member("proof", mutant.proof);
  if (!mutant.witness.empty()) json.member("witness", mutant.witness);
  if (!mutant.unproved.empty()) json.member("unproved", mutant.unproved);
  json.end_object();
}

void counts_json(JsonWriter& json, std::size_t killed, std::size_t equivalent, std::size_t surviving) {
  json.member("killed", std::uint64_t{killed}).member("equivalent", std::uint64_t{equivalent}).member("surviving", std::uint64_t{surviving});
}

void uncounted_json(JsonWriter& json, const char* key, const std::map<std::string, std::vector<ScoredMutant>>& by_op) {
  json.key(key).begin_array();
  for (const auto& [op, mutants] : by_op) {
    json.begin_object().member("op", op).key("mutants").begin_array();
    for (const ScoredMutant& mutant : mutants) mutant_json(json, mutant);
    json.end_array().end_object();
  }
  json.end_array();
}

}  // namespace

std::string score_text(const ScoreReport& report, bool only_survivors) {
  std::string text = only_survivors ? "" : table(report);
  text += survivors(report);
  const std::size_t killed = report.count(MutantState::killed), surviving = report.count(MutantState::surviving);
  if (!only_survivors) text += notes(report);
  text += "\n" + std::to_string(killed) + " killed, " + std::to_string(surviving) + " surviving, " + std::to_string(report.count(MutantState::equivalent)) +
          " proved equivalent: score " + percent(killed, surviving) + (report.incomplete ? " (interrupted)" : "") + "\n";
  return text;
}

std::string score_json(const ScoreReport& report) {
  JsonWriter json;
  json.begin_object().member("schema", "tiebreak.score/1").member("context", report.context);
  counts_json(json, report.count(MutantState::killed), report.count(MutantState::equivalent), report.count(MutantState::surviving));
  json.key("cells").begin_array();
  for (const ScoreCell& cell : report.cells) {
    json.begin_object().member("op", cell.op).member("inputs", cell.inputs).member("outputs", cell.outputs);
    json.member("cases", std::uint64_t{cell.cases});
    counts_json(json, cell.count(MutantState::killed), cell.count(MutantState::equivalent), cell.count(MutantState::surviving));
    json.member("ill_formed", std::uint64_t{cell.ill_formed}).member("not_reached", std::uint64_t{cell.not_reached});
    json.key("mutants").begin_array();
    for (const ScoredMutant& mutant : cell.mutants) mutant_json(json, mutant);
    json.end_array().end_object();
  }
  json.end_array();
  uncounted_json(json, "not_reached", report.not_reached);
  uncounted_json(json, "ill_formed", report.ill_formed);
  json.key("left_out").begin_object();
  for (const auto& [reason, count] : report.left_out) json.member(reason, std::uint64_t{count});
  return json.end_object().end_object().text();
}

}  // namespace tiebreak
