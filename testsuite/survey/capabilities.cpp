// SPDX-License-Identifier: Apache-2.0
#include "testsuite/survey/capabilities.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "testsuite/case/request.hpp"
#include "testsuite/check/check.hpp"
#include "testsuite/check/expectation.hpp"
#include "testsuite/sources/load_cases.hpp"

namespace tiebreak {
namespace {

constexpr std::size_t further_rounds = 4;  // of `most` cases each, where the first were refused: for their form, or for something else

/// Small cases first; those with an empty operand, which many libraries refuse for that alone, last.
auto asking_order(const Case& test) {
  const bool is_empty = std::ranges::any_of(test.inputs, [](const Tensor& input) { return input.size() == 0; });
  return std::tuple(is_empty, input_elements(test), test.id);
}

/// The cases of the ops that a backend lists.
class Selector {
 public:
  Selector(const Library& library, const BackendDescription& description, const Selection& selection)
      : library_(library), description_(description), selection_(selection) {
    selection_.level = Level::standard;
  }

  Result<std::vector<Case>> run() {
    TIEBREAK_TRY(cases, cases_of(selection_.sources, {}));
    if (!selection_.sources.empty()) return cases;
    TIEBREAK_TRY(own, cases_of({further_case_folder("vendor/" + description_.name)}, {}));
    std::ranges::move(own, std::back_inserter(cases));
    std::set<std::string> known;
    for (const Case& test : cases) known.insert(op_of_id(test.id));
    TIEBREAK_TRY(deep, cases_of({further_case_folder("deep")}, known));
    std::ranges::move(deep, std::back_inserter(cases));
    return cases;
  }

 private:
  bool lists(const std::string& op) const { return description_.ops.empty() || matches_any(description_.ops, op); }

  Result<std::vector<Case>> cases_of(const std::vector<std::string>& sources, const std::set<std::string>& without) {
    if (sources.size() == 1 && sources[0].empty()) return std::vector<Case>{};
    Selection part = selection_;
    part.sources = sources;
    // What an id does not begin with an op's name is known only when the case is made.
    part.ops = [&](const std::string& op) { return !without.contains(op) && (!library_.op_place(op) || lists(op)); };
    TIEBREAK_TRY(cases, select_cases(library_, part));
    std::erase_if(cases, [&](const Case& test) {
      return test.unusable || !test.expected_error.empty() || test.program.operations.size() != 1 || !lists(test.program.operations[0].op);
    });
    return cases;
  }

  const Library& library_;
  const BackendDescription& description_;
  Selection selection_;
};

class Asker {
 public:
  Asker(const Semantics& semantics, const CapabilityOptions& options, SurveyedBackend& one)
      : library_(semantics.library), profile_(semantics.profile), options_(options), one_(one) {}

  /// False where it was interrupted.
  Result<bool> run() {
    TIEBREAK_TRY(cases, Selector(library_, one_.description, options_.selection).run());
    cases_ = std::move(cases);
    group();
    std::vector<Question> first;
    for (auto& [form, group] : groups_) TIEBREAK_CHECK(choose(group, options_.most, first));
    TIEBREAK_TRY(whole, ask(first));
    if (!whole) return false;
    std::vector<Question> further;
    for (auto& [form, group] : groups_)
      if (group.refused > 0 && group.taken == 0) TIEBREAK_CHECK(choose_apart(group, options_.most * further_rounds, further));
    return ask(further);
  }

  std::vector<OpCapability> ops() {
    std::map<std::string, OpCapability> by_op;
    for (auto& [form, capability] : found_) {
      OpCapability& op = by_op[form.op];
      op.op = form.op;
      op.listed = std::ranges::find(one_.description.ops, form.op) != one_.description.ops.end();
      op.forms.push_back(std::move(capability));
    }
    std::vector<OpCapability> sorted;
    for (auto& [name, op] : by_op) sorted.push_back(std::move(op));
    return sorted;
  }

 private:
  struct Group {
    std::vector<const Case*> cases{};  ///< that were not looked at
    std::size_t taken = 0, refused = 0;
  };
  struct Question {
    Group* group;
    const Case* test;
    std::vector<ResultTensor> results;
  };

  bool interrupted() const { return options_.interrupted && options_.interrupted(); }

  void group() {
    for (const Case& test : cases_)
      if (std::optional<CaseForm> form = form_of(library_, test)) groups_[*form].cases.push_back(&test);
    for (auto& [form, group] : groups_) std::ranges::sort(group.cases, {}, [](const Case* test) { return asking_order(*test); });
  }

  /// The first cases of the group that have results.
  Status choose(Group& group, std::size_t count, std::vector<Question>& questions) {
    std::size_t looked_at = 0;
    for (std::size_t chosen = 0; chosen < count && looked_at < group.cases.size() && !interrupted(); ++looked_at) {
      TIEBREAK_TRY(added, add(group, *group.cases[looked_at], questions));
      chosen += added ? 1 : 0;
    }
    group.cases.erase(group.cases.begin(), group.cases.begin() + static_cast<std::ptrdiff_t>(looked_at));
    return {};
  }

  /// Neighbours in size are often alike in what is refused, too: these are spread over the rest.
  Status choose_apart(Group& group, std::size_t count, std::vector<Question>& questions) {
    count = std::min(count, group.cases.size());
    for (std::size_t i = 0; i < count && !interrupted(); ++i) {
      TIEBREAK_TRY(added, add(group, *group.cases[i * group.cases.size() / count], questions));
      (void)added;
    }
    return {};
  }

  /// False for a case without results under the profile: what it is to give is not known.
  Result<bool> add(Group& group, const Case& test, std::vector<Question>& questions) {
    Result<Expectation> expected = expect({library_, profile_}, test, {});
    if (!expected && expected.error().code == Errc::internal) return tl::unexpected<Error>(expected.error());
    if (!expected || expected->outputs.empty()) return false;
    questions.push_back({&group, &test, std::move(expected->outputs)});
    return true;
  }

  Result<bool> ask(const std::vector<Question>& questions) {
    for (std::size_t first = 0; first < questions.size(); first += largest_chunk) {
      if (interrupted()) return false;
      if (options_.progress) options_.progress(first, questions.size());
      const std::size_t last = std::min(first + largest_chunk, questions.size());
      std::vector<ExchangeCase> requests;
      for (std::size_t i = first; i < last; ++i) requests.push_back(to_request(library_, *questions[i].test, profile_, questions[i].results));
      std::vector<BackendAnswer> answers = one_.backend->run(requests);
      if (interrupted()) return false;  // the adapter was ended with us: what it did not answer says nothing of it
      BackendAnswer missing;
      missing.reason = "the backend gave no answer";
      answers.resize(requests.size(), missing);
      for (std::size_t i = first; i < last; ++i) take(questions[i], answers[i - first]);
    }
    return !interrupted();
  }

  void take(const Question& question, const BackendAnswer& answer) {
    CaseForm form = shown_form(library_, *question.test, question.results);
    FormCapability& found = found_[form];
    found.form = std::move(form);
    const auto count = [&](std::size_t& number, std::string& reason) {
      if (number++ == 0) reason = answer.reason.empty() ? "no reason given" : answer.reason;
    };
    const bool is_silent = answer.kind == BackendAnswer::Kind::inconclusive || answer.kind == BackendAnswer::Kind::not_recorded;
    if (is_silent) count(found.silent, found.silence);
    if (answer.kind == BackendAnswer::Kind::unsupported) {
      count(found.refused, found.refusal);
      ++question.group->refused;
    }
    if (answer.kind == BackendAnswer::Kind::answered) {
      ++found.taken;
      ++question.group->taken;
    }
  }

  const Library& library_;
  const Profile& profile_;
  const CapabilityOptions& options_;
  SurveyedBackend& one_;
  std::vector<Case> cases_{};
  std::map<CaseForm, Group> groups_{};
  std::map<CaseForm, FormCapability> found_{};
};

/// Ops that are listed by name without an answer of any kind. Where cases were selected nothing is missing.
std::vector<std::string> ops_without_cases(const BackendCapabilities& found) {
  std::vector<std::string> names;
  for (const std::string& name : found.backend.description.ops) {
    const bool is_glob = name.find_first_of("*?") != std::string::npos;
    if (!is_glob && std::ranges::find(found.ops, name, &OpCapability::op) == found.ops.end()) names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace

bool OpCapability::is_taken() const {
  return std::ranges::any_of(forms, [](const FormCapability& form) { return form.taken > 0; });
}

bool Capabilities::is_empty() const {
  return !incomplete && std::ranges::all_of(backends, [](const BackendCapabilities& one) { return one.backend.backend != nullptr && one.ops.empty(); });
}

int Capabilities::exit_code() const {
  if (incomplete) return 5;
  for (const BackendCapabilities& one : backends) {
    if (one.backend.backend == nullptr) return 5;
    for (const OpCapability& op : one.ops) {
      if (op.listed && !op.is_taken()) return 5;
      if (std::ranges::any_of(op.forms, [](const FormCapability& form) { return form.silent > 0; })) return 5;
    }
  }
  return 0;
}

Result<Capabilities> capabilities(const Library& library, std::vector<SurveyedBackend> backends, const CapabilityOptions& options) {
  Capabilities found;
  found.context = {{"spec_hash", library.hash()}, {"tool_version", TIEBREAK_VERSION}, {"most", std::to_string(options.most)}};
  for (SurveyedBackend& one : backends) {
    BackendCapabilities each;
    each.backend = std::move(one);
    if (each.backend.backend != nullptr && !found.incomplete) {
      const std::string& declared = each.backend.description.profile;
      TIEBREAK_TRY(profile, library.find_profile(library.find_profile(declared) ? declared : "reference"));
      Asker asker({library, *profile}, options, each.backend);
      TIEBREAK_TRY(whole, asker.run());
      found.incomplete = !whole;
      each.ops = asker.ops();
      if (options.selection.sources.empty() && options.selection.globs.empty() && whole) each.without_cases = ops_without_cases(each);
    }
    found.backends.push_back(std::move(each));
  }
  return found;
}

}  // namespace tiebreak
