// SPDX-License-Identifier: Apache-2.0
#include "testsuite/check/earlier_run.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>

#include "interpreter/json/json_value.hpp"
#include "interpreter/json/json_writer.hpp"
#include "testsuite/text/output_file.hpp"

namespace tiebreak {
namespace {

constexpr const char* report_schema = "tiebreak.report/1";
constexpr const char* state_schema = "tiebreak.last-failed/1";

std::vector<std::string> status_words() {
  std::vector<std::string> words{"all"};
  for (CaseStatus status : every_status) words.emplace_back(to_word(status));
  return words;
}

void add_case(EarlierCases& cases, const std::string& id, const std::string& source) {
  cases.ids.insert(id);
  if (std::find(cases.sources.begin(), cases.sources.end(), source) == cases.sources.end()) cases.sources.push_back(source);
}

Status check_schema(const JsonValue& root, const char* schema) {
  TIEBREAK_TRY(written, text_at(root, "schema"));
  if (written == schema) return {};
  return fail(Errc::syntax, "schema '" + written + "' is not " + schema, root.where);
}

Result<std::uint64_t> seed_of(const std::string& text, const std::string& where) {
  std::uint64_t seed = 0;
  auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (text.empty() || code != std::errc() || stop != text.data() + text.size()) return fail(Errc::syntax, "'" + text + "' is no seed", where);
  return seed;
}

struct Failure {
  std::string id, source, backend, seed;
  auto operator<=>(const Failure&) const = default;
};

Result<std::vector<Failure>> read_failures(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return std::vector<Failure>{};
  TIEBREAK_TRY(root, read_json_file(path));
  TIEBREAK_CHECK(check_schema(root, state_schema));
  TIEBREAK_TRY(cases, array_at(root, "cases"));
  std::vector<Failure> failures;
  for (const JsonValue& item : cases->items) {
    Failure failure;
    for (auto [key, text] : {std::pair{"id", &failure.id}, {"source", &failure.source}, {"backend", &failure.backend}, {"seed", &failure.seed}}) {
      TIEBREAK_TRY(value, text_at(item, key));
      *text = value;
    }
    failures.push_back(std::move(failure));
  }
  return failures;
}

bool has_failed(CaseStatus status) { return status == CaseStatus::fail || status == CaseStatus::inconclusive; }

}  // namespace

Result<std::set<CaseStatus>> parse_statuses(const std::string& text) {
  std::set<CaseStatus> statuses;
  for (std::size_t start = 0; start <= text.size();) {
    std::size_t end = std::min(text.find(',', start), text.size());
    std::string word = text.substr(start, end - start);
    bool known = false;
    for (CaseStatus status : every_status) {
      if (word != "all" && word != to_word(status)) continue;
      statuses.insert(status);
      known = true;
    }
    if (!known) {
      std::string near = nearest(word, status_words()), all;
      for (const std::string& one : status_words()) all += (all.empty() ? "one of " : " ") + one;
      return fail(Errc::usage, "unknown status '" + word + "'", "--status", near.empty() ? all : "did you mean '" + near + "'?");
    }
    start = end + 1;
  }
  return statuses;
}

Result<EarlierCases> cases_of_report(const std::string& path, const std::set<CaseStatus>& statuses) {
  TIEBREAK_TRY(root, read_json_file(path));
  TIEBREAK_CHECK(check_schema(root, report_schema));
  TIEBREAK_TRY(cases, array_at(root, "cases"));
  EarlierCases earlier;
  for (const JsonValue& item : cases->items) {
    TIEBREAK_TRY(word, text_at(item, "status"));
    if (std::none_of(statuses.begin(), statuses.end(), [&](CaseStatus status) { return word == to_word(status); })) continue;
    TIEBREAK_TRY(id, text_at(item, "id"));
    TIEBREAK_TRY(source, text_at(item, "source"));
    add_case(earlier, id, source);
  }
  const JsonValue* context = root.find("context");
  if (const JsonValue* seed = context == nullptr ? nullptr : context->find("seed")) {
    TIEBREAK_TRY(number, seed_of(seed->text, seed->where));
    earlier.seed = number;
  }
  return earlier;
}

Result<EarlierCases> last_failures(const std::string& path, const std::string& backend, std::optional<std::uint64_t> wanted_seed) {
  TIEBREAK_TRY(failures, read_failures(path));
  EarlierCases earlier;
  for (const Failure& failure : failures) {
    if (failure.backend != backend) continue;
    TIEBREAK_TRY(seed, seed_of(failure.seed, path));
    if (wanted_seed && seed != *wanted_seed) continue;
    if (earlier.seed && *earlier.seed != seed) {
      return fail(Errc::usage, "the cases that failed were made with different seeds, " + std::to_string(*earlier.seed) + " and " + failure.seed, path,
                  "choose one with --seed");
    }
    earlier.seed = seed;
    add_case(earlier, failure.id, failure.source);
  }
  return earlier;
}

Status remember_failures(const std::string& path, const std::string& backend, std::uint64_t seed, const CheckReport& report) {
  TIEBREAK_TRY(failures, read_failures(path));
  std::set<std::string> decided;
  for (const CaseReport& test : report.cases)
    if (test.status != CaseStatus::not_run) decided.insert(test.id);
  std::erase_if(failures,
                [&](const Failure& failure) { return failure.backend == backend && failure.seed == std::to_string(seed) && decided.contains(failure.id); });
  for (const CaseReport& test : report.cases)
    if (has_failed(test.status)) failures.push_back({test.id, test.source, backend, std::to_string(seed)});
  std::sort(failures.begin(), failures.end());
  JsonWriter json;
  json.begin_object().member("schema", state_schema).key("cases").begin_array();
  for (const Failure& failure : failures) {
    json.begin_object().member("id", failure.id).member("source", failure.source).member("backend", failure.backend);
    json.member("seed", failure.seed).end_object();
  }
  json.end_array().end_object();
  return write_file(path, json.text());
}

void select_again(const EarlierCases& earlier, bool seed_is_given, Selection& selection) {
  auto ids = std::make_shared<const std::set<std::string>>(earlier.ids);
  selection.only = [ids](const std::string& id) { return ids->contains(id); };
  if (selection.sources.empty()) selection.sources = earlier.sources;
  if (!seed_is_given && earlier.seed) selection.seed = *earlier.seed;
}

}  // namespace tiebreak
