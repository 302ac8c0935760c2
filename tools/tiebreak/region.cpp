// SPDX-License-Identifier: Apache-2.0
// tiebreak region: float operations between codes as regions, and back.
#include "interpreter/semantics/library.hpp"
#include "testsuite/regions/regions.hpp"
#include "tools/tiebreak/line/call_argument.hpp"
#include "tools/tiebreak/line/command.hpp"
#include "tools/tiebreak/line/console.hpp"
#include "tools/tiebreak/line/deliver.hpp"
#include "tools/tiebreak/verbs.hpp"

namespace tiebreak::command {
namespace {

constexpr const char* outline_footer =
    "Examples:\n"
    "  tiebreak region outline between-codes.mlir\n"
    "  tiebreak region outline between-codes.mlir --each -o outlined.mlir\n"
    "\n"
    "PROGRAM is MLIR text, or FILE@FUNCTION of several functions. docs/regions.md";
constexpr const char* inline_footer =
    "Examples:\n"
    "  tiebreak region inline between-codes.mlir\n"
    "\n"
    "PROGRAM is MLIR text, or FILE@FUNCTION of several functions. docs/regions.md";

struct RegionArguments {
  std::vector<std::string> program;
  std::string casts = "quant", output;
  bool each = false;
};

Result<Casts> parse_casts(const std::string& word) {
  if (word == "quant") return Casts::quant;
  if (word == "stablehlo") return Casts::stablehlo;
  const std::string near = nearest(word, std::vector<std::string>{"quant", "stablehlo"});
  return fail(Errc::usage, "unknown casts '" + word + "'", "--casts", near.empty() ? "quant or stablehlo" : "did you mean '" + near + "'?");
}

Status write_program(OutputFiles& files, const RegionArguments& options, const Program& program, const std::string& what) {
  print_note(what);
  if (options.output.empty() || options.output == "-") return print(print_mlir(program));
  return files.write(options.output, print_mlir(program));
}

Result<int> run_outline(const RegionArguments& options) {
  if (options.program.size() != 1) return fail(Errc::usage, "name one program", "region outline", "tiebreak region outline program.mlir");
  TIEBREAK_TRY(casts, parse_casts(options.casts));
  TIEBREAK_TRY(files, OutputFiles::open({options.output}));
  TIEBREAK_TRY(library, load_library());
  TIEBREAK_TRY(program, read_program(options.program.front()));
  TIEBREAK_TRY(profile, library->find_profile("reference"));
  TIEBREAK_TRY(made, outline_regions({*library, *profile}, program, {.casts = casts, .each = options.each}));
  TIEBREAK_CHECK(
      write_program(files, options, made.program, std::to_string(made.regions) + " regions with " + std::to_string(made.operations) + " operations"));
  return success;
}

Result<int> run_inline(const RegionArguments& options) {
  if (options.program.size() != 1) return fail(Errc::usage, "name one program", "region inline", "tiebreak region inline program.mlir");
  TIEBREAK_TRY(casts, parse_casts(options.casts));
  TIEBREAK_TRY(files, OutputFiles::open({options.output}));
  TIEBREAK_TRY(program, read_program(options.program.front()));
  TIEBREAK_TRY(made, inline_regions(program, casts));
  TIEBREAK_CHECK(write_program(files, options, made.program, std::to_string(made.regions) + " regions inlined"));
  return success;
}

void add_shared(Verb& verb, RegionArguments& options) {
  verb.add_option("PROGRAM", options.program, "MLIR text, or FILE@FUNCTION")->type_name("");
  verb.add_option("--casts", options.casts, "quant (default): quant.dcast and quant.qcast; stablehlo: uniform_dequantize and uniform_quantize")
      ->type_name("NAME");
  verb.add_option("-o,--output", options.output, "the program; without: standard output")->type_name("FILE");
}

}  // namespace

void add_region(Verb& app) {
  Verb* sub = app.add_subcommand("region", "Float operations between codes as regions, and back");
  auto outlined = std::make_shared<RegionArguments>();
  Verb* outline = sub->add_subcommand("outline", "Put float operations between dequantize and quantize into regions");
  add_shared(*outline, *outlined);
  outline->add_flag("--each", outlined->each, "every float operation alone, with codes beside it or without");
  outline->footer = outline_footer;
  outline->action = [outlined] { return run_outline(*outlined); };
  auto options = std::make_shared<RegionArguments>();
  Verb* inlined = sub->add_subcommand("inline", "Write regions out again");
  add_shared(*inlined, *options);
  inlined->footer = inline_footer;
  inlined->action = [options] { return run_inline(*options); };
}

}  // namespace tiebreak::command
