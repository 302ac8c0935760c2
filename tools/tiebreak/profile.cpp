// SPDX-License-Identifier: Apache-2.0
// tiebreak profile: the systems whose semantics are known.
#include "interpreter/json/json_value.hpp"
#include "interpreter/json/json_writer.hpp"
#include "interpreter/notation/notation.hpp"
#include "testsuite/diff/atlas.hpp"
#include "testsuite/diff/cast_atlas.hpp"
#include "testsuite/text/output_file.hpp"
#include "testsuite/text/text_table.hpp"
#include "tools/tiebreak/line/console.hpp"
#include "tools/tiebreak/line/interrupt.hpp"
#include "tools/tiebreak/verbs.hpp"

namespace tiebreak::command {
namespace {

struct ProfileArguments {
  std::string profile, json, output, jobs = "1";
  bool check = false;
};

std::string alternative_text(const ProfileValue& value) {
  std::string text = value.alternative;
  for (const std::string& alternative : value.any) text += (text.empty() ? "any of " : " ") + alternative;
  if (value.condition) text = value.then + " if " + notation::print(*value.condition) + ", else " + value.otherwise;
  return text;
}

std::string space_separated(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

Status print_either(const ProfileArguments& options, const JsonWriter& json, const std::string& text) {
  if (!options.json.empty() && options.json != "-") TIEBREAK_CHECK(write_file(options.json, json.text()));
  return print(options.json == "-" ? json.text() : text);
}

Result<int> run_profile_list(const ProfileArguments& options) {
  TIEBREAK_TRY(library, load_library());
  JsonWriter json;
  json.begin_object().member("schema", "tiebreak.profiles/1").key("profiles").begin_array();
  TextTable table({"profile", "extends", "versions", "title"});
  bool has_reference = library->profiles().contains("reference");
  if (!has_reference) table.add({"reference", "", "", "the pages' own readings"});
  if (!has_reference) json.begin_object().member("name", "reference").member("title", "the pages' own readings").end_object();
  for (const auto& [name, profile] : library->profiles()) {
    table.add({name, profile.extends, profile.versions, profile.title.empty() ? profile.system : profile.title});
    json.begin_object().member("name", name).member("extends", profile.extends).member("system", profile.system).member("versions", profile.versions);
    json.member("title", profile.title).member("hash", profile.hash).end_object();
  }
  json.end_array().end_object();
  TIEBREAK_CHECK(print_either(options, json, table.text("")));
  return success;
}

Result<int> run_profile_show(const ProfileArguments& options) {
  TIEBREAK_TRY(library, load_library());
  TIEBREAK_TRY(profile, library->find_profile(options.profile));
  TextTable facts({"", ""});
  for (const auto& [name, value] : std::vector<std::pair<std::string, std::string>>{{"profile", profile->name},
                                                                                    {"title", profile->title},
                                                                                    {"system", profile->system},
                                                                                    {"versions", profile->versions},
                                                                                    {"isa", space_separated(profile->isa)},
                                                                                    {"extends", profile->extends},
                                                                                    {"sources", space_separated(profile->sources)},
                                                                                    {"file", profile->file},
                                                                                    {"hash", profile->hash}}) {
    if (!value.empty()) facts.add({name, value});
  }
  JsonWriter json;
  json.begin_object().member("schema", "tiebreak.profile-shown/1").member("name", profile->name).member("extends", profile->extends);
  json.member("system", profile->system).member("versions", profile->versions).member("isa", profile->isa).member("sources", profile->sources);
  json.member("hash", profile->hash).key("choices").begin_object();
  TextTable choices({"choice", "alternative"});
  for (const auto& [key, value] : profile->choices) {
    choices.add({key, alternative_text(value)});
    json.member(key, alternative_text(value));
  }
  json.end_object().end_object();
  std::string text = facts.text("", false) + (choices.empty() ? "no choices of its own: every page's first alternative\n" : choices.text("  "));
  TIEBREAK_CHECK(print_either(options, json, text));
  return success;
}

std::string folder_of(const ProfileArguments& options) { return options.output.empty() ? "." : options.output; }

/// Whether the files can be written, asked before they are computed.
Status check_folder(const ProfileArguments& options) { return options.check ? Status{} : make_output_folder(folder_of(options)); }

/// Writes generated files, or compares them with what stands there.
Result<int> write_or_check(const ProfileArguments& options, const std::vector<AtlasFile>& files, const std::string& again) {
  if (interrupted()) return success;  // main answers with the signal's code; half a document is none
  std::vector<std::string> stale;
  for (const AtlasFile& file : files) {
    const std::string path = folder_of(options) + "/" + file.name;
    if (!options.check) {
      TIEBREAK_CHECK(write_file(path, file.content));
      continue;
    }
    Result<std::string> there = read_text_file(path);
    if (!there || *there != file.content) stale.push_back(path);
  }
  for (const std::string& path : stale) print_error({Errc::usage, "not what is generated", path, again});
  return stale.empty() ? success : finding;
}

Result<int> run_profile_atlas(const ProfileArguments& options) {
  TIEBREAK_TRY(library, load_library());
  TIEBREAK_TRY(jobs, parse_jobs(options.jobs));
  TIEBREAK_CHECK(check_folder(options));
  TIEBREAK_TRY(files, make_atlas(*library, jobs));
  return write_or_check(options, files, "tiebreak profile atlas -o FOLDER");
}

Result<int> run_profile_casts(const ProfileArguments& options) {
  TIEBREAK_TRY(library, load_library());
  TIEBREAK_TRY(jobs, parse_jobs(options.jobs));
  TIEBREAK_CHECK(check_folder(options));
  TIEBREAK_TRY(text, make_cast_atlas(*library, jobs));
  return write_or_check(options, {{"cast-atlas.md", text}}, "tiebreak profile casts -o FOLDER");
}

}  // namespace

void add_profile(Verb& app) {
  auto options = std::make_shared<ProfileArguments>();
  Verb* group = app.add_subcommand("profile", "List and show the semantics of named systems");
  Verb* all = group->add_subcommand("list", "Every profile");
  all->add_option("--json", options->json, "as JSON: --json=FILE, or to standard output")->type_name("=FILE");
  all->action = [options] { return run_profile_list(*options); };
  Verb* map = group->add_subcommand("atlas", "Write the atlas: every profile, and how they differ over all inputs");
  map->add_option("-o,--output", options->output, "folder for atlas.md and its pictures (default .)")->type_name("FOLDER");
  map->add_flag("--check", options->check, "compare with the files there instead of writing; exit 1 if they are stale");
  map->add_option("-j,--jobs", options->jobs, "threads, or auto (default 1)")->type_name("N");
  map->action = [options] { return run_profile_atlas(*options); };
  Verb* conversions = group->add_subcommand("casts", "Write the atlas of conversions: every pair of element types, over all inputs");
  conversions->add_option("-o,--output", options->output, "folder for cast-atlas.md (default .)")->type_name("FOLDER");
  conversions->add_flag("--check", options->check, "compare with the file there instead of writing; exit 1 if it is stale");
  conversions->add_option("-j,--jobs", options->jobs, "threads, or auto (default 1)")->type_name("N");
  conversions->action = [options] { return run_profile_casts(*options); };
  Verb* one = group->add_subcommand("show", "Where it comes from and what it chooses");
  one->add_option("PROFILE", options->profile, "for example onnx")->type_name("")->required();
  one->add_option("--json", options->json, "as JSON: --json=FILE, or to standard output")->type_name("=FILE");
  one->action = [options] { return run_profile_show(*options); };
}

}  // namespace tiebreak::command
