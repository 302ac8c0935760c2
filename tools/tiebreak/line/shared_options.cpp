// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <thread>

#include "interpreter/semantics/dependencies.hpp"
#include "testsuite/check/judge.hpp"
#include "tools/tiebreak/line/command.hpp"
#include "tools/tiebreak/line/console.hpp"
#include "tools/tiebreak/line/data_options.hpp"
#include "tools/tiebreak/line/interrupt.hpp"

namespace tiebreak::command {
namespace {

std::string& stored_command_line() {
  static std::string line;  // written once, before anything runs
  return line;
}

std::vector<std::string>& stored_words() {
  static std::vector<std::string> words;  // of the same
  return words;
}

}  // namespace

const std::string& command_line() { return stored_command_line(); }

void set_command_line(int argc, const char* const* argv) {
  std::string line = "tiebreak";
  for (int i = 1; i < argc; ++i) line += " " + shell_quoted(argv[i]);
  stored_command_line() = line;
  stored_words().assign(argv + 1, argv + argc);
}

std::string command_line_without(const std::string& option) {
  std::string line = "tiebreak";
  const std::vector<std::string>& words = stored_words();
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == option) ++i;
    else if (!words[i].starts_with(option + "=")) line += " " + shell_quoted(words[i]);
  }
  return line;
}

int exit_code_of(const Error& error) {
  if (error.code == Errc::internal) return internal_error;
  return error.code == Errc::backend ? inconclusive : bad_input;
}

Result<std::shared_ptr<const Library>> load_library() {
  TIEBREAK_TRY(library, Library::load(Library::default_directories(), stop_on_interrupt()));
  for (const Error& fault : library->left_out()) print_note("tiebreak: warning: left out: " + to_text(fault));
  return library;
}

std::string undeclared_line(const Semantics& semantics, const std::set<std::string>& ops, const std::string& mark) {
  const std::string text = undeclared_text(semantics, ops);
  return text.empty() ? text : mark + text + "\n";
}

std::set<std::string> ops_of_cases(const std::vector<Case>& cases) {
  std::set<std::string> ops;
  for (const Case& test : cases) ops.merge(ops_with_regions(test.program));
  return ops;
}

void add_selection(Verb& app, SelectionText& text, bool positional) {
  if (positional) {
    app.add_option("SOURCE", text.sources,
                   "case file (.json, .json.gz), golden file (.h5), ONNX node-test folder, .tflite, .mlir or .relay file, spec page or op,\n"
                   "or a folder of such; an id or a glob of ids selects among the cases of this installation, which are also the default")
        ->type_name("");
  } else {
    app.add_option("--source", text.sources, "where the case comes from (default: the cases of this installation)")->type_name("SOURCE");
  }
  app.add_option("-k,--filter", text.globs, "only cases whose id matches this glob; may be repeated, any of them counts")->type_name("GLOB");
  app.add_option("--max-cases", text.most, "the first N selected cases only")->type_name("N");
  app.add_option("--seed", text.seed, "added to the seeds written in case files (default 0)")->type_name("N");
  app.add_option("--input-shape", text.shapes, "closes an open shape of a model's input; may be repeated")->type_name("NAME=1x3x8x8");
}

Result<Selection> to_selection(const SelectionText& text) {
  Selection selection{text.sources, text.globs};
  if (!text.most.empty()) {
    TIEBREAK_TRY(most, parse_count(text.most, "--max-cases"));
    if (most == 0) return fail(Errc::usage, "--max-cases 0 selects nothing");
    selection.most = most;
  }
  if (!text.seed.empty()) {
    TIEBREAK_TRY(seed, parse_count(text.seed, "--seed"));
    selection.seed = seed;
  }
  TIEBREAK_TRY(shapes, parse_input_shapes(text.shapes));
  selection.input_shapes = std::move(shapes);
  return selection;
}

Result<std::uint64_t> parse_count(const std::string& text, const std::string& option) {
  std::uint64_t value = 0;
  auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || stop != text.data() + text.size()) return fail(Errc::usage, "'" + text + "' is not a whole number", option);
  return value;
}

Result<std::optional<std::int64_t>> parse_axis(const std::string& text) {
  constexpr std::uint64_t most_axes = 64;
  if (text.empty()) return std::optional<std::int64_t>();
  const bool negative = text.starts_with("-");
  TIEBREAK_TRY(axis, parse_count(text.substr(negative ? 1 : 0), "--axis"));
  if (axis > most_axes) return fail(Errc::usage, "no tensor has so many axes", "--axis " + text);
  return std::optional(negative ? -static_cast<std::int64_t>(axis) : static_cast<std::int64_t>(axis));
}

Result<std::size_t> parse_show(const std::string& text) {
  if (text == "all") return std::size_t{1} << 40;
  TIEBREAK_TRY(count, parse_count(text, "--show"));
  return static_cast<std::size_t>(count);
}

Result<int> parse_jobs(const std::string& text) {
  if (text == "auto") return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  TIEBREAK_TRY(count, parse_count(text, "-j"));
  if (count < 1 || count > 1024) return fail(Errc::usage, "-j takes 1 to 1024, or auto", "-j " + text);
  return static_cast<int>(count);
}

Result<EvaluateOptions> parse_engine(const std::string& text) {
  EvaluateOptions options;
  if (text == "exact") options.engine = Engine::exact;
  else if (text == "fast") options.engine = Engine::fast;
  else if (text == "both") options.engine = Engine::both;
  else {
    std::string near = nearest(text, std::vector<std::string>{"exact", "fast", "both"});
    return fail(Errc::usage, "unknown engine '" + text + "'", "--engine", near.empty() ? "one of exact fast both" : "did you mean '" + near + "'?");
  }
  return options;
}

Result<double> parse_seconds(const std::string& text, const std::string& option) {
  Result<Real> value = Real::parse(text);
  bool usable = value && value->is_finite() && value->sign() > 0 && *value <= Real(1000000);
  if (!usable) return fail(Errc::usage, "'" + text + "' is not a time in seconds", option);
  return value->to_double();
}

}  // namespace tiebreak::command
