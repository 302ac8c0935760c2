// SPDX-License-Identifier: Apache-2.0
#include "testsuite/identify/identify_log.hpp"

#include <algorithm>

#include "testsuite/candidates/likelihood.hpp"
#include "testsuite/candidates/reading_within.hpp"
#include "testsuite/identify/log_comparison.hpp"

namespace tiebreak {
namespace {

/// Element types of a logged call, as `--types` states them.
std::map<std::string, std::string> types_of(const ObservedLog& log) {
  const Case& test = log.cases.front().test;
  std::map<std::string, std::string> types;
  for (std::size_t i = 0; i < test.inputs.size(); ++i)
    types[test.program.values[static_cast<std::size_t>(test.program.inputs[i])].name] = test.inputs[i].element().name();
  for (const LoggedPart& part : log.parts)
    for (const Observation& observation : part.evidence.observations())
      for (const ResultTensor& answer : observation.answers) types[answer.name] = answer.tensor.element().name();
  for (const auto& [name, attribute] : test.program.operations.front().attributes)
    if (const auto* type = std::get_if<ElementType>(&attribute.value)) types[name] = type->name();
  return types;
}

Result<Questions> questions_of(const Library& library, const ObservedLog& log) {
  Questions questions;
  questions.ops = log.ops;
  std::vector<Profile> readings;
  ProfileCandidates found;
  if (log.ops.size() == 1) {
    if (!log.within.empty() && !uses_step(library, log.within, log.ops[0]))
      return fail(Errc::usage, log.within + " does not use " + log.ops[0], "within", "the op whose " + log.ops[0] + " was logged");
    readings = readings_of_step(library, log.ops[0], log.within);
    std::vector<const Profile*> profiles;
    for (const Profile& reading : readings) profiles.push_back(&reading);
    found = candidates_among(library, log.ops, profiles);
  } else {
    found = profile_candidates(library, log.ops);
  }
  questions.candidates = std::move(found.candidates);
  questions.silent = std::move(found.silent);
  if (log.ops.size() != 1) return questions;
  // A log speaks for itself; only further questions need the roles.
  if (Result<OpRoles> roles = roles_of(library, log.ops[0], types_of(log))) {
    Result<std::vector<ProbeSet>> pool = probe_pool(library, *roles);
    if (!pool && pool.error().code == Errc::internal) return tl::unexpected<Error>(pool.error());
    questions.roles = *roles;
    if (pool) questions.pool = *std::move(pool);
  }
  return questions;
}

/// At the log's parameters first; what these do not tell apart is looked at over the pool, at others.
Result<Relations> relations_at(const Library& library, const ObservedLog& log, const std::vector<ProbeSet>& pool, const std::vector<Candidate>& explaining) {
  OwnRelations own = compare_at_own_parameters(library, log, explaining);
  Relations relations;
  relations.texts = std::move(own.texts);
  relations.deciding = std::move(own.deciding);
  relations.certain.assign(explaining.size(), false);
  std::vector<Candidate> together{explaining.front()};
  std::vector<std::size_t> places{0};
  for (std::size_t i = 1; i < explaining.size(); ++i) {
    relations.certain[i] = own.stands[i] == OwnStand::apart || (pool.empty() && own.stands[i] != OwnStand::equal);
    if (own.stands[i] == OwnStand::apart) continue;
    together.push_back(explaining[i]);
    places.push_back(i);
  }
  if (pool.empty() || together.size() < 2) return relations;
  TIEBREAK_TRY(elsewhere, relations_to_first(library, together, pool));
  for (std::size_t k = 1; k < places.size(); ++k) {
    relations.certain[places[k]] = elsewhere.certain[k];
    relations.texts[places[k]] += elsewhere.certain[k] ? "; other parameters would tell" : "; " + elsewhere.texts[k];
  }
  const bool some_apart = std::ranges::find(elsewhere.certain, true) != elsewhere.certain.end();
  for (const std::string& question : some_apart ? elsewhere.deciding : std::vector<std::string>())
    relations.deciding.push_back(question + " (other parameters)");
  return relations;
}

std::function<bool(const Candidate&)> explaining(const LoggedPart& part) {
  return [evidence = part.evidence](const Candidate& candidate) mutable { return evidence.explains(candidate.profile); };
}

Result<Identification> identify_part(const Library& library, const ObservedLog& log, const LoggedPart& part, const Questions& made,
                                     const IdentifyOptions& options) {
  Questions questions = made;
  LikelihoodQuestion question{log.ops, log.system, {}, {}};
  for (const LoggedPart& other : log.parts) {
    if (&other == &part) continue;
    std::set<std::string> systems = explaining_systems(library, made.candidates, explaining(other));
    if (question.elsewhere) std::erase_if(*question.elsewhere, [&](const std::string& system) { return !systems.contains(system); });
    else question.elsewhere = std::move(systems);
  }
  question.explains = explaining(part);
  questions.candidates = likeliest_first(library, std::move(questions.candidates), question);
  questions.relate = [&](const std::vector<Candidate>& explaining) { return relations_at(library, log, questions.pool, explaining); };
  TIEBREAK_TRY(found, identify_observed(library, part.evidence, options, questions));
  found.part = part.name;
  return found;
}

}  // namespace

int LogIdentification::exit_code() const {
  int worst = 0;
  for (const Identification& part : parts)
    if (const int code = part.exit_code(); code == 1 || worst == 0) worst = code;
  return worst;
}

Result<LogIdentification> identify_log(const Library& library, const ObservedLog& log, const IdentifyOptions& options) {
  IdentifyOptions settings = options;
  settings.op = log.op_text();
  TIEBREAK_TRY(questions, questions_of(library, log));
  LogIdentification found;
  for (const LoggedPart& part : log.parts) {
    Result<Identification> one = identify_part(library, log, part, questions, settings);
    if (!one && !found.parts.empty() && options.interrupted && options.interrupted()) break;  // the parts before are known
    if (!one) return tl::unexpected<Error>(one.error());
    found.parts.push_back(*std::move(one));
  }
  return found;
}

std::string log_text(const LogIdentification& identification, bool colour) {
  std::string text;
  for (const Identification& part : identification.parts) text += (text.empty() ? "" : "\n") + identification_text(part, colour);
  return text;
}

std::string log_json(const LogIdentification& identification) {
  if (identification.parts.size() == 1) return identification_json(identification.parts.front());
  std::string text = "{\"schema\": \"tiebreak.identify/1\", \"parts\": [\n";
  for (std::size_t i = 0; i < identification.parts.size(); ++i) text += (i == 0 ? "" : ",\n") + identification_json(identification.parts[i]);
  return text + "]}\n";
}

}  // namespace tiebreak
