// SPDX-License-Identifier: Apache-2.0
// tiebreak spec show: a page as it is written, or an op as one system computes it.
#include "tools/tiebreak/spec/spec_show.hpp"

#include "interpreter/json/json_writer.hpp"
#include "interpreter/resolve/resolved_text.hpp"
#include "testsuite/candidates/semantics_word.hpp"
#include "testsuite/text/output_file.hpp"
#include "tools/tiebreak/line/console.hpp"
#include "tools/tiebreak/spec/spec_verify.hpp"

namespace tiebreak::command {
namespace {

constexpr const char* spec_show_footer =
    "Examples:\n"
    "  tiebreak spec show onnx.QuantizeLinear\n"
    "  tiebreak spec show onnx.QLinearConv --profile onnxruntime-x64\n"
    "  tiebreak spec show onnx.QLinearConv --profile onnx --against onnxruntime-x64\n"
    "  tiebreak spec show quant.requantize --profile reference --against reference:tie=away\n"
    "\n"
    "With a profile: choices are replaced by what it takes. A definition that is used once, or is hardly longer than its name, is\n"
    "written in place; others are listed below. On the right stands where a line comes from. A condition of the profile on types\n"
    "and attributes is an `if`, a choice that it leaves open a `choice`. --against marks lines with | that differ, with < and >\n"
    "those that one side lacks. docs/command.md has more.";

struct SpecShowArguments {
  std::string page, profile, against, json;
};

void write_view(JsonWriter& json, const ResolvedOp& op, const std::vector<bool>& differs) {
  json.begin_object().member("profile", op.profile).member("declared", op.declared).member("has_choices", op.has_choices).key("lines").begin_array();
  for (std::size_t i = 0; i < op.lines.size(); ++i) {
    const ResolvedLine& line = op.lines[i];
    json.begin_object().member("kind", to_text(line.kind)).member("name", line.name).member("text", line.text);
    if (!differs.empty()) json.member("differs", static_cast<bool>(differs[i]));
    json.key("places").begin_array();
    for (const Clause& clause : line.clauses) {
      json.begin_object().member("file", clause.file).member("line", clause.line);
      if (!clause.taken.empty()) json.member("taken", clause.taken);
      json.end_object();
    }
    json.end_array().end_object();
  }
  json.end_array().end_object();
}

std::string views_json(const Library& library, const std::vector<ResolvedOp>& views) {
  JsonWriter json;
  json.begin_object().member("schema", "tiebreak.resolved/1").member("spec_hash", library.hash()).member("op", views.front().op);
  json.key("views").begin_array();
  for (std::size_t i = 0; i < views.size(); ++i) write_view(json, views[i], views.size() == 2 ? differing_lines(views[i], views[1 - i]) : std::vector<bool>{});
  json.end_array().end_object();
  return json.text();
}

Result<ResolvedOp> view_of(const Library& library, const std::string& op, const std::string& word) {
  TIEBREAK_TRY(profile, parse_semantics(library, op, word));
  TIEBREAK_TRY(resolved, resolve_op({library, profile}, op));
  resolved.profile = word;
  return resolved;
}

Result<int> run_spec_view(const Library& library, const SpecShowArguments& options) {
  TIEBREAK_CHECK(library.find_op(options.page));
  std::vector<ResolvedOp> views;
  for (const std::string& word : {options.profile.empty() ? "reference" : options.profile, options.against}) {
    if (word.empty()) continue;
    TIEBREAK_TRY(view, view_of(library, options.page, word));
    views.push_back(std::move(view));
  }
  const auto text = [&] {
    return views.size() == 2 ? resolved_comparison(views[0], views[1], output_width()) : resolved_text_with_places(views[0], output_width());
  };
  if (!options.json.empty() && options.json != "-") TIEBREAK_CHECK(write_file(options.json, views_json(library, views)));
  TIEBREAK_CHECK(print(options.json == "-" ? views_json(library, views) : text()));
  return success;
}

Result<int> run_spec_show(const SpecShowArguments& options) {
  TIEBREAK_TRY(library, load_library());
  if (!options.profile.empty() || !options.against.empty() || !options.json.empty()) return run_spec_view(*library, options);
  TIEBREAK_TRY(page, named_page(*library, options.page));
  TIEBREAK_CHECK(print(page->markdown.ends_with("\n") ? page->markdown : page->markdown + "\n"));
  return success;
}

}  // namespace

void add_spec_show(Verb& group) {
  auto options = std::make_shared<SpecShowArguments>();
  Verb* sub = group.add_subcommand("show", "Print a page, or an op as one system computes it");
  sub->add_option("PAGE", options->page, "page or op, for example onnx.QuantizeLinear")->type_name("")->required();
  sub->add_option("-p,--profile", options->profile, "the op as this profile computes it, choices taken")->type_name("PROFILE");
  sub->add_option("--against", options->against, "beside it the op as another profile computes it")->type_name("PROFILE");
  sub->add_option("--json", options->json, "the op as JSON: --json=FILE, or to standard output")->type_name("=FILE");
  sub->footer = spec_show_footer;
  sub->action = [options] { return run_spec_show(*options); };
}

}  // namespace tiebreak::command
