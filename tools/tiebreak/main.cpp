// SPDX-License-Identifier: Apache-2.0
// The command: verbs first, results on standard output, exit codes as docs/exit-codes.md has them.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <exception>

#include "tools/tiebreak/command.hpp"
#include "tools/tiebreak/completion.hpp"
#include "tools/tiebreak/console.hpp"
#include "tools/tiebreak/interrupt.hpp"
#include "tools/tiebreak/reduce.hpp"
#include "tools/tiebreak/usage.hpp"

namespace tiebreak::command {
namespace {

constexpr const char* footer =
    "Examples:\n"
    "  tiebreak check --backend onnxruntime --profile onnx       every case of this installation\n"
    "  tiebreak check tests/ --backend ./my-adapter --junit r.xml\n"
    "  tiebreak eval onnx.QuantizeLinear --input x=[0.5,1.5]:f32 --input y_scale=1:f32\n"
    "  tiebreak explain onnx.QuantizeLinear/ties/f32-u8:17 --profile onnx\n"
    "  tiebreak diff tflite-ref-double tflite-ref-single         which inputs, of all 2^32, they part on\n"
    "  tiebreak spec verify onnx.QuantizeLinear\n"
    "\n"
    "Exit codes: 0 conforms, 1 does not, 2 usage or data, 3 internal, 4 nothing selected, 5 inconclusive,\n"
    "6 stale baseline, 130 and 143 interrupted. When several apply: 3, 2, 1, 6, 5, 4, 0.";

void build(CLI::App& app, Action& action) {
  app.name("tiebreak");
  app.set_version_flag("--version", "tiebreak " TIEBREAK_VERSION);
  app.footer(footer);
  app.require_subcommand(0, 1);
  add_check(app, action);
  add_eval(app, action);
  add_explain(app, action);
  add_diff(app, action);
  add_bits(app, action);
  add_spec(app, action);
  add_profile(app, action);
  add_backend(app, action);
  add_case(app, action);
  add_golden(app, action);
  add_identify(app, action);
  add_score(app, action);
  add_reduce(app, action);
  add_report(app, action);
  add_man(app, action);
  add_completions(app, action);
}

int report(const Error& error) {
  print_error(error);
  return exit_code_of(error);
}

int run_action(const Action& action) {
  catch_interrupts();
  Result<int> code = action();
  if (interrupted()) {
    if (!code && code.error().code != Errc::usage) print_error(code.error());
    return interrupt_exit_code();
  }
  return code ? *code : report(code.error());
}

int run(int argc, const char* const* argv) {
  set_command_line(argc, argv);
  CLI::App app("Says what a quantized operator must compute, to the last bit, and finds out what a backend really computes.");
  Action action;
  build(app, action);
  if (std::optional<int> answered = answer_completion(table_of(app), {argv + std::min(argc, 1), argv + argc}); answered) return *answered;
  std::vector<std::string> arguments = prepare_arguments(argc, argv);
  if (arguments.empty()) arguments.emplace_back("--help");
  if (std::optional<Error> error = unknown_verb(app, arguments); error) return report(*error);
  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());  // the library takes them last first
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    Status printed = print(app.help());  // of the innermost subcommand
    return printed ? success : report(printed.error());
  } catch (const CLI::CallForVersion&) {
    Status printed = print("tiebreak " TIEBREAK_VERSION "\n");
    return printed ? success : report(printed.error());
  } catch (const CLI::ParseError& thrown) {
    return report(usage_error(app, thrown));
  }
  if (!action) return report(Error{Errc::usage, "nothing to do", "", "tiebreak --help"});
  return run_action(action);
}

}  // namespace
}  // namespace tiebreak::command

int main(int argc, char** argv) {
  using namespace tiebreak;
  try {
    return command::run(argc, argv);
  } catch (const std::bad_alloc&) {
    command::print_error({Errc::limit, "out of memory"});
    return command::bad_input;
  } catch (const std::exception& exception) {
    command::print_error({Errc::internal, std::string("unexpected: ") + exception.what()});
  }
  return command::internal_error;
}
