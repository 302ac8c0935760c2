// SPDX-License-Identifier: Apache-2.0
#include "testsuite/survey/identify_all_ops.hpp"

#include <algorithm>
#include <chrono>
#include <set>

#include "testsuite/case/default_element_types.hpp"
#include "testsuite/identify/identify_cases.hpp"
#include "testsuite/identify/probe_backend.hpp"
#include "testsuite/sources/selection.hpp"
#include "testsuite/text/text_table.hpp"

namespace tiebreak {
namespace {

constexpr std::size_t fewest_case_elements = 4096;

bool is_of(const std::string& member, const std::string& profile) { return member == profile || member.starts_with(profile + " with "); }
bool has(const std::vector<std::string>& members, const std::string& profile) {
  return std::ranges::any_of(members, [&](const std::string& member) { return is_of(member, profile); });
}

/// What an identification says, against what the backend declares.
void conclude(const Identification& found, const std::string& declared, SurveyRow& row) {
  using Verdict = Identification::Verdict;
  row.answers = found.answers;
  if (found.confirmation) {
    row.further = found.confirmation->answered;
    row.different = found.confirmation->different;
  }
  if (found.verdict == Verdict::inconclusive) {
    row.state = SurveyRow::State::unanswered;
    row.note = found.refusals.empty() ? "no answer" : found.refusals.front();
    return;
  }
  bool is_profile = found.verdict == Verdict::identified || found.verdict == Verdict::several;
  auto own = std::ranges::find_if(found.explaining, [&](const Explanation& one) { return has(one.members, declared); });
  // A profile that binds no choice of the op is no candidate of its own: it takes the op as the reference does.
  auto among = [&](const auto& candidates) { return std::ranges::any_of(candidates, [&](const auto& one) { return has(one.members, declared); }); };
  if (!among(found.explaining) && !among(found.rejected))
    own = std::ranges::find_if(found.explaining, [](const Explanation& one) { return has(one.members, "reference"); });
  bool is_declared = is_profile && (own != found.explaining.end() || declared.empty());
  row.state = !is_profile || row.different > 0 ? SurveyRow::State::unexplained : is_declared ? SurveyRow::State::declared : SurveyRow::State::other;
  if (is_profile) row.answer = is_declared && !declared.empty() ? declared : answer_name(found);
  else if (!found.explaining.empty()) row.answer = "no profile: " + found.explaining.front().name;
  else row.answer = "none";
  if (row.different > 0) row.answer += ", but for " + std::to_string(row.different) + " of " + std::to_string(row.further);
  const Rejection* nearest = found.rejected.empty() ? nullptr : &found.rejected.front();
  for (const Rejection& one : found.rejected)
    if (!declared.empty() && has(one.members, declared)) nearest = &one;
  if (found.confirmation && found.confirmation->first) {
    row.counterexample = witness_text(*found.confirmation->first);
  } else if (row.state != SurveyRow::State::declared && nearest != nullptr) {
    row.counterexample = (has(nearest->members, declared) ? declared : nearest->name) + " explains " + std::to_string(nearest->explained) + " of " +
                         std::to_string(found.answers) + ": " + witness_text(nearest->witness);
  }
  std::size_t undefined = own == found.explaining.end() ? (found.explaining.empty() ? 0 : found.explaining.front().undefined) : own->undefined;
  if (undefined > 0) row.note = counted(undefined, "answer") + " left undefined";
  if (is_profile && found.explaining.size() > 1) {
    std::vector<std::string> others;
    for (const Explanation& one : found.explaining)
      if (!is_of(one.name, row.answer) && !has(one.members, row.answer)) others.push_back(one.name);
    if (others.size() == 1) row.note += (row.note.empty() ? "" : "; ") + ("not told from " + others[0]);
    if (others.size() > 1) row.note += (row.note.empty() ? "" : "; ") + ("not told from " + others[0] + " and " + std::to_string(others.size() - 1) + " more");
  }
}

/// The questions about one op with one set of types, for all backends.
class OpQuestions {
 public:
  OpQuestions(const Library& library, const IdentifyOptions& options) : library_(library), options_(options) {}

  /// Whether the op has these types together, which shows when a call is made of them.
  Result<bool> prepare() {
    Result<OpRoles> roles = roles_of(library_, options_.op, options_.types);
    Result<std::vector<ProbeSet>> pool = roles ? probe_pool(library_, *roles) : tl::unexpected<Error>(roles.error());
    if (!pool && pool.error().code == Errc::internal) return tl::unexpected<Error>(pool.error());
    if (!pool) return false;
    roles_ = *std::move(roles);
    pool_ = *std::move(pool);
    return true;
  }

  /// Asks one question of a few parameter sets: refused types cost no more than that. The reason where nothing is answered.
  Result<std::string> refusal(Backend& backend) const {
    std::vector<Probe> some;
    for (std::size_t i = 0; i < 8 && !pool_.empty(); ++i) some.push_back({i * pool_.size() / 8, 0});
    TIEBREAK_TRY(reference, library_.find_profile("reference"));
    TIEBREAK_TRY(asked, ask(library_, backend, *reference, pool_, some));
    if (!asked.observations.empty()) return std::string();
    return asked.reasons.empty() ? std::string("no answer") : asked.reasons.front();
  }

  Result<const Questions*> all() {
    if (!questions_) {
      TIEBREAK_TRY(made, make_questions(library_, options_));
      questions_ = std::move(made);
    }
    return &*questions_;
  }
  const IdentifyOptions& options() const { return options_; }
  std::string types() const { return roles_ ? short_types(*roles_) : ""; }

 private:
  const Library& library_;
  IdentifyOptions options_;
  std::optional<OpRoles> roles_{};
  std::vector<ProbeSet> pool_{};
  std::optional<Questions> questions_{};
};

class Surveyor {
 public:
  Surveyor(const Library& library, const SurveyOptions& options, Survey& survey) : library_(library), options_(options), survey_(survey) {}

  Status run() {
    std::vector<std::string> ops = ops_to_ask();
    for (std::size_t i = 0; i < ops.size() && !interrupted(); ++i) {
      if (options_.progress) options_.progress(i, ops.size());
      const Status asked = ask_op(ops[i]);
      if (!asked && !interrupted()) return asked;
    }
    survey_.incomplete = interrupted();
    std::ranges::stable_sort(survey_.rows, {}, [](const SurveyRow& row) { return std::pair(row.backend, row.op); });
    return {};
  }

 private:
  bool interrupted() const { return options_.each.interrupted && options_.each.interrupted(); }
  bool asks(const SurveyedBackend& one, const std::string& op) const {
    return one.backend != nullptr && matches_any(one.description.ops, op) && (options_.ops.empty() || matches_any(options_.ops, op));
  }

  std::vector<std::string> ops_to_ask() const {
    std::vector<std::string> ops = library_.op_paths();
    std::erase_if(ops,
                  [&](const std::string& op) { return std::ranges::none_of(survey_.backends, [&](const SurveyedBackend& one) { return asks(one, op); }); });
    return ops;
  }

  /// Types one after the other, each put to all backends, so that one set of questions is in memory at a time.
  Status ask_op(const std::string& op) {
    std::map<std::size_t, std::vector<std::string>> refusals;
    std::set<std::size_t> answered;
    for (const AskedTypes& types : default_element_types(library_, op)) {
      IdentifyOptions settings = options_.each;
      settings.op = op;
      settings.types = types;
      OpQuestions questions(library_, settings);
      TIEBREAK_TRY(has_types, questions.prepare());
      if (!has_types) continue;
      for (std::size_t place = 0; place < survey_.backends.size() && !interrupted(); ++place) {
        if (!asks(survey_.backends[place], op)) continue;
        TIEBREAK_TRY(row, ask_types(questions, place));
        if (row.state != SurveyRow::State::unanswered) answered.insert(place);
        if (row.state == SurveyRow::State::unanswered) refusals[place].push_back(row.note);
        else add(std::move(row));
      }
    }
    for (std::size_t place = 0; place < survey_.backends.size() && !interrupted(); ++place) {
      if (!asks(survey_.backends[place], op) || answered.contains(place)) continue;
      TIEBREAK_TRY(row, ask_cases(op, place));
      if (row.state == SurveyRow::State::unasked && refusals.contains(place)) {
        row.state = SurveyRow::State::unanswered;
        row.note = refusals[place].front();
      }
      add(std::move(row));
    }
    return {};
  }

  void add(SurveyRow row) {
    if (interrupted()) return;  // half an answer is none
    if (options_.finished) options_.finished(survey_.backends[row.backend], row);
    survey_.rows.push_back(std::move(row));
  }

  SurveyRow started(const std::string& op, std::size_t place) const {
    SurveyRow row;
    row.backend = place;
    row.op = op;
    row.listed = std::ranges::find(survey_.backends[place].description.ops, op) != survey_.backends[place].description.ops.end();
    return row;
  }

  Result<SurveyRow> ask_types(OpQuestions& questions, std::size_t place) {
    auto start = std::chrono::steady_clock::now();
    SurveyedBackend& one = survey_.backends[place];
    SurveyRow row = started(questions.options().op, place);
    TIEBREAK_TRY(refusal, questions.refusal(*one.backend));
    row.types = questions.types();
    if (!refusal.empty()) {
      row.state = SurveyRow::State::unanswered;
      row.note = refusal;
      return row;
    }
    TIEBREAK_TRY(all, questions.all());
    IdentifyOptions settings = questions.options();
    settings.preferred = one.description.profile;
    TIEBREAK_TRY(found, identify(library_, *one.backend, settings, *all));
    conclude(found, one.description.profile, row);
    row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return row;
  }

  Result<SurveyRow> ask_cases(const std::string& op, std::size_t place) {
    auto start = std::chrono::steady_clock::now();
    SurveyedBackend& one = survey_.backends[place];
    SurveyRow row = started(op, place);
    IdentifyOptions settings = options_.each;
    settings.op = op;
    settings.types.clear();
    settings.preferred = one.description.profile;
    std::size_t elements = std::max<std::size_t>(fewest_case_elements, settings.confirm);
    TIEBREAK_TRY(cases, cases_for_identify(library_, op, {"deep", "vendor/" + one.description.name}, elements));
    row.note = "neither questions nor cases";
    if (cases.empty()) return row;
    TIEBREAK_TRY(found, identify_by_cases(library_, *one.backend, settings, cases));
    row.note.clear();
    row.types = "cases";
    conclude(found, one.description.profile, row);
    row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return row;
  }

  const Library& library_;
  const SurveyOptions& options_;
  Survey& survey_;
};

}  // namespace

const char* to_word(SurveyRow::State state) {
  switch (state) {
    case SurveyRow::State::declared: return "declared";
    case SurveyRow::State::other: return "other";
    case SurveyRow::State::unexplained: return "unexplained";
    case SurveyRow::State::unanswered: return "unanswered";
    case SurveyRow::State::unasked: return "unasked";
  }
  return "unasked";
}

bool Survey::is_empty() const {
  return rows.empty() && !incomplete && std::ranges::all_of(backends, [](const SurveyedBackend& one) { return one.backend != nullptr; });
}

int Survey::exit_code() const {
  auto any = [&](SurveyRow::State state) { return std::ranges::any_of(rows, [&](const SurveyRow& row) { return row.state == state; }); };
  if (any(SurveyRow::State::other) || any(SurveyRow::State::unexplained)) return 1;
  bool silent = std::ranges::any_of(rows, [](const SurveyRow& row) { return row.state == SurveyRow::State::unanswered && row.listed; });
  bool troubled = std::ranges::any_of(backends, [](const SurveyedBackend& one) { return one.backend == nullptr; });
  bool none = std::ranges::none_of(rows, [](const SurveyRow& row) { return row.state == SurveyRow::State::declared; });
  return silent || troubled || none || incomplete ? 5 : 0;
}

Result<Survey> survey(const Library& library, std::vector<SurveyedBackend> backends, const SurveyOptions& options) {
  Survey survey;
  survey.backends = std::move(backends);
  survey.context = {{"spec_hash", library.hash()},
                    {"tool_version", TIEBREAK_VERSION},
                    {"confirm", std::to_string(options.each.confirm)},
                    {"seed", std::to_string(options.each.seed)},
                    {"probes", std::to_string(options.each.probes)}};
  TIEBREAK_CHECK(Surveyor(library, options, survey).run());
  return survey;
}

}  // namespace tiebreak
