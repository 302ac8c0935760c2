// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <filesystem>
#include <set>

#include "interpreter/json/json_value.hpp"
#include "interpreter/sha256.hpp"
#include "testsuite/case/request.hpp"
#include "testsuite/golden/golden_files.hpp"
#include "testsuite/sources/case_readers.hpp"
#include "testsuite/text/parallel.hpp"
#include "testsuite/text/value_text.hpp"

namespace fs = std::filesystem;

namespace tiebreak {
namespace {

bool undefined_at(const ExchangeTensor& output, std::int64_t i) {
  return static_cast<std::size_t>(i) < output.undefined.size() && output.undefined[static_cast<std::size_t>(i)] != 0;
}

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (a != a && b != b); }

std::string exchanged_value(const ExchangeTensor& output, std::int64_t i) {
  return undefined_at(output, i) ? "undefined" : value_text(output.tensor.value(i)) + " (" + bits_text(output.tensor, i) + ")";
}

/// Parameters of tensors that are not the same; with `may_be_older` the first side may have none: files written before have no parameters.
std::string tensors_moved(const std::vector<ExchangeTensor>& a, const std::vector<ExchangeTensor>& b, bool may_be_older) {
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    const auto &first = a[i].parameters, &second = b[i].parameters;
    if ((!first && !second) || (first && second && same_parameters(*first, *second)) || (may_be_older && !first)) continue;
    return a[i].name + ": parameters are " + (first ? to_text(*first) : "not stored") + " and " + (second ? to_text(*second) : "not stored");
  }
  return "";
}

std::string case_difference(const ExchangeCase& stored, const ExchangeCase& fresh, bool may_be_older = false) {
  if (stored.outputs.size() != fresh.outputs.size()) {
    return std::to_string(stored.outputs.size()) + " outputs stored, " + std::to_string(fresh.outputs.size()) + " computed";
  }
  for (std::size_t i = 0; i < stored.outputs.size(); ++i) {
    std::string difference = output_difference(stored.outputs[i], fresh.outputs[i]);
    if (!difference.empty()) return stored.outputs[i].name + difference;
  }
  const std::string moved = tensors_moved(stored.inputs, fresh.inputs, may_be_older);
  return moved.empty() ? tensors_moved(stored.outputs, fresh.outputs, may_be_older) : moved;
}

struct Recomputed {
  bool done = false;
  std::string finding{};
  std::optional<Error> unreadable{};
};

Recomputed recompute_case(const Library& library, const Case& test, const ExchangeCase& stored, const GoldenOptions& options) {
  GoldenOptions rebuild;
  rebuild.evaluate = options.evaluate;
  rebuild.profiles = {test.golden_profile};
  Result<GoldenBuild> build = build_golden(library, {test}, rebuild);
  if (!build && library.stop().is_requested()) return {};
  if (!build && build.error().code == Errc::unknown_name) return {false, "", build.error()};
  if (!build) return {false, "cannot be computed any more: " + build.error().what, {}};
  if (build->files.empty()) return {false, "cannot be computed any more", {}};
  return {true, case_difference(stored, build->files[0].content.cases[0], true), {}};
}

/// Computes every case of a file again under the profile it names.
void recompute_file(const Library& library, const std::string& path, const ExchangeFile& file, const GoldenOptions& options, GoldenVerdict& verdict) {
  Result<CaseList> cases = read_golden_cases(path, {});
  if (!cases) {
    verdict.unreadable.push_back(cases.error());
    return;
  }
  std::vector<Recomputed> outcomes(cases->size());
  auto interrupted = [&] { return options.interrupted && options.interrupted(); };
  for_each_index(options.jobs, cases->size(), interrupted, [&](std::size_t i) { outcomes[i] = recompute_case(library, (*cases)[i], file.cases[i], options); });
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    std::string where = path + ": " + (*cases)[i].id;
    if (outcomes[i].done) ++verdict.recomputed;
    if (!outcomes[i].finding.empty()) verdict.findings.push_back(where + ": " + outcomes[i].finding);
    if (outcomes[i].unreadable)
      verdict.unreadable.push_back(Error{outcomes[i].unreadable->code, outcomes[i].unreadable->what, where, outcomes[i].unreadable->hint});
  }
}

void verify_file(const Library& library, const std::string& path, bool recompute, const GoldenOptions& options, GoldenVerdict& verdict) {
  ++verdict.files;
  Result<ExchangeFile> file = read_exchange(path);
  if (!file) {
    verdict.unreadable.push_back(file.error());
    return;
  }
  if (file->kind != "golden") {
    verdict.unreadable.push_back(Error{Errc::corrupt, "not a golden file but a " + file->kind, path});
    return;
  }
  verdict.cases += file->cases.size();
  if (recompute) recompute_file(library, path, *file, options, verdict);
}

/// The manifest against the folder: missing, changed and unlisted files.
void verify_manifest(const fs::path& folder, const Manifest& manifest, GoldenVerdict& verdict) {
  std::set<std::string> listed;
  for (const ManifestEntry& entry : manifest.files) {
    listed.insert(entry.file);
    std::string path = (folder / entry.file).string();
    Result<std::string> bytes = read_text_file(path);
    if (!bytes) verdict.findings.push_back(path + ": in the manifest, but not in the folder");
    else if (std::string sum = sha256_hex(*bytes); sum != entry.sha256)
      verdict.findings.push_back(path + ": checksum is " + sum.substr(0, 16) + "..., the manifest has " + entry.sha256.substr(0, 16) + "...");
  }
  std::error_code error;
  std::set<std::string> present;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".h5") present.insert(entry.path().filename().string());
  }
  for (const std::string& name : present) {
    if (!listed.contains(name)) verdict.findings.push_back((folder / name).string() + ": not in the manifest");
  }
}

}  // namespace

std::string output_difference(const ExchangeTensor& a, const ExchangeTensor& b) {
  if (!same_type(a.tensor.type(), b.tensor.type())) return ": type is " + to_text(a.tensor.type()) + " and " + to_text(b.tensor.type());
  std::int64_t count = 0, first = -1;
  bool exact_values = false;
  for (std::int64_t i = 0; i < a.tensor.size(); ++i) {
    auto index = static_cast<std::size_t>(i);
    bool codes = a.tensor.code(i) == b.tensor.code(i) && undefined_at(a, i) == undefined_at(b, i);
    bool before =
        a.before.size() == b.before.size() &&
        (index >= a.before.size() || (same_bits(a.before[index].first, b.before[index].first) && same_bits(a.before[index].second, b.before[index].second)));
    bool distance = a.distance.size() == b.distance.size() && (index >= a.distance.size() || same_bits(a.distance[index], b.distance[index]));
    if (codes && before && distance) continue;
    if (first < 0) {
      first = i;
      exact_values = codes;
    }
    ++count;
  }
  if (first < 0) return "";
  std::string text = index_text(a.tensor.shape(), first) + ": " + exchanged_value(a, first) + " and " + exchanged_value(b, first);
  if (exact_values) text += ", the exact values or distances differ";
  return text + (count > 1 ? " (" + std::to_string(count) + " elements differ)" : "");
}

GoldenDifference diff_exchange(const ExchangeFile& a, const ExchangeFile& b) {
  GoldenDifference difference;
  auto find = [](const ExchangeFile& file, const std::string& id) {
    return std::find_if(file.cases.begin(), file.cases.end(), [&](const ExchangeCase& test) { return test.id == id; });
  };
  for (const ExchangeCase& left : a.cases) {
    auto right = find(b, left.id);
    if (right == b.cases.end()) {
      difference.lines.push_back(left.id + ": only in the first");
      continue;
    }
    ++difference.cases;
    if (std::string line = case_difference(left, *right); !line.empty()) difference.lines.push_back(left.id + ": " + line);
  }
  for (const ExchangeCase& right : b.cases) {
    if (find(a, right.id) == a.cases.end()) difference.lines.push_back(right.id + ": only in the second");
  }
  return difference;
}

GoldenVerdict verify_golden(const Library& library, const std::string& path, bool recompute, const GoldenOptions& options) {
  GoldenVerdict verdict;
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    verify_file(library, path, recompute, options, verdict);
    return verdict;
  }
  Result<Manifest> manifest = read_manifest((fs::path(path) / "manifest.json").string());
  if (!manifest) {
    verdict.unreadable.push_back(manifest.error());
    return verdict;
  }
  verify_manifest(path, *manifest, verdict);
  for (const ManifestEntry& entry : manifest->files) {
    std::string file = (fs::path(path) / entry.file).string();
    if (options.interrupted && options.interrupted()) return verdict;
    if (!fs::exists(file, error)) continue;
    std::size_t cases_before = verdict.cases, unreadable_before = verdict.unreadable.size();
    verify_file(library, file, recompute, options, verdict);
    auto found = static_cast<std::int64_t>(verdict.cases - cases_before);
    if (verdict.unreadable.size() == unreadable_before && found != entry.cases) {
      verdict.findings.push_back(file + ": " + std::to_string(found) + " cases, the manifest has " + std::to_string(entry.cases));
    }
  }
  return verdict;
}

}  // namespace tiebreak
