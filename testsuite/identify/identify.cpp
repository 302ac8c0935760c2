// SPDX-License-Identifier: Apache-2.0
#include "testsuite/identify/identify.hpp"

#include <algorithm>
#include <list>

#include "testsuite/candidates/search.hpp"
#include "testsuite/diff/stairs_relation.hpp"
#include "testsuite/identify/probe_backend.hpp"

namespace tiebreak {
namespace {

constexpr int most_rounds = 6;                          // of asking again where a backend refuses some parameters
constexpr std::size_t most_compared_explanations = 12;  // explanations compared by stairs
constexpr std::size_t batch_elements = 65536;

/// The steps of one identification; each leaves its findings in the result.
class Identifier {
 public:
  Identifier(const Library& library, Backend* backend, const IdentifyOptions& options, const Questions& questions, Evidence evidence)
      : library_(library),
        backend_(backend),
        options_(options),
        candidates_(questions.candidates),
        roles_(questions.roles),
        pool_(questions.pool),
        first_(questions.first),
        relate_(questions.relate),
        evidence_(std::move(evidence)) {
    result_.silent = questions.silent;
    result_.op = options.op;
    result_.candidates = candidates_.size();
    if (backend != nullptr && roles_) result_.types = roles_->text();
    choices_ = choices_of_ops(library, questions.ops);
    kept_ = result_;
  }

  Result<Identification> run() {
    Result<Identification> found = find();
    if (!interrupted()) return found;
    kept_.incomplete = true;
    return std::move(kept_);
  }

 private:
  Result<Identification> find() {
    if (backend_ != nullptr) TIEBREAK_CHECK(ask_until_split(candidates_, options_.first_probes(), {}, &first_));
    if (evidence_.elements() == 0) return finish(Identification::Verdict::inconclusive);
    keep(Identification::Verdict::inconclusive);
    std::vector<Candidate> explaining = explaining_among(candidates_);
    keep_explaining(explaining);
    if (!explaining.empty() && options_.decide_choices) TIEBREAK_CHECK(ask_neighbours(explaining));
    if (explaining.empty()) TIEBREAK_CHECK(search(explaining));
    if (!explaining.empty() && options_.decide_choices && !relate_) TIEBREAK_CHECK(separate_by_stairs(explaining));
    report_rejected();
    if (explaining.empty()) return finish(Identification::Verdict::none);
    TIEBREAK_TRY(verdict, report_explaining(explaining));
    if (options_.decide_choices) report_choices(explaining.front());
    result_.asked = evidence_.predictions(explaining.front().profile, 4096);
    keep(verdict);
    if (backend_ != nullptr && options_.confirm > 0 && !interrupted()) TIEBREAK_CHECK(confirm(explaining, verdict));
    return finish(verdict);
  }

  bool interrupted() const { return options_.interrupted && options_.interrupted(); }

  /// What an interrupt leaves. Nothing is kept once it has come: from then on evaluations end with an error, and what they decide is no finding.
  void keep(Identification::Verdict verdict) {
    if (interrupted()) return;
    kept_ = result_;
    kept_.verdict = verdict;
    kept_.answers = evidence_.elements();
  }

  void keep_explaining(const std::vector<Candidate>& explaining) {
    if (explaining.empty() || interrupted()) return;
    keep(explaining.size() > 1 ? Identification::Verdict::several : Identification::Verdict::identified);
    for (const Candidate& one : explaining) kept_.explaining.push_back({one.name, one.members, 0, "not asked any further"});
  }

  std::size_t left() const { return options_.probes - std::min(options_.probes, evidence_.elements()); }

  /// Asks what splits the candidates; where parameters are refused, others are tried.
  Status ask_until_split(const std::vector<Candidate>& candidates, std::size_t most, const std::function<bool(std::size_t, std::size_t)>& wanted = {},
                         const ProbePlan* known = nullptr) {
    for (int round = 0; round < most_rounds && !interrupted(); ++round) {
      std::size_t room = std::min(most, left());
      if (room == 0) return {};
      ProbePlan plan;
      if (known != nullptr && round == 0) {
        plan = *known;
      } else {
        TIEBREAK_TRY(made, choose_probes(library_, candidates, pool_, {room, refused_, wanted}));
        plan = std::move(made);
      }
      bool anything = !plan.probes.empty();
      // Nothing to split: one question still tells whether the backend answers at all.
      if (!anything && evidence_.elements() == 0 && !pool_.empty()) plan.probes = {first_question()};
      if (plan.probes.empty()) return {};
      TIEBREAK_TRY(asked, ask(library_, *backend_, candidates_.front().profile, pool_, plan.probes));
      for (Observation& observation : asked.observations) evidence_.add(std::move(observation));
      for (const std::string& reason : asked.reasons)
        if (std::ranges::find(result_.refusals, reason) == result_.refusals.end()) result_.refusals.push_back(reason);
      if (asked.refused.empty()) return {};
      refused_.insert(asked.refused.begin(), asked.refused.end());
      if (evidence_.elements() == 0 && !is_answering()) return {};
    }
    return {};
  }

  Probe first_question() const {
    for (std::size_t set = 0; set < pool_.size(); ++set)
      if (!refused_.contains(set)) return {set, 0};
    return {};
  }

  /// After nothing but refusals: whether the backend answers at all, by one question of a few other sets.
  bool is_answering() {
    std::vector<Probe> questions;
    for (std::size_t i = 0; i < 8 && !pool_.empty(); ++i) {
      std::size_t set = i * pool_.size() / 8;
      if (!refused_.contains(set)) questions.push_back({set, 0});
    }
    Result<AskResult> asked = ask(library_, *backend_, candidates_.front().profile, pool_, questions);
    if (!asked) return false;
    refused_.insert(asked->refused.begin(), asked->refused.end());
    for (Observation& observation : asked->observations) evidence_.add(std::move(observation));
    return evidence_.elements() > 0;
  }

  /// Kept until there are further answers.
  const Fit& fit_of(const Candidate& candidate) {
    if (fits_of_ != evidence_.elements()) fits_.clear();
    fits_of_ = evidence_.elements();
    auto known = fits_.find(candidate.name);
    if (known == fits_.end()) known = fits_.emplace(candidate.name, evidence_.fit(candidate.profile)).first;
    return known->second;
  }

  std::vector<Candidate> explaining_among(const std::vector<Candidate>& candidates) {
    std::vector<std::pair<std::size_t, const Candidate*>> fitting;
    auto rank = [&](const Candidate& one, const Fit& fit) {
      return 2 * fit.undefined + (std::ranges::find(one.members, options_.preferred) == one.members.end() ? 1 : 0);
    };
    for (const Candidate& candidate : candidates)
      if (Fit fit = fit_of(candidate); fit.explains_all()) fitting.emplace_back(rank(candidate, fit), &candidate);
    std::ranges::stable_sort(fitting, {}, &std::pair<std::size_t, const Candidate*>::first);
    std::vector<Candidate> found;
    for (const auto& [place, candidate] : fitting) found.push_back(*candidate);
    return found;
  }

  /// The explanation against all semantics that differ from it in one choice: what the remaining questions can decide is decided.
  Status ask_neighbours(std::vector<Candidate>& explaining) {
    std::vector<Candidate> group = explaining;
    std::size_t own = group.size();
    for (Candidate& neighbour : neighbours(library_, explaining.front(), choices_)) {
      if (group.size() >= 300) break;
      if (evidence_.explains(neighbour.profile)) group.push_back(std::move(neighbour));
    }
    auto wanted = [own](std::size_t i, std::size_t j) { return i == 0 || j < own; };
    if (backend_ != nullptr && left() > 0) TIEBREAK_CHECK(ask_until_split(group, options_.probes, wanted));
    explaining = explaining_among(explaining);
    return {};
  }

  /// What the pool does not tell apart may still differ somewhere: stairs say where, over the whole domain, or that it does not.
  Status separate_by_stairs(std::vector<Candidate>& explaining) {
    for (std::size_t i = 1; i < explaining.size() && i <= most_compared_explanations && roles_ && !interrupted(); ++i) {
      StairsRelation relation = compare_by_stairs(library_, explaining[0].profile, explaining[i].profile, *roles_, pool_);
      if (relation.sets == 0) return {};
      relations_by_stairs_[explaining[i].name] = relation.text();
      if (!relation.witness || backend_ == nullptr || left() == 0) continue;
      further_.push_back({*relation.witness});
      TIEBREAK_TRY(asked, ask(library_, *backend_, explaining[0].profile, further_.back(), {{0, 0}}));
      for (Observation& observation : asked.observations) evidence_.add(std::move(observation));
    }
    std::string first = explaining[0].name;
    explaining = explaining_among(explaining);
    if (explaining.empty() || explaining[0].name != first) relations_by_stairs_.clear();
    return {};
  }

  Status search(std::vector<Candidate>& explaining) {
    std::vector<Candidate> bases = nearest_candidates(evidence_, candidates_, 3);
    std::vector<OpChoice> reached = reached_choices(library_, evidence_, nearest_candidates(evidence_, candidates_, 6), choices_);
    for (SearchLevel level : {SearchLevel::singles, SearchLevel::pairs, SearchLevel::product}) {
      if (interrupted()) return {};
      SearchResult found = search_combinations(evidence_, bases, reached, level, options_.combinations);
      result_.searched += (result_.searched.empty() ? "" : ", ") + found.tried;
      if (found.explaining.empty()) continue;
      is_combination_ = true;
      explaining = std::move(found.explaining);
      if (backend_ != nullptr) TIEBREAK_CHECK(ask_until_split(explaining, options_.probes));
      explaining = explaining_among(explaining);
      if (!explaining.empty()) TIEBREAK_CHECK(ask_neighbours(explaining));
      if (!explaining.empty()) return {};
      is_combination_ = false;
    }
    return {};
  }

  void report_rejected() {
    for (const Candidate& candidate : candidates_) {
      const Fit& fit = fit_of(candidate);
      if (fit.explains_all() || !fit.first) continue;
      result_.rejected.push_back({candidate.name, candidate.members, fit.explained, *fit.first});
    }
    std::ranges::stable_sort(result_.rejected, std::ranges::greater{}, &Rejection::explained);
  }

  Result<Identification::Verdict> report_explaining(const std::vector<Candidate>& explaining) {
    // How profiles relate over the pool is known since the first questions were chosen.
    bool is_known = backend_ != nullptr && !is_combination_;
    TIEBREAK_TRY(relations, relate_ ? relate_(explaining) : is_known ? relations_among(explaining) : relations_to_first(library_, explaining, pool_));
    bool decidable = false;
    for (std::size_t i = 0; i < explaining.size(); ++i) {
      const Fit& fit = fit_of(explaining[i]);
      result_.explaining.push_back({explaining[i].name, explaining[i].members, fit.undefined, relation_of(explaining[i], relations.texts[i])});
      decidable |= relations.certain[i];
    }
    result_.deciding = relations.deciding;
    return is_combination_ ? Identification::Verdict::combination : decidable ? Identification::Verdict::several : Identification::Verdict::identified;
  }

  std::string relation_of(const Candidate& one, const std::string& over_pool) const {
    auto known = relations_by_stairs_.find(one.name);
    return known == relations_by_stairs_.end() || known->second.empty() ? over_pool : known->second;
  }

  Result<Relations> relations_among(const std::vector<Candidate>& explaining) const {
    auto place = [&](const Candidate& one) {
      return static_cast<std::size_t>(std::ranges::find(candidates_, one.name, &Candidate::name) - candidates_.begin());
    };
    Relations relations;
    for (const Candidate& one : explaining) {
      bool is_first = one.name == explaining.front().name;
      Separation separation = is_first ? Separation::none : first_.between(place(explaining.front()), place(one));
      relations.texts.push_back(is_first ? "" : relation_text(separation, first_));
      relations.certain.push_back(separation == Separation::certain);
    }
    return relations;
  }

  void report_choices(const Candidate& best) {
    std::size_t undefined = evidence_.fit(best.profile).undefined;
    for (const OpChoice& choice : choices_) {
      ChoiceFinding finding{ChoiceFinding::State::decided, choice.name, bound_text({library_, best.profile}, op_of(choice), choice), {}};
      std::size_t possible = 0;
      for (const std::string& alternative : choice.alternatives) {
        Profile other = with_choice(best.profile, choice, alternative);
        // What leaves more undefined explains by saying less.
        if (!evidence_.explains(other) || evidence_.fit(other).undefined > undefined) continue;
        ++possible;
        if (alternative != finding.alternative) finding.possible.push_back(alternative);
      }
      if (possible == choice.alternatives.size() && possible > 1) finding.state = ChoiceFinding::State::idle;
      else if (possible > 1) finding.state = ChoiceFinding::State::open;
      // A bound condition is one of its branches here: the one that explains the answers.
      if (possible == 1 && finding.possible.size() == 1) finding.alternative = finding.possible.front() + " (" + finding.alternative + ")";
      if (possible == 1) finding.possible.clear();
      result_.choices.push_back(std::move(finding));
    }
  }

  /// Further elements may tell apart what the pool did not: an explanation that they refute leaves its place to the next one.
  Status confirm(std::vector<Candidate>& explaining, Identification::Verdict& verdict) {
    Confirmation confirmation;
    confirmation.seed = options_.seed;
    result_.confirmation = confirmation;
    std::uint64_t seed = options_.seed;
    int idle = 0;
    bool one_scale = false;
    while (confirmation.answered < options_.confirm && !interrupted() && idle < 3) {
      auto wanted = static_cast<std::int64_t>(std::min<std::uint64_t>(options_.confirm - confirmation.answered, batch_elements));
      further_.emplace_back();
      TIEBREAK_TRY(sets, random_sets(library_, *roles_, seed++, wanted, one_scale));
      further_.back() = std::move(sets);
      for (const ProbeSet& set : further_.back()) confirmation.asked += static_cast<std::uint64_t>(set.count);
      TIEBREAK_TRY(asked, ask_all(library_, *backend_, explaining.front().profile, further_.back()));
      Evidence evidence(library_);
      for (Observation& observation : asked.observations) evidence.add(std::move(observation));
      // One operand with two scales is what few systems have: where parameters are refused, the next elements have one.
      if (!asked.refused.empty() && roles_->data().size() == 1) one_scale = !one_scale;
      drop_refuted(evidence, explaining, verdict);
      Fit fit = evidence.fit(explaining.front().profile);
      idle = fit.of == 0 ? idle + 1 : 0;
      confirmation.answered += fit.of;
      confirmation.different += fit.of - fit.explained - fit.undefined;
      confirmation.undefined += fit.undefined;
      if (!confirmation.first && fit.is_refuted()) confirmation.first = fit.first;
      if (confirmation.refusal.empty() && !asked.reasons.empty()) confirmation.refusal = asked.reasons.front();
      result_.confirmation = confirmation;
      keep(verdict);
    }
    return {};
  }

  /// Moves what the further elements refute from the explanations to the rejected, unless nothing would be left.
  void drop_refuted(Evidence& evidence, std::vector<Candidate>& explaining, Identification::Verdict& verdict) {
    std::vector<Candidate> kept;
    std::vector<Rejection> refuted;
    for (const Candidate& one : explaining) {
      if (!evidence.refutes(one.profile)) kept.push_back(one);
      else if (std::optional<Witness> first = evidence.fit(one.profile).first) refuted.push_back({one.name, one.members, evidence_.elements(), *first});
    }
    if (kept.empty() || refuted.empty()) return;
    bool is_first_gone = kept.front().name != explaining.front().name;
    explaining = std::move(kept);
    std::erase_if(result_.explaining, [&](const Explanation& one) { return std::ranges::find(explaining, one.name, &Candidate::name) == explaining.end(); });
    if (!result_.explaining.empty()) result_.explaining.front().relation.clear();
    result_.rejected.insert(result_.rejected.begin(), refuted.begin(), refuted.end());
    if (is_first_gone && options_.decide_choices) {
      result_.choices.clear();
      report_choices(explaining.front());
    }
    if (verdict == Identification::Verdict::several && explaining.size() == 1) verdict = Identification::Verdict::identified;
    result_.notes.push_back("further elements of --confirm refuted " + std::to_string(refuted.size()) + " explanations that the first questions left");
  }

  Identification finish(Identification::Verdict verdict) {
    result_.verdict = verdict;
    result_.answers = evidence_.elements();
    return std::move(result_);
  }

  const Library& library_;
  Backend* backend_;
  const IdentifyOptions& options_;
  const std::vector<Candidate>& candidates_;
  const std::optional<OpRoles>& roles_;
  const std::vector<ProbeSet>& pool_;
  const ProbePlan& first_;
  const std::function<Result<Relations>(const std::vector<Candidate>&)>& relate_;
  Evidence evidence_;
  std::list<std::vector<ProbeSet>> further_{};  // questions beyond the pool; observations refer to them
  std::map<std::string, std::string> relations_by_stairs_{};
  std::map<std::string, Fit> fits_{};
  std::size_t fits_of_ = 0;
  std::vector<OpChoice> choices_{};
  std::set<std::size_t> refused_{};
  bool is_combination_ = false;
  Identification result_{};
  Identification kept_{};  ///< the last state that no interrupt has touched
};

}  // namespace

Result<Identification> identify(const Library& library, Backend& backend, const IdentifyOptions& options, const Questions& questions) {
  TIEBREAK_TRY(description, backend.describe());
  IdentifyOptions settings = options;
  if (settings.preferred.empty()) settings.preferred = description.profile;
  TIEBREAK_TRY(identification, Identifier(library, &backend, settings, questions, Evidence(library)).run());
  name_backend(identification, library, description);
  return identification;
}

Result<Identification> identify(const Library& library, Backend& backend, const IdentifyOptions& options) {
  TIEBREAK_TRY(questions, make_questions(library, options));
  return identify(library, backend, options, questions);
}

Result<Identification> identify_observed(const Library& library, Evidence evidence, const IdentifyOptions& options) {
  TIEBREAK_CHECK(library.find_op(options.op));
  Questions questions;
  questions.ops = {options.op};
  ProfileCandidates found = profile_candidates(library, questions.ops);
  questions.candidates = std::move(found.candidates);
  questions.silent = std::move(found.silent);
  // A log speaks for itself; only further questions need the roles.
  if (Result<OpRoles> roles = roles_of(library, options.op, options.types)) {
    Result<std::vector<ProbeSet>> pool = probe_pool(library, *roles);
    if (!pool && pool.error().code == Errc::internal) return tl::unexpected<Error>(pool.error());
    questions.roles = *roles;
    if (pool) questions.pool = *std::move(pool);
  }
  return identify_observed(library, std::move(evidence), options, questions);
}

Result<Identification> identify_observed(const Library& library, Evidence evidence, const IdentifyOptions& options, const Questions& questions) {
  TIEBREAK_TRY(identification, Identifier(library, nullptr, options, questions, std::move(evidence)).run());
  identification.context = {{"spec_hash", library.hash()}, {"tool_version", TIEBREAK_VERSION}};
  return identification;
}

}  // namespace tiebreak
