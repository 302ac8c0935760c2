// SPDX-License-Identifier: Apache-2.0
// The client of adapter processes: one process a batch, and one a case where a batch fails as a whole, or where that is asked for.
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <mutex>
#include <optional>
#include <utility>

#include "testsuite/backends/adapter_search.hpp"
#include "testsuite/backends/answer.hpp"
#include "testsuite/backends/backend.hpp"
#include "testsuite/backends/child_process.hpp"
#include "testsuite/backends/description.hpp"
#include "testsuite/backends/recorded_backend.hpp"
#include "testsuite/backends/temporary_folder.hpp"

namespace tiebreak {
namespace {

/// After so many cases in a row that end alike when run alone, the rest is taken to end alike, too.
constexpr std::size_t same_end_limit = 20;
/// A batch that failed is asked again in parts of so many, and only a part that fails, too, case by case: starting a library takes longer than most cases.
constexpr std::size_t part_size = 16;

/// Why no answer came: what happened, and what the adapter printed last.
struct Failure {
  std::string what;
  std::string printed{};
  bool is_interrupted = false;

  std::string text() const { return printed.empty() ? what : what + ": " + printed; }
};

class ProcessBackend final : public Backend {
 public:
  ProcessBackend(AdapterCommand command, BackendOptions options) : command_(std::move(command)), options_(std::move(options)) {}

  /// Asked once: an adapter says the same of itself as long as its options are.
  Result<BackendDescription> describe() override {
    std::lock_guard lock(description_mutex_);
    if (description_) return *description_;
    TIEBREAK_TRY(folder, TemporaryFolder::create());
    TIEBREAK_TRY(outcome, run_child(words({"describe"}), folder.path(), child_options()));
    if (!outcome.is_success()) {
      const Failure failure = failure_of(outcome);
      return fail(Errc::backend, "describe: " + failure.text(), command_.path);
    }
    TIEBREAK_TRY(description, parse_description(outcome.standard_output, command_.path));
    description_ = description;
    return description;
  }

  std::vector<BackendAnswer> run(const std::vector<ExchangeCase>& cases) override {
    if (cases.empty()) return {};
    if (options_.isolate) return run_apart(cases);
    auto together = run_batch(cases);
    if (together) return std::move(*together);
    const Failure failure = std::move(together).error();
    if (cases.size() == 1 || failure.is_interrupted) return std::vector(cases.size(), inconclusive(failure.text()));
    return run_apart(cases);
  }

  std::string path() const override { return command_.path; }

  /// Every call has processes and files of its own.
  bool is_parallel() const override { return true; }

 private:
  ChildOptions child_options() const { return {options_.timeout_seconds, options_.memory_limit_mib, options_.interrupted}; }

  std::vector<std::string> words(std::vector<std::string> verb) const {
    std::vector<std::string> all = command_.command;
    all.insert(all.end(), options_.arguments.begin(), options_.arguments.end());
    all.insert(all.end(), std::make_move_iterator(verb.begin()), std::make_move_iterator(verb.end()));
    return all;
  }

  Failure failure_of(const ChildOutcome& outcome) const {
    return {to_text(outcome, options_.timeout_seconds), printable(outcome.error_tail), outcome.kind == ChildOutcome::Kind::interrupted};
  }

  static Failure failure_of(const Error& error) { return {error.what}; }

  /// All cases in one process, or why there is no answer to any.
  tl::expected<std::vector<BackendAnswer>, Failure> run_batch(const std::vector<ExchangeCase>& cases) const {
    const auto folder = TemporaryFolder::create();
    if (!folder) return tl::unexpected(Failure{to_text(folder.error())});
    const std::string request = folder->path() + "/request.h5";
    const std::string response = folder->path() + "/response.h5";
    if (const Status written = write_request(cases, request); !written)
      return tl::unexpected(Failure{"the request cannot be written: " + to_text(written.error())});
    const auto outcome = run_child(words({"run", request, response}), folder->path(), child_options());
    if (!outcome) return tl::unexpected(failure_of(outcome.error()));
    if (!outcome->is_success()) return tl::unexpected(failure_of(*outcome));
    auto read = read_exchange_isolated(response, options_.timeout_seconds);
    if (!read)
      return tl::unexpected(Failure{"the response cannot be read: " + without_folder(to_text(read.error()), folder->path()), printable(outcome->error_tail)});
    auto answers = check_response(cases, std::move(*read));
    if (!answers) return tl::unexpected(Failure{answers.error().what});
    return std::move(*answers);
  }

  /// Reports must not differ from run to run by the name of a temporary folder.
  static std::string without_folder(std::string text, const std::string& folder) {
    for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder, at)) text.erase(at, folder.size() + 1);
    return printable(text);
  }

  /// How often in a row a case that ran alone has ended in the same way.
  struct Ends {
    std::string last{};
    std::size_t alike = 0;
    bool is_interrupted = false;

    void add(const Failure& failure) {
      alike = failure.what == last ? alike + 1 : 1;
      last = failure.what;
      is_interrupted = failure.is_interrupted;
    }
  };

  /// After a batch that failed as a whole, or where isolation is asked for.
  std::vector<BackendAnswer> run_apart(const std::vector<ExchangeCase>& cases) const {
    std::vector<BackendAnswer> answers;
    Ends ends;
    const std::size_t step = options_.isolate || cases.size() <= 2 * part_size ? cases.size() : part_size;
    for (std::size_t first = 0; first < cases.size(); first += step) {
      const std::vector part(cases.begin() + static_cast<std::ptrdiff_t>(first),
                             cases.begin() + static_cast<std::ptrdiff_t>(std::min(first + step, cases.size())));
      if (part.size() < cases.size()) {
        if (auto together = run_batch(part)) {
          std::ranges::move(*together, std::back_inserter(answers));
          ends = {};
          continue;
        }
      }
      if (!run_alone(part, answers, ends)) {
        const std::string rest = ends.is_interrupted ? ends.last : ends.last + ", as the cases before it; not run alone";
        answers.resize(cases.size(), inconclusive(rest));
        break;
      }
    }
    return answers;
  }

  /// Each case in a process of its own. False if the rest need not be asked.
  bool run_alone(const std::vector<ExchangeCase>& cases, std::vector<BackendAnswer>& answers, Ends& ends) const {
    for (const ExchangeCase& one : cases) {
      auto alone = run_batch({one});
      if (alone) {
        answers.push_back(std::move(alone->front()));
        ends = {};
        continue;
      }
      ends.add(alone.error());
      answers.push_back(inconclusive(alone.error().text()));
      if (ends.is_interrupted || (!options_.isolate && ends.alike >= same_end_limit)) return false;
    }
    return true;
  }

  AdapterCommand command_;
  BackendOptions options_;
  std::mutex description_mutex_{};
  std::optional<BackendDescription> description_{};
};

}  // namespace

Result<std::unique_ptr<Backend>> Backend::open(const std::string& name_or_path, const BackendOptions& options) {
  if (name_or_path.starts_with(recorded_prefix)) {
    if (!options.arguments.empty()) return fail(Errc::usage, "a record takes no options", options.arguments.front());
    return open_recorded(name_or_path.substr(recorded_prefix.size()));
  }
  TIEBREAK_TRY(command, find_adapter(name_or_path));
  return std::unique_ptr<Backend>(std::make_unique<ProcessBackend>(std::move(command), options));
}

std::string known_failures_file(const std::string& path, const BackendDescription& description) {
  const auto isa = description.details.find("isa");
  const std::string word = isa == description.details.end() ? "" : isa->second.substr(0, isa->second.find(' '));
  std::error_code error;
  for (const std::string& ending : {".known-" + word + ".json", std::string(".known.json")})
    if (!path.empty() && std::filesystem::is_regular_file(path + ending, error)) return path + ending;
  return "";
}

std::vector<std::string> Backend::available() { return adapter_names(); }

}  // namespace tiebreak
