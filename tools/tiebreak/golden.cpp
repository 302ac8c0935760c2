// SPDX-License-Identifier: Apache-2.0
// tiebreak golden: expected outputs in files, made and checked.
#include <algorithm>
#include <filesystem>

#include "interpreter/semantics/dependencies.hpp"
#include "testsuite/golden/golden_files.hpp"
#include "testsuite/sources/load_cases.hpp"
#include "testsuite/text/output_file.hpp"
#include "testsuite/text/text_table.hpp"
#include "tools/tiebreak/line/command.hpp"
#include "tools/tiebreak/line/console.hpp"
#include "tools/tiebreak/line/interrupt.hpp"
#include "tools/tiebreak/verbs.hpp"

namespace tiebreak::command {
namespace {

struct GoldenArguments {
  SelectionText selection;
  std::vector<std::string> profiles, paths;
  std::string folder, jobs = "1", engine = "fast", a, b;
  bool check = false, no_recompute = false, quiet = false;
};

Result<GoldenOptions> golden_settings(const GoldenArguments& options, Progress& progress) {
  GoldenOptions settings;
  settings.profiles = options.profiles;
  TIEBREAK_TRY(jobs, parse_jobs(options.jobs));
  TIEBREAK_TRY(engine, parse_engine(options.engine));
  settings.jobs = jobs;
  settings.evaluate = engine;
  settings.evaluate.explain_values = true;
  settings.interrupted = [] { return interrupted(); };
  settings.progress = [&progress](std::size_t done, std::size_t total) { progress(done, total); };
  return settings;
}

/// Nothing is selected: all cases of the installation.
bool is_whole(const SelectionText& text) { return text.sources.empty() && text.globs.empty() && text.most.empty() && text.seed.empty(); }

/// Without -o the installation's own files, but only when all of them are built: a part would replace the whole.
Result<std::string> build_folder(const GoldenArguments& options) {
  if (!options.folder.empty()) return options.folder;
  std::string folder = default_golden_folder();
  if (!is_whole(options.selection) || !options.profiles.empty() || folder.empty()) return fail(Errc::usage, "no folder is named", "golden build", "-o FOLDER");
  return folder;
}

Result<int> run_golden_build(const GoldenArguments& options) {
  Progress progress("computed", !options.quiet);
  TIEBREAK_TRY(settings, golden_settings(options, progress));
  TIEBREAK_TRY(folder, build_folder(options));
  if (!options.check) TIEBREAK_CHECK(make_output_folder(folder));
  TIEBREAK_TRY(library, load_library());
  for (const std::string& name : options.profiles) TIEBREAK_CHECK(library->find_profile(name));
  TIEBREAK_TRY(selection, to_selection(options.selection));
  selection.golden = true;
  TIEBREAK_TRY(cases, select_cases(*library, selection));
  if (is_whole(options.selection)) {
    TIEBREAK_TRY(examples, examples_of_other_ops(*library, cases));
    std::ranges::move(examples, std::back_inserter(cases));
  }
  if (cases.empty()) {
    print_error({Errc::usage, "nothing is selected", "", "tiebreak case list"});
    return nothing_selected;
  }
  for (const std::string& name : options.profiles)
    if (const std::string silent = undeclared_text({*library, **library->find_profile(name)}, ops_of_cases(cases)); !silent.empty())
      print_note("tiebreak: " + silent);
  TIEBREAK_TRY(golden, build_golden(*library, cases, settings));
  progress.clear();
  if (!options.quiet) {
    for (const std::string& left_out : golden.left_out) print_note("left out " + left_out);
  }
  if (golden.files.empty()) return fail(Errc::usage, "none of the selected cases has outputs");
  if (options.check) {
    TIEBREAK_TRY(different, check_golden(golden, folder));
    std::string text;
    for (const std::string& line : different) text += "  " + line + "\n";
    text += counted(golden.files.size(), "file") +
            " and the manifest: " + (different.empty() ? "equal byte for byte" : std::to_string(different.size()) + " differ") + "\n";
    TIEBREAK_CHECK(print(text));
    return different.empty() ? success : finding;
  }
  TIEBREAK_TRY(written, write_golden(golden, folder));
  std::string text;
  for (const std::string& path : written) text += path + "\n";
  TIEBREAK_CHECK(print(options.quiet ? "" : text));
  return success;
}

Result<std::vector<std::string>> paths_or_default(const GoldenArguments& options) {
  if (!options.paths.empty()) return options.paths;
  std::string folder = default_golden_folder();
  if (folder.empty()) return fail(Errc::usage, "this installation has no golden files", "", "name a file or folder, or set TIEBREAK_GOLDEN");
  return std::vector<std::string>{folder};
}

Result<int> run_golden_verify(const GoldenArguments& options) {
  Progress progress("recomputed", false);
  TIEBREAK_TRY(settings, golden_settings(options, progress));
  TIEBREAK_TRY(paths, paths_or_default(options));
  TIEBREAK_TRY(library, load_library());
  GoldenVerdict all;
  for (const std::string& path : paths) {
    GoldenVerdict verdict = verify_golden(*library, path, !options.no_recompute, settings);
    all.files += verdict.files;
    all.cases += verdict.cases;
    all.recomputed += verdict.recomputed;
    all.findings.insert(all.findings.end(), verdict.findings.begin(), verdict.findings.end());
    all.unreadable.insert(all.unreadable.end(), verdict.unreadable.begin(), verdict.unreadable.end());
  }
  std::string text;
  for (const std::string& line : all.findings) text += "  " + line + "\n";
  text += counted(all.files, "file") + ", " + counted(all.cases, "case") + ": " + std::to_string(all.recomputed) + " recomputed, " +
          counted(all.findings.size(), "difference") + "\n";
  TIEBREAK_CHECK(print(text));
  for (const Error& error : all.unreadable) print_error(error);
  if (!all.unreadable.empty()) return bad_input;
  if (!all.findings.empty()) return finding;
  return all.files == 0 ? nothing_selected : success;
}

Result<std::vector<std::string>> files_of(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) return std::vector<std::string>{path};
  TIEBREAK_TRY(manifest, read_manifest((std::filesystem::path(path) / "manifest.json").string()));
  std::vector<std::string> files;
  for (const ManifestEntry& entry : manifest.files) files.push_back((std::filesystem::path(path) / entry.file).string());
  return files;
}

Result<int> run_golden_info(const GoldenArguments& options) {
  TIEBREAK_TRY(paths, paths_or_default(options));
  std::string text;
  for (const std::string& path : paths) {
    TIEBREAK_TRY(files, files_of(path));
    for (const std::string& file : files) {
      TIEBREAK_TRY(content, read_exchange(file));
      text += file + "\n";
      TextTable context({"", ""});
      for (const auto& [name, value] : content.context) context.add({name, value});
      text += context.text("  ", false);
      for (const ExchangeCase& test : content.cases) {
        text += "  " + test.id + "\n";
        for (const auto* tensors : {&test.inputs, &test.outputs}) {
          for (const ExchangeTensor& tensor : *tensors) {
            text += std::string("    ") + (tensors == &test.inputs ? "in   " : "out  ") + tensor.name + ": " + to_text(tensor.tensor.type()) + "\n";
          }
        }
      }
    }
  }
  TIEBREAK_CHECK(print(text));
  return success;
}

Result<int> run_golden_diff(const GoldenArguments& options) {
  TIEBREAK_TRY(difference, diff_golden_paths(options.a, options.b));
  std::string text;
  for (const std::string& line : difference.lines) text += "  " + line + "\n";
  text += counted(difference.cases, "case") + " compared, " + counted(difference.lines.size(), "difference") + "\n";
  TIEBREAK_CHECK(print(text));
  return difference.lines.empty() ? success : finding;
}

void add_build(Verb& group, const std::shared_ptr<GoldenArguments>& options) {
  Verb* sub = group.add_subcommand("build", "Compute the selected cases and write one file per op and profile, with a manifest");
  add_selection(*sub, options->selection);
  sub->add_option("-o,--output", options->folder, "folder to write to (default, when nothing is selected: the golden files of this installation)")
      ->type_name("FOLDER");
  sub->add_option("-p,--profile", options->profiles, "may be repeated (default: onnx for onnx ops, stablehlo-spec for stablehlo ops)")->type_name("PROFILE");
  sub->add_option("-j,--jobs", options->jobs, "cases computed at the same time, or auto (default 1); never changes a byte")->type_name("N");
  sub->add_option("--engine", options->engine, "fast (default), exact, or both and compare")->type_name("ENGINE");
  sub->add_flag("--check", options->check, "write nothing; exit 1 if the folder's files are not what would be written");
  sub->add_flag("-q,--quiet", options->quiet, "do not list what is written");
  sub->footer = "The same cases, pages and profiles give the same bytes, on every run and for every -j.";
  sub->action = [options] { return run_golden_build(*options); };
}

}  // namespace

void add_golden(Verb& app) {
  auto options = std::make_shared<GoldenArguments>();
  Verb* group = app.add_subcommand("golden", "Build, verify, show and compare golden files");
  add_build(*group, options);
  Verb* sub = group->add_subcommand("verify", "Checksums, manifest, and every expectation computed again");
  sub->add_option("PATH", options->paths, "files, or folders with a manifest (default: those of this installation)")->type_name("");
  sub->add_flag("--no-recompute", options->no_recompute, "integrity only");
  sub->add_option("-j,--jobs", options->jobs, "cases computed at the same time, or auto (default 1)")->type_name("N");
  sub->add_option("--engine", options->engine, "fast (default), exact, or both and compare")->type_name("ENGINE");
  sub->footer = "Exit codes: 0 nothing has moved, 1 something has, 2 a file cannot be read.";
  sub->action = [options] { return run_golden_verify(*options); };
  sub = group->add_subcommand("info", "What a golden file holds");
  sub->add_option("PATH", options->paths, "files, or folders with a manifest")->type_name("");
  sub->action = [options] { return run_golden_info(*options); };
  sub = group->add_subcommand("diff", "Compare the outputs in two files, or in the files of two folders");
  sub->add_option("A", options->a, "a golden file, request or response, or a folder with a manifest")->type_name("")->required();
  sub->add_option("B", options->b, "another")->type_name("")->required();
  sub->footer =
      "Files of two folders are compared by name; one that only one folder has is a difference.\nExit codes: 0 no difference, 1 a difference, 2 a file cannot "
      "be read.";
  sub->action = [options] { return run_golden_diff(*options); };
}

}  // namespace tiebreak::command
