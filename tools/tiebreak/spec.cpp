// SPDX-License-Identifier: Apache-2.0
// tiebreak spec: the pages of the installation, and the examples in them executed.
#include <CLI/CLI.hpp>
#include <set>

#include "testsuite/harness/case_readers.hpp"
#include "testsuite/harness/json_writer.hpp"
#include "testsuite/harness/output_file.hpp"
#include "testsuite/harness/spec_verify.hpp"
#include "testsuite/harness/text_table.hpp"
#include "tools/tiebreak/command.hpp"
#include "tools/tiebreak/console.hpp"
#include "tools/tiebreak/interrupt.hpp"

namespace tiebreak::command {
namespace {

struct Options {
  std::vector<std::string> pages;
  std::string page, json, colour = "auto";
  bool quiet = false;
};

std::string ops_of(const Page& page) {
  std::string ops;
  for (const notation::Op& op : page.module.ops) ops += (ops.empty() ? "" : " ") + op.path;
  return ops;
}

Result<int> list(const Options& options) {
  TIEBREAK_TRY(library, load_library());
  JsonWriter json;
  json.begin_object().member("schema", "tiebreak.pages/1").member("spec_hash", library->hash()).key("pages").begin_array();
  TextTable table({"page", "examples", "ops", "file"}, {false, true, false, false});
  for (const auto& [name, page] : library->pages()) {
    table.add({name, std::to_string(page.examples.size()), ops_of(page), page.file});
    std::vector<std::string> ops;
    for (const notation::Op& op : page.module.ops) ops.push_back(op.path);
    json.begin_object().member("page", name).member("title", page.title).member("file", page.file).member("ops", ops);
    json.member("examples", std::uint64_t{page.examples.size()}).end_object();
  }
  json.end_array().end_object();
  if (!options.json.empty() && options.json != "-") TIEBREAK_CHECK(write_file(options.json, json.text()));
  TIEBREAK_CHECK(print(options.json == "-" ? json.text() : table.text("")));
  return library->pages().empty() ? nothing_selected : success;
}

Result<const Page*> named_page(const Library& library, const std::string& word) {
  if (const Page* page = find_page(library, word)) return page;
  std::vector<std::string> known = library.op_paths();
  for (const auto& [name, page] : library.pages()) known.push_back(name);
  std::string near = nearest(word, known);
  return fail(Errc::unknown_name, "there is no page or op '" + word + "'", "",
              near.empty() ? "tiebreak spec list" : "did you mean '" + near + "'?");
}

Result<int> show(const Options& options) {
  TIEBREAK_TRY(library, load_library());
  TIEBREAK_TRY(page, named_page(*library, options.page));
  TIEBREAK_CHECK(print(page->markdown.ends_with("\n") ? page->markdown : page->markdown + "\n"));
  return success;
}

std::string verdict_text(const PageVerdict& verdict, bool colour) {
  bool holds = verdict.findings.empty();
  std::string text = coloured(holds ? "  ok    " : "  FAIL  ", holds ? Colour::green : Colour::red, colour) + verdict.page + "  " +
                     std::to_string(verdict.held) + " of " + counted(verdict.examples, "example") +
                     (verdict.examples == 1 ? " holds" : " hold");
  if (verdict.choices > 0) {
    text += "  " + counted(verdict.choices, "choice") + ", " + counted(verdict.alternatives, "alternative");
    text +=
        verdict.not_told_apart.empty() ? ", each told apart" : ", " + counted(verdict.not_told_apart.size(), "pair") + " not told apart";
  }
  text += "\n";
  for (const ExampleFinding& finding : verdict.findings) {
    text += "        " + finding.where + (finding.condition.empty() ? "" : " @ " + finding.condition) + "  " + finding.what + "\n";
  }
  for (const std::string& pair : verdict.not_told_apart) text += "        warning: no example tells apart " + pair + "\n";
  return text;
}

void write_verdict(JsonWriter& json, const PageVerdict& verdict) {
  json.begin_object().member("page", verdict.page).member("file", verdict.file).member("examples", std::uint64_t{verdict.examples});
  json.member("hold", std::uint64_t{verdict.held})
      .member("choices", std::uint64_t{verdict.choices})
      .member("alternatives", std::uint64_t{verdict.alternatives});
  json.key("findings").begin_array();
  for (const ExampleFinding& finding : verdict.findings) {
    json.begin_object().member("where", finding.where).member("condition", finding.condition).member("what", finding.what).end_object();
  }
  json.end_array().member("not_told_apart", verdict.not_told_apart).end_object();
}

Result<int> verify(const Options& options) {
  TIEBREAK_TRY(colour, use_colour(options.colour));
  TIEBREAK_TRY(library, load_library());
  std::vector<const Page*> pages;
  std::set<std::string> chosen;
  for (const std::string& word : options.pages) {
    TIEBREAK_TRY(page, named_page(*library, word));
    if (chosen.insert(page->name).second) pages.push_back(page);
  }
  if (options.pages.empty()) {
    for (const auto& [name, page] : library->pages()) pages.push_back(&page);
  }
  JsonWriter json;
  json.begin_object().member("schema", "tiebreak.spec-verify/1").member("spec_hash", library->hash()).key("pages").begin_array();
  std::string text;
  std::size_t examples = 0, held = 0, statements = 0, untold = 0;
  bool unreadable = false;
  for (const Page* page : pages) {
    if (interrupted()) return interrupt_exit_code();
    PageVerdict verdict = verify_page(*library, *page);
    examples += verdict.examples;
    held += verdict.held;
    statements += verdict.statements;
    untold += verdict.not_told_apart.size();
    for (const ExampleFinding& finding : verdict.findings) unreadable |= finding.unreadable;
    if (!options.quiet || !verdict.findings.empty()) text += verdict_text(verdict, colour);
    write_verdict(json, verdict);
  }
  json.end_array().end_object();
  text += counted(pages.size(), "page") + ": " + std::to_string(held) + " of " + counted(examples, "example") + " hold, " +
          counted(statements, "statement") + " checked, " + counted(untold, "pair") + " of alternatives not told apart\n";
  if (!options.json.empty() && options.json != "-") TIEBREAK_CHECK(write_file(options.json, json.text()));
  TIEBREAK_CHECK(print(options.json == "-" ? json.text() : text));
  if (unreadable) return bad_input;
  if (held != examples) return finding;
  return pages.empty() ? nothing_selected : success;
}

}  // namespace

void add_spec(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* group = app.add_subcommand("spec", "List, show and verify the pages that say what ops mean");
  CLI::App* pages = group->add_subcommand("list", "Every page with its ops and number of examples");
  pages->add_option("--json", options->json, "as JSON: --json=FILE, or to standard output")->type_name("=FILE");
  pages->callback([options, &action] { action = [options] { return list(*options); }; });
  CLI::App* one = group->add_subcommand("show", "Print a page");
  one->add_option("PAGE", options->page, "page or op, for example onnx.QuantizeLinear")->type_name("")->required();
  one->callback([options, &action] { action = [options] { return show(*options); }; });
  CLI::App* all = group->add_subcommand("verify", "Execute every example in the text and compare it with what stands there");
  all->add_option("PAGE", options->pages, "pages, ops or files of pages (default: all)")->type_name("");
  all->add_option("--json", options->json, "as JSON: --json=FILE, or to standard output")->type_name("=FILE");
  all->add_option("--color", options->colour, "auto (default), always, never")->type_name("WHEN");
  all->add_flag("-q,--quiet", options->quiet, "only pages with findings, and the counts");
  all->footer(
      "Exit codes: 0 every example holds, 1 one does not, 2 a page or example cannot be read.\n"
      "Alternatives of a choice that no example tells apart are warnings.");
  all->callback([options, &action] { action = [options] { return verify(*options); }; });
}

}  // namespace tiebreak::command
