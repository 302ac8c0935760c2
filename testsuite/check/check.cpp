// SPDX-License-Identifier: Apache-2.0
// Cases are taken in chunks: a worker computes the expectations of a chunk, hands it to the backend as one batch, and judges the
// answers. Chunks do not depend on the number of workers and reports are stored by index, so that number affects the time alone.
#include "testsuite/check/check.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "interpreter/semantics/dependencies.hpp"
#include "testsuite/case/program_digest.hpp"
#include "testsuite/case/request.hpp"
#include "testsuite/check/earlier_verdicts.hpp"
#include "testsuite/check/expectation.hpp"
#include "testsuite/check/find_causes.hpp"
#include "testsuite/check/judge.hpp"
#include "testsuite/check/repeat.hpp"
#include "testsuite/sources/case_readers.hpp"
#include "testsuite/sources/selection.hpp"

namespace tiebreak {
namespace {

/// `f32 -> i8`: of the first input and the first output, as far as they are known.
std::string first_types_text(const Case& test, const Expectation* expectation) {
  std::string text = test.inputs.empty() ? "" : test.inputs.front().element().name();
  if (expectation == nullptr || expectation->outputs.empty()) return text.empty() ? text : text + " -> ?";
  return (text.empty() ? "" : text + " ") + "-> " + expectation->outputs.front().tensor.element().name();
}

/// Without the hint, which is for a person at a prompt.
std::string one_line(const Error& error) { return error.where.empty() ? error.what : error.what + " (" + error.where + ")"; }

/// Of a failing program with several operations.
std::string fusion_note(const Case& test, const CheckOptions& options) {
  const std::string with = (options.reproduce_arguments.empty() ? "" : " " + options.reproduce_arguments) + " --profile " + shell_quoted(options.profile);
  const std::string command = is_model(test.source) ? "tiebreak check " + shell_quoted(test.source) + " --per-layer" + with
                                                    : "tiebreak reduce " + shell_quoted(test.id) + " --source " + shell_quoted(test.source) + with;
  return "the program has " + std::to_string(test.program.operations.size()) +
         " operations, and a backend may run several of them as one, which rounds in other places. Whether one is wrong by itself says: " + command;
}

class CheckRun {
 public:
  /// `ops`: of the cases' programs, with their regions.
  CheckRun(const Semantics& semantics, const std::vector<Case>& cases, const std::set<std::string>& ops, Backend& backend,
           const BackendDescription& description, const CheckOptions& options, CheckReport& report)
      : library_(semantics.library),
        profile_(semantics.profile),
        cases_(cases),
        backend_(backend),
        listed_(description.ops),
        options_(options),
        judging_(options),
        report_(report) {
    for (std::string& op : undeclared_ops(semantics, ops)) undeclared_.insert(std::move(op));
    judging_.diagnose = false;                // causes are looked for when all failing cases are known
    constexpr std::size_t fewest_chunks = 4;  // enough for as many workers
    chunk_ = options.one_batch ? largest_chunk : std::clamp<std::size_t>(cases.size() / fewest_chunks, 1, largest_chunk);
  }

  Status run() {
    auto work = [this] {
      while (!stopped()) {
        std::size_t first = next_.fetch_add(chunk_);
        if (first >= cases_.size()) return;
        run_chunk(first, std::min(first + chunk_, cases_.size()));
      }
    };
    std::vector<std::jthread> helpers;
    for (int i = 1; i < options_.jobs; ++i) helpers.emplace_back(work);
    work();
    helpers.clear();  // joins
    if (failure_) return tl::unexpected<Error>(*failure_);
    if (options_.diagnose && !interrupted()) TIEBREAK_CHECK(explain_failures());
    report_.incomplete = interrupted();
    return {};
  }

 private:
  bool interrupted() const { return options_.interrupted && options_.interrupted(); }
  bool stopped() const { return failed_.load() || interrupted(); }

  void run_chunk(std::size_t first, std::size_t last) {
    std::vector<Expectation> expectations(last - first);
    std::vector<std::size_t> asked;
    std::vector<ExchangeCase> requests;
    for (std::size_t i = first; i < last; ++i) {
      if (stopped()) return;
      if (!prepare(i, expectations[i - first])) continue;
      asked.push_back(i);
      requests.push_back(to_request(library_, cases_[i], profile_, expectations[i - first].outputs));
    }
    std::vector<std::vector<BackendAnswer>> rounds;  // one for each time the cases are asked
    for (int round = 0; round < options_.repeat && !requests.empty(); ++round) {
      if (stopped()) return;
      rounds.push_back(ask_backend(requests, round % 2 == 1));
    }
    for (std::size_t k = 0; k < asked.size(); ++k) {
      CaseReport& report = report_.cases[asked[k]];
      const BackendAnswer& answer = rounds[0][k];
      // Ctrl-C reaches the adapter, too: what it did not answer then says nothing about it.
      bool unanswered = std::any_of(rounds.begin(), rounds.end(), [&](const auto& round) { return round[k].kind == BackendAnswer::Kind::inconclusive; });
      if (unanswered && interrupted()) continue;
      std::vector<Tensor> answers = judge(library_, cases_[asked[k]], expectations[asked[k] - first], answer, judging_, report);
      if (const std::string op = silent_op(cases_[asked[k]].program); !op.empty()) note_not_declared(profile_.name, op, !answers.empty(), report);
      for (std::size_t round = 1; round < rounds.size(); ++round) judge_repetition(expectations[asked[k] - first], answer, rounds[round][k], round, report);
      if (options_.diagnose && report.status == CaseStatus::fail && !answers.empty())
        keep_failure(asked[k], {&cases_[asked[k]], std::move(expectations[asked[k] - first].outputs), std::move(answers)});
    }
    std::lock_guard lock(progress_mutex_);
    done_ += last - first;
    if (options_.progress) options_.progress(done_, cases_.size());
  }

  void keep_failure(std::size_t place, FailingCase failing) {
    std::lock_guard lock(progress_mutex_);
    failing_.emplace(place, std::move(failing));
  }

  Status explain_failures() {
    if (failing_.empty()) return {};
    std::vector<const Case*> all;
    for (const Case& test : cases_) all.push_back(&test);
    TIEBREAK_TRY(fusions, read_fusions(Library::default_directory()));
    find_causes({{library_, profile_}, options_.declared, &fusions, options_.jobs, options_.interrupted}, all, failing_, report_);
    for (const auto& [place, failing] : failing_)
      if (failing.test->program.operations.size() > 1) report_.cases[place].notes.push_back(fusion_note(*failing.test, options_));
    return {};
  }

  /// One answer a request, in their order; `reversed` asks in the opposite one, so that what an answer owes to those before it shows.
  std::vector<BackendAnswer> ask_backend(std::vector<ExchangeCase> requests, bool reversed) {
    std::size_t count = requests.size();
    if (reversed) std::ranges::reverse(requests);
    std::vector<BackendAnswer> answers;
    {
      std::unique_lock lock(backend_mutex_, std::defer_lock);
      if (!backend_.is_parallel()) lock.lock();
      if (!stopped()) answers = backend_.run(requests);
    }
    BackendAnswer missing;
    missing.reason = "the backend gave no answer";
    answers.resize(count, missing);
    if (reversed) std::ranges::reverse(answers);
    return answers;
  }

  /// True if the backend is to be asked. Otherwise the report has its status already.
  bool prepare(std::size_t i, Expectation& expectation) {
    CaseReport& report = report_.cases[i];
    auto decide = [&](CaseStatus status, const std::string& reason) {
      report.status = status;
      report.reason = reason;
      return false;
    };
    auto beyond = [](const Error& error) { return error.code == Errc::unsupported || error.code == Errc::unknown_name || error.code == Errc::limit; };
    if (const std::optional<Error>& error = cases_[i].unusable) return decide(beyond(*error) ? CaseStatus::unsupported : CaseStatus::invalid, one_line(*error));
    if (is_unlisted(cases_[i])) return decide(CaseStatus::unsupported, "the backend does not list this op");
    report.asked = question_digest(cases_[i].program, cases_[i].inputs);
    if (take_over(report)) return false;
    Result<Expectation> computed = expect({library_, profile_}, cases_[i], options_.evaluate);
    if (!computed && library_.stop().is_requested()) return false;  // not run: interrupted
    if (!computed) {
      const Error& error = computed.error();
      if (error.code == Errc::internal) {
        std::lock_guard lock(progress_mutex_);
        if (!failed_.exchange(true)) failure_ = Error{error.code, error.what, error.where.empty() ? cases_[i].id : error.where, error.hint};
        return false;
      }
      if (beyond(error)) return decide(CaseStatus::unsupported, "no expectation: " + one_line(error));
      const bool does_not_fit = error.code == Errc::type || error.code == Errc::constraint;
      if (does_not_fit && has_been_run(cases_[i])) return decide(CaseStatus::unsupported, "the page does not describe it: " + one_line(error));
      if (error.code == Errc::undecided) return decide(CaseStatus::inconclusive, "no expectation: " + one_line(error));
      return decide(CaseStatus::invalid, one_line(error));
    }
    expectation = *std::move(computed);
    report.types = first_types_text(cases_[i], &expectation);
    report.notes = expectation.notes;
    if (!expectation.contradiction.empty()) return decide(CaseStatus::invalid, expectation.contradiction);
    if (expectation.ill_formed)
      return decide(CaseStatus::not_run, "ill-formed on purpose: " + cases_[i].expected_error + " is reported, nothing is to be computed");
    return true;
  }

  /// The verdict of an earlier run on the same question. What fails is judged again: its values are needed to find causes.
  bool take_over(CaseReport& report) const {
    const CaseReport* known = options_.earlier == nullptr ? nullptr : options_.earlier->judged(report.id, options_.show);
    if (known == nullptr || known->status == CaseStatus::fail || known->op != report.op || known->asked != report.asked) return false;
    CaseReport taken = *known;
    taken.source = report.source;
    taken.description = report.description;
    taken.reproduce = report.reproduce;
    report = std::move(taken);
    return true;
  }

  /// An op of the program of which the profile says nothing; "" if there is none.
  std::string silent_op(const Program& program) const {
    for (const std::string& op : undeclared_.empty() ? std::set<std::string>() : ops_with_regions(program))
      if (undeclared_.contains(op)) return op;
    return "";
  }

  /// A node test with outputs: its author ran the model, so that what a page refuses is what the page does not describe.
  static bool has_been_run(const Case& test) { return test.literals.contains("") && is_node_test(test.source); }

  /// A case of an op that the backend says it has not: nothing is computed for that. A backend that lists none is asked about all, and
  /// programs of several ops are the adapter's to judge.
  bool is_unlisted(const Case& test) const {
    return !listed_.empty() && test.program.operations.size() == 1 && !matches_any(listed_, test.program.operations.front().op);
  }

  const Library& library_;
  const Profile& profile_;
  const std::vector<Case>& cases_;
  Backend& backend_;
  const std::vector<std::string>& listed_;
  const CheckOptions& options_;
  CheckOptions judging_;
  CheckReport& report_;
  std::set<std::string> undeclared_{};            // ops of which the profile says nothing
  std::map<std::size_t, FailingCase> failing_{};  // by place in the report
  std::size_t chunk_ = 1;
  std::size_t done_ = 0;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> failed_{false};
  std::optional<Error> failure_{};
  std::mutex backend_mutex_;
  std::mutex progress_mutex_;
};

}  // namespace

Result<const Profile*> profile_of(const Library& library, const CheckOptions& options) {
  return options.semantics ? Result<const Profile*>(&*options.semantics) : library.find_profile(options.profile);
}

void state_dependencies(const Semantics& semantics, const std::set<std::string>& ops, CheckReport& report) {
  report.op_hashes = dependency_hashes(semantics, ops);
  report.context["spec_hash"] = joined_hash(*report.op_hashes);
}

Result<CheckReport> check(const Library& library, const std::vector<Case>& cases, Backend& backend, const CheckOptions& given) {
  TIEBREAK_TRY(profile, profile_of(library, given));
  TIEBREAK_TRY(description, backend.describe());
  CheckOptions options = given;
  options.declared = description.profile;
  CheckReport report;
  report.allow_unsupported = options.allow_unsupported;
  report.context = options.context;
  report.context.insert({{"backend", description.name},
                         {"backend_version", description.version},
                         {"policy", options.policy.text},
                         {"profile", profile->name},
                         {"tool_version", TIEBREAK_VERSION}});
  std::set<std::string> ops;
  for (const Case& test : cases) ops.merge(ops_with_regions(test.program));
  state_dependencies({library, *profile}, ops, report);
  for (const auto& [name, value] : description.details) report.context["backend_" + name] = value;
  if (options.earlier != nullptr) {
    TIEBREAK_CHECK(options.earlier->agrees_with(report.context));
    TIEBREAK_CHECK(options.earlier->agrees_with_pages(*report.op_hashes));
  }
  report.cases.resize(cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    CaseReport& entry = report.cases[i];
    entry.id = cases[i].id;
    entry.op = op_names(cases[i].program);
    entry.source = cases[i].source;
    entry.types = first_types_text(cases[i], nullptr);
    entry.description = cases[i].description;
    entry.reason = "interrupted";
    entry.reproduce = reproduce_command(cases[i], options);
  }
  TIEBREAK_CHECK(CheckRun({library, *profile}, cases, ops, backend, description, options, report).run());
  return report;
}

std::map<CaseStatus, std::size_t> CheckReport::counts() const {
  std::map<CaseStatus, std::size_t> counts;
  for (const CaseReport& report : cases) ++counts[report.status];
  return counts;
}

std::string CheckReport::context_of(const std::string& key) const {
  auto found = context.find(key);
  return found == context.end() ? "" : found->second;
}

int CheckReport::exit_code() const {
  std::map<CaseStatus, std::size_t> count = counts();
  bool judged = count[CaseStatus::conform] + count[CaseStatus::fail] + count[CaseStatus::expected_fail] + count[CaseStatus::unexpected_pass] > 0;
  if (count[CaseStatus::invalid] > 0) return 2;
  if (count[CaseStatus::fail] > 0) return 1;
  if (count[CaseStatus::unexpected_pass] > 0) return 6;
  if (count[CaseStatus::inconclusive] > 0) return 5;
  if (count[CaseStatus::unsupported] + count[CaseStatus::not_recorded] > 0 && !(allow_unsupported && judged)) return 5;
  if (cases.empty()) return 4;
  return judged ? 0 : 5;
}

const char* to_word(CaseStatus status) {
  switch (status) {
    using enum CaseStatus;
    case conform: return "conform";
    case fail: return "fail";
    case expected_fail: return "expected_fail";
    case unexpected_pass: return "unexpected_pass";
    case unsupported: return "unsupported";
    case not_recorded: return "not_recorded";
    case not_declared: return "not_declared";
    case nothing_compared: return "nothing_compared";
    case inconclusive: return "inconclusive";
    case not_run: return "not_run";
    case invalid: return "invalid";
  }
  return "invalid";
}

}  // namespace tiebreak
