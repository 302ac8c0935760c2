// SPDX-License-Identifier: Apache-2.0
// A record is plain data, so that asking it twice, in another order or from several threads gives the same.
#include "testsuite/backends/recorded_backend.hpp"

#include <algorithm>
#include <utility>

#include "testsuite/backends/answer.hpp"
#include "testsuite/backends/asked_digest.hpp"

namespace tiebreak {
namespace {

class RecordedBackend final : public Backend {
 public:
  explicit RecordedBackend(Record record) : record_(std::move(record)) {}

  Result<BackendDescription> describe() override {
    const RecordDescription& known = record_.description;
    BackendDescription description = known.system;
    description.details["recorded"] = "by tiebreak " + known.tool_version + " on " + known.machine.architecture + ", " + known.machine.operating_system +
                                      (known.complete ? "" : "; incomplete");
    return description;
  }

  std::vector<BackendAnswer> run(const std::vector<ExchangeCase>& cases) override {
    std::vector<BackendAnswer> answers;
    for (const ExchangeCase& asked : cases) answers.push_back(answer(asked));
    return answers;
  }

  bool is_parallel() const override { return true; }

 private:
  BackendAnswer answer(const ExchangeCase& asked) const {
    const Result<std::string> digest = asked_digest(asked);
    if (!digest) return inconclusive("the request has no digest: " + digest.error().what);
    const auto found = record_.answers.find(*digest);
    if (found == record_.answers.end()) return {BackendAnswer::Kind::not_recorded, not_recorded_reason(), {}};
    ExchangeFile response;
    response.kind = "response";
    response.cases.push_back(found->second);
    response.cases.front().id = asked.id;
    auto checked = check_response({asked}, std::move(response));
    return checked ? std::move(checked->front()) : inconclusive(checked.error().what);
  }

  std::string not_recorded_reason() const {
    const RecordDescription& known = record_.description;
    if (!known.complete) return "the record has no answer to this request; it is incomplete";
    const std::int64_t left_out = known.unanswered + known.contradicted;
    return "the record has no answer to this request" +
           (left_out > 0 ? "; " + std::to_string(left_out) + " requests got none, or several that differ" : std::string());
  }

  Record record_;
};

const char* status_of(BackendAnswer::Kind kind) { return kind == BackendAnswer::Kind::answered ? "ok" : "unsupported"; }

/// A tensor without a stated type means what the request asks for; here there is nothing that says what that is.
bool is_fully_typed(const BackendAnswer& answer) { return std::ranges::none_of(answer.outputs, &ExchangeTensor::inferred); }

}  // namespace

Result<std::unique_ptr<Backend>> open_recorded(const std::string& folder) {
  TIEBREAK_TRY(record, read_record(folder));
  return std::unique_ptr<Backend>(std::make_unique<RecordedBackend>(std::move(record)));
}

RecordingBackend::RecordingBackend(Backend& backend, RecordFolder folder, BackendDescription description)
    : backend_(backend), folder_(std::move(folder)), description_(std::move(description)) {}

Result<std::unique_ptr<RecordingBackend>> RecordingBackend::open(Backend& backend, const std::string& folder) {
  TIEBREAK_TRY(description, backend.describe());
  if (description.details.contains("recorded"))
    return fail(Errc::usage, "these answers are recorded already, on another machine perhaps", folder, "copy the folder");
  TIEBREAK_TRY(opened, RecordFolder::open(folder));
  return std::unique_ptr<RecordingBackend>(new RecordingBackend(backend, std::move(opened), std::move(description)));
}

std::vector<BackendAnswer> RecordingBackend::run(const std::vector<ExchangeCase>& cases) {
  std::vector<BackendAnswer> answers = backend_.run(cases);
  for (std::size_t i = 0; i < cases.size() && i < answers.size(); ++i) keep(cases[i], answers[i]);
  return answers;
}

void RecordingBackend::keep(const ExchangeCase& asked, const BackendAnswer& answer) {
  using Kind = BackendAnswer::Kind;
  const Result<std::string> asked_as = asked_digest(asked);
  if (!asked_as) return;
  ExchangeCase kept;
  kept.id = *asked_as;
  kept.op = asked.op;
  kept.status = status_of(answer.kind);
  kept.reason = answer.reason;
  kept.outputs = answer.outputs;
  for (ExchangeTensor& output : kept.outputs) {  // a record has no inputs and no program, from which they could be found again
    const auto wanted = std::ranges::find(asked.outputs, output.name, &ExchangeTensor::name);
    if (wanted != asked.outputs.end()) output.parameters = wanted->parameters;
  }
  const bool is_answer = (answer.kind == Kind::answered && is_fully_typed(answer)) || answer.kind == Kind::unsupported;
  const Result<std::string> answered_as = is_answer ? answer_digest(kept) : Result<std::string>(std::string());
  std::lock_guard lock(mutex_);
  if (!is_answer || !answered_as) {
    unanswered_.insert(kept.id);
    return;
  }
  const auto [known, is_new] = digests_.try_emplace(kept.id, *answered_as);
  if (is_new) {
    answers_.emplace(kept.id, std::move(kept));
    return;
  }
  if (known->second != *answered_as) contradicted_.insert(kept.id);
  ExchangeCase& first = answers_.at(kept.id);
  first.reason = std::min(first.reason, kept.reason);  // the same, whichever came first
}

Result<RecordDescription> RecordingBackend::finish(bool complete) {
  Record record;
  record.description.system = without_paths(description_);
  record.description.machine = this_machine(record.description.system);
  record.description.tool_version = TIEBREAK_VERSION;
  record.description.complete = complete;
  std::lock_guard lock(mutex_);
  record.answers = answers_;
  for (const std::string& digest : contradicted_) record.answers.erase(digest);
  record.description.contradicted = static_cast<std::int64_t>(contradicted_.size());
  record.description.unanswered = std::ranges::count_if(unanswered_, [&](const std::string& digest) { return !digests_.contains(digest); });
  return folder_.write(std::move(record));
}

}  // namespace tiebreak
