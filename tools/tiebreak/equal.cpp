// SPDX-License-Identifier: Apache-2.0
// tiebreak equal: whether two programs, or one under two profiles, give the same on all inputs.
#include <algorithm>

#include "testsuite/candidates/semantics_word.hpp"
#include "testsuite/case/value_name.hpp"
#include "testsuite/diff/sweep.hpp"
#include "testsuite/equal/compare_programs.hpp"
#include "testsuite/regions/regions.hpp"
#include "testsuite/rewrite/rewrite_program.hpp"
#include "tools/tiebreak/line/call_argument.hpp"
#include "tools/tiebreak/line/command.hpp"
#include "tools/tiebreak/line/console.hpp"
#include "tools/tiebreak/line/deliver.hpp"
#include "tools/tiebreak/verbs.hpp"

namespace tiebreak::command {
namespace {

constexpr const char* equal_footer =
    "Examples:\n"
    "  tiebreak equal rewrites.mlir@real rewrites.mlir@codes\n"
    "  tiebreak equal rewrites.mlir@real rewrites.mlir@without_zero_point --json=verdict.json    # exit 1\n"
    "  tiebreak equal rewrites.mlir@real --rules 'affine/relu'\n"
    "  tiebreak equal quantize.mlir --profile onnx --against onednn-x64-avx2 --input y_scale=0.5 --input y_zero_point=0..3    # exit 1\n"
    "\n"
    "A and B are files (.mlir, .relay, .onnx, .tflite), FILE@FUNCTION of several functions; without B the program is compared with itself\n"
    "under another profile, or as rules leave it (docs/rewrite.md).\n"
    "Inputs are matched by their order. What is not given runs over every value of its type: by proof, one by one, or along stairs.\n"
    "Exit 0: equal on all inputs, 1: they differ, 5: no difference found, and no way leads over all inputs.";

struct EqualArguments {
  std::vector<std::string> programs, inputs, rules, first_rules;
  std::string profile = "reference", against, combinations = "16777216", runs = "65536", samples = "65536", seed = "0", json, markdown;
};

/// `x=0.1`, `scale=0.01..1/50`: values of the type that the input has in A.
Result<std::vector<GivenInput>> given_inputs(const Program& program, const std::vector<std::string>& texts) {
  std::vector<GivenInput> given;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) return fail(Errc::usage, "'" + text + "' has no NAME=", "--input", "--input scale=0.01..1/50");
    GivenInput one{text.substr(0, equals), {}};
    for (const ValueId id : program.inputs) {
      const auto& type = program.values[static_cast<std::size_t>(id)].type;
      if (bare_name(program, id) != one.name || !type) continue;
      TIEBREAK_TRY(values, parse_values(text.substr(equals + 1), type->element, "--input " + text));
      one.values = std::move(values);
    }
    given.push_back(std::move(one));
  }
  return given;
}

Result<Profile> semantics_of(const Library& library, const Program& program, const std::string& word) {
  Case test;
  test.id = program.file;
  test.program = program;
  return semantics_of_cases(library, std::vector<const Case*>{&test}, word);
}

Result<ProgramsQuestion> question_of(const Program& program, const EqualArguments& options) {
  ProgramsQuestion question;
  TIEBREAK_TRY(given, given_inputs(program, options.inputs));
  question.given = std::move(given);
  TIEBREAK_TRY(combinations, parse_count(options.combinations, "--combinations"));
  TIEBREAK_TRY(runs, parse_count(options.runs, "--runs"));
  TIEBREAK_TRY(samples, parse_count(options.samples, "--samples"));
  TIEBREAK_TRY(seed, parse_count(options.seed, "--seed"));
  question.limits.combinations = std::min(combinations, std::uint64_t{1} << 40);
  question.limits.runs = runs;
  question.limits.samples = samples;
  question.limits.seed = seed;
  return question;
}

/// What a quantized region holds is compared in its place: its meaning is that of its casts and its body.
Result<Program> without_regions(const std::string& word) {
  TIEBREAK_TRY(program, read_program(word));
  if (!has_quant_regions(program)) return program;
  TIEBREAK_TRY(made, inline_regions(program));
  return std::move(made.program);
}

/// The program as rules leave it; without rules as it is.
Result<Program> rewritten(const Semantics& semantics, Program program, const std::string& word, const std::vector<std::string>& globs) {
  if (globs.empty()) return program;
  TIEBREAK_TRY(pages, load_applied_rules(Library::default_directories(), globs));
  TIEBREAK_TRY(report, rewrite_program(semantics, program, pages, {.name = word}));
  print_note(rewrite_text(report));
  return std::move(report.program);
}

int exit_code(Verdict verdict) { return verdict == Verdict::equal ? success : verdict == Verdict::differ ? finding : inconclusive; }

Result<int> run_equal(const EqualArguments& options) {
  if (options.programs.empty() || options.programs.size() > 2) return fail(Errc::usage, "name one program or two", "equal", "tiebreak equal a.mlir b.mlir");
  if (options.programs.size() == 1 && options.against.empty() && options.rules.empty() && options.first_rules.empty())
    return fail(Errc::usage, "one program alone is compared with itself under another profile, or as rules leave it", "equal",
                "--against PROFILE, --rules GLOB");
  TIEBREAK_TRY(files, OutputFiles::open({options.json, options.markdown}));
  TIEBREAK_TRY(library, load_library());
  TIEBREAK_TRY(first_read, without_regions(options.programs.front()));
  TIEBREAK_TRY(second_read, without_regions(options.programs.back()));
  TIEBREAK_TRY(first_profile, semantics_of(*library, first_read, options.profile));
  TIEBREAK_TRY(second_profile, semantics_of(*library, second_read, options.against.empty() ? options.profile : options.against));
  TIEBREAK_TRY(first, rewritten({*library, first_profile}, std::move(first_read), options.programs.front(), options.first_rules));
  TIEBREAK_TRY(second, rewritten({*library, second_profile}, std::move(second_read), options.programs.back(), options.rules));
  TIEBREAK_TRY(question, question_of(first, options));
  const ProgramSide a{*library, first_profile, first, options.programs.front(), options.first_rules};
  const ProgramSide b{*library, second_profile, second, options.programs.back(), options.rules};
  TIEBREAK_TRY(report, compare_programs(a, b, question));
  const std::string undeclared =
      undeclared_line(a.semantics(), ops_with_regions(first)) + (options.against.empty() ? "" : undeclared_line(b.semantics(), ops_with_regions(second)));
  TIEBREAK_CHECK(deliver(files, undeclared + programs_text(report),
                         {{options.json, [&] { return programs_json(report); }}, {options.markdown, [&] { return programs_markdown(report); }}}));
  return exit_code(report.verdict);
}

}  // namespace

void add_equal(Verb& app) {
  auto options = std::make_shared<EqualArguments>();
  Verb* sub = app.add_subcommand("equal", "Whether two programs, or one under two profiles, give the same on all inputs");
  sub->add_option("A B", options->programs, "program files, or FILE@FUNCTION; B may be left out where --against or --rules is given")->type_name("");
  sub->add_option("-p,--profile", options->profile,
                  "semantics of both programs (default reference); PROFILE:CHOICE=ALTERNATIVE,... takes\nsome choices otherwise")
      ->type_name("PROFILE");
  sub->add_option("--against", options->against, "semantics of B, if they are others")->type_name("PROFILE");
  sub->add_option("--rules", options->rules, "B is compared as these rules leave it: 'affine/*'; may be repeated")->type_name("GLOB");
  sub->add_option("--first-rules", options->first_rules, "A is compared as these rules leave it")->type_name("GLOB");
  sub->add_option("--input", options->inputs,
                  "NAME=VALUES: an input that does not run over all values, but over 4, or 0.1,0.3, or -128..127,\nor 0.01..10/200 in geometric steps; all its "
                  "elements alike")
      ->type_name("NAME=VALUES");
  sub->add_option("--combinations", options->combinations, "inputs looked at one by one at most, for each output element (default 2^24)")->type_name("N");
  sub->add_option("--runs", options->runs, "inputs on which both programs are run whole at most, where no formula of an element can be had (default 2^16)")
      ->type_name("N");
  sub->add_option("--samples", options->samples, "inputs tried where nothing leads over all of them (default 2^16)")->type_name("N");
  sub->add_option("--seed", options->seed, "of these (default 0)")->type_name("N");
  sub->add_option("--json", options->json, "as JSON: --json=FILE, or to standard output")->type_name("=FILE");
  sub->add_option("--markdown", options->markdown, "as a comment for a pull request")->type_name("FILE");
  sub->footer = equal_footer;
  sub->action = [options] { return run_equal(*options); };
}

}  // namespace tiebreak::command
