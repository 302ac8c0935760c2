// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>

#include "interpreter/json/json_value.hpp"
#include "interpreter/semantics/dependencies.hpp"
#include "interpreter/sha256.hpp"
#include "testsuite/case/request.hpp"
#include "testsuite/golden/golden_files.hpp"
#include "testsuite/text/output_file.hpp"
#include "testsuite/text/parallel.hpp"

namespace fs = std::filesystem;

namespace tiebreak {
namespace {

/// The system whose semantics an op's family has by default.
std::string family_profile(const Library& library, const std::string& op) {
  std::string name = op.starts_with("onnx.") ? "onnx" : op.starts_with("stablehlo.") ? "stablehlo-spec" : "reference";
  return library.find_profile(name) ? name : "reference";
}

struct GoldenTask {
  const Case* test = nullptr;
  const Profile* profile = nullptr;
  std::string op;
};

Result<std::vector<GoldenTask>> tasks_for(const Library& library, const std::vector<Case>& cases, const GoldenOptions& options,
                                          std::vector<std::string>& left_out) {
  std::vector<GoldenTask> tasks;
  for (const Case& test : cases) {
    if (test.unusable || !test.expected_error.empty()) {
      left_out.push_back(test.id + ": " + (test.unusable ? test.unusable->what : "ill-formed on purpose (" + test.expected_error + ")"));
      continue;
    }
    std::string op = op_names(test.program);
    std::vector<std::string> names = options.profiles;
    if (names.empty()) names.push_back(family_profile(library, op));
    for (const std::string& name : names) {
      TIEBREAK_TRY(profile, library.find_profile(name));
      tasks.push_back({&test, profile, op});
    }
  }
  return tasks;
}

/// Runs every task; outcomes are stored by index.
Result<std::vector<Result<ExchangeCase>>> run_tasks(const Library& library, const std::vector<GoldenTask>& tasks, const GoldenOptions& options) {
  std::vector<Result<ExchangeCase>> outcomes(tasks.size(), ExchangeCase{});
  std::size_t done = 0;
  std::mutex progress_mutex;
  auto interrupted = [&] { return options.interrupted && options.interrupted(); };
  for_each_index(options.jobs, tasks.size(), interrupted, [&](std::size_t i) {
    const GoldenTask& task = tasks[i];
    Result<std::vector<ResultTensor>> outputs = evaluate({library, *task.profile}, task.test->program, task.test->inputs, options.evaluate);
    if (outputs) {
      outcomes[i] = to_golden(library, *task.test, *task.profile, *outputs);
    } else {
      outcomes[i] =
          fail(outputs.error().code, task.test->id + " under " + task.profile->name + ": " + outputs.error().what, outputs.error().where, outputs.error().hint);
    }
    std::lock_guard lock(progress_mutex);
    if (options.progress) options.progress(++done, tasks.size());
  });
  if (interrupted()) return fail(Errc::usage, "interrupted: nothing is written");
  return outcomes;
}

struct Staged {
  std::string folder;
  ~Staged() {
    std::error_code error;
    if (!folder.empty()) fs::remove_all(folder, error);
  }
};

Status make_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return fail(Errc::io, "cannot make the folder: " + error.message(), folder);
  return {};
}

/// Writes every file and the manifest into `folder`.
Status write_all(const GoldenBuild& build, const std::string& folder) {
  TIEBREAK_CHECK(make_folder(folder));
  Manifest manifest;
  for (const GoldenFile& file : build.files) {
    std::string path = (fs::path(folder) / file.name).string();
    TIEBREAK_CHECK(write_exchange(file.content, path));
    TIEBREAK_TRY(bytes, read_text_file(path));
    manifest.files.push_back({file.name, sha256_hex(bytes), file.op, file.profile, file.spec_hash, static_cast<std::int64_t>(file.content.cases.size())});
  }
  return write_file((fs::path(folder) / "manifest.json").string(), manifest_text(manifest));
}

}  // namespace

Result<GoldenBuild> build_golden(const Library& library, const std::vector<Case>& cases, const GoldenOptions& options) {
  GoldenBuild build;
  TIEBREAK_TRY(tasks, tasks_for(library, cases, options, build.left_out));
  TIEBREAK_TRY(outcomes, run_tasks(library, tasks, options));
  std::map<std::string, GoldenFile> files;
  std::map<std::string, std::set<std::string>> ops;  // of the programs in a file
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const GoldenTask& task = tasks[i];
    if (!outcomes[i]) {
      if (outcomes[i].error().code != Errc::unsupported) return tl::unexpected<Error>(outcomes[i].error());
      build.left_out.push_back(task.test->id + ": " + outcomes[i].error().what);
      continue;
    }
    std::string name = task.op + "." + task.profile->name + ".h5";
    GoldenFile& file = files[name];
    if (file.name.empty()) {
      file = {name, task.op, task.profile->name, {}, {}};
      file.content.kind = "golden";
    }
    ops[name].merge(ops_with_regions(task.test->program));
    file.content.cases.push_back(*std::move(outcomes[i]));
  }
  for (auto& [name, file] : files) {
    TIEBREAK_TRY(profile, library.find_profile(file.profile));
    file.spec_hash = joined_hash(dependency_hashes({library, *profile}, ops[name]));
    file.content.context = {{"profile", file.profile}, {"spec_hash", file.spec_hash}, {"tool_version", TIEBREAK_VERSION}};
    std::sort(file.content.cases.begin(), file.content.cases.end(), [](const ExchangeCase& a, const ExchangeCase& b) { return a.id < b.id; });
    build.files.push_back(std::move(file));
  }
  return build;
}

Result<std::vector<std::string>> write_golden(const GoldenBuild& build, const std::string& folder) {
  TIEBREAK_CHECK(write_all(build, folder));
  std::vector<std::string> written;
  for (const GoldenFile& file : build.files) written.push_back((fs::path(folder) / file.name).string());
  written.push_back((fs::path(folder) / "manifest.json").string());
  return written;
}

Result<std::vector<std::string>> check_golden(const GoldenBuild& build, const std::string& folder) {
  std::string pattern = (fs::temp_directory_path() / "tiebreak-golden-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) return fail(Errc::io, "cannot make a temporary folder", pattern);
  Staged staged{pattern};
  TIEBREAK_CHECK(write_all(build, staged.folder));
  std::vector<std::string> names{"manifest.json"};
  for (const GoldenFile& file : build.files) names.push_back(file.name);
  std::vector<std::string> different;
  for (const std::string& name : names) {
    TIEBREAK_TRY(fresh, read_text_file((fs::path(staged.folder) / name).string()));
    Result<std::string> kept = read_text_file((fs::path(folder) / name).string());
    if (!kept) different.push_back(name + ": missing");
    else if (*kept != fresh) different.push_back(name + ": differs from what is computed now");
  }
  return different;
}

}  // namespace tiebreak
