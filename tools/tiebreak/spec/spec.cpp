// SPDX-License-Identifier: Apache-2.0
// tiebreak spec: the pages of the installation; `verify` has a file of its own.
#include <set>

#include "interpreter/json/json_value.hpp"
#include "interpreter/json/json_writer.hpp"
#include "testsuite/examples/op_table.hpp"
#include "testsuite/sources/case_readers.hpp"
#include "testsuite/text/output_file.hpp"
#include "testsuite/text/text_table.hpp"
#include "tools/tiebreak/line/console.hpp"
#include "tools/tiebreak/spec/spec_show.hpp"
#include "tools/tiebreak/spec/spec_verify.hpp"
#include "tools/tiebreak/verbs.hpp"

namespace tiebreak::command {

Result<const Page*> named_page(const Library& library, const std::string& word) {
  if (const Page* page = find_page(library, word)) return page;
  std::vector<std::string> known = library.op_paths();
  for (const auto& [name, page] : library.pages()) known.push_back(name);
  std::string near = nearest(word, known);
  return fail(Errc::unknown_name, "there is no page or op '" + word + "'", "", near.empty() ? "tiebreak spec list" : "did you mean '" + near + "'?");
}

namespace {

std::vector<std::string> additions_of(const Page& page) {
  std::set<std::string> keys;
  for (const notation::Addition& addition : page.module.additions) keys.insert(addition.key);
  return {keys.begin(), keys.end()};
}

struct SpecArguments {
  std::string json, family = "stablehlo", output;
  bool check = false;
};

/// The ops of a page; of a system's page the choices that it adds alternatives to.
std::string subjects_of(const Page& page) {
  std::string subjects;
  for (const notation::Op& op : page.module.ops) subjects += (subjects.empty() ? "" : " ") + op.path;
  for (const std::string& key : additions_of(page)) subjects += (subjects.empty() ? "" : " ") + key;
  return subjects;
}

Result<int> run_spec_list(const SpecArguments& options) {
  TIEBREAK_TRY(library, load_library());
  JsonWriter json;
  json.begin_object().member("schema", "tiebreak.pages/1").member("spec_hash", library->hash()).key("pages").begin_array();
  TextTable table({"page", "examples", "ops, or choices with further alternatives", "file"}, {false, true, false, false});
  for (const auto& [name, page] : library->pages()) {
    table.add({name, std::to_string(page.examples.size()), subjects_of(page), page.file});
    std::vector<std::string> ops;
    for (const notation::Op& op : page.module.ops) ops.push_back(op.path);
    json.begin_object().member("page", name).member("title", page.title).member("file", page.file).member("ops", ops);
    if (!page.module.additions.empty()) json.member("alternatives_of", additions_of(page));
    json.member("examples", std::uint64_t{page.examples.size()}).end_object();
  }
  json.end_array().end_object();
  if (!options.json.empty() && options.json != "-") TIEBREAK_CHECK(write_file(options.json, json.text()));
  TIEBREAK_CHECK(print(options.json == "-" ? json.text() : table.text("")));
  return library->pages().empty() ? nothing_selected : success;
}

/// Prints the table, writes it to a file, or compares it with what stands there.
Result<int> run_spec_table(const SpecArguments& options) {
  TIEBREAK_TRY(library, load_library());
  const std::string text = op_table(*library, options.family);
  if (options.output.empty()) {
    TIEBREAK_CHECK(print(text));
    return success;
  }
  if (!options.check) {
    TIEBREAK_CHECK(write_file(options.output, text));
    return success;
  }
  TIEBREAK_TRY(written, read_text_file(options.output));
  if (written == text) return success;
  print_error({Errc::usage, "not what is generated", options.output, "tiebreak spec table " + options.family + " -o " + options.output});
  return finding;
}

}  // namespace

void add_spec(Verb& app) {
  auto options = std::make_shared<SpecArguments>();
  Verb* group = app.add_subcommand("spec", "List, show and verify the pages that say what ops mean");
  Verb* pages = group->add_subcommand("list", "Every page with its ops and number of examples");
  pages->add_option("--json", options->json, "as JSON: --json=FILE, or to standard output")->type_name("=FILE");
  pages->action = [options] { return run_spec_list(*options); };
  add_spec_show(*group);
  Verb* shown = group->add_subcommand("table", "What the examples of a family's pages show, op by op, as Markdown");
  shown->add_option("FAMILY", options->family, "first part of the ops' names (default stablehlo)")->type_name("");
  shown->add_option("-o,--output", options->output, "file to write (default: standard output)")->type_name("FILE");
  shown->add_flag("--check", options->check, "compare with the file instead of writing it; exit code 1 if it differs");
  shown->action = [options] { return run_spec_table(*options); };
  add_spec_head(*group);
  add_spec_verify(*group);
}

}  // namespace tiebreak::command
