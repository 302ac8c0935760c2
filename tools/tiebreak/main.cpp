// SPDX-License-Identifier: Apache-2.0
// The command: verbs first, results on standard output, exit codes as docs/exit-codes.md has them.
#include <algorithm>
#include <exception>

#include "tools/tiebreak/line/completion.hpp"
#include "tools/tiebreak/line/console.hpp"
#include "tools/tiebreak/line/interrupt.hpp"
#include "tools/tiebreak/line/parse_line.hpp"
#include "tools/tiebreak/reduce.hpp"
#include "tools/tiebreak/verbs.hpp"

namespace tiebreak::command {
namespace {

constexpr const char* root_footer =
    "Examples:\n"
    "  tiebreak check --backend onnxruntime --profile onnx       # every case of this installation; exit 1: it leaves the text\n"
    "  tiebreak check tests/ --backend ./my-adapter --junit r.xml\n"
    "  tiebreak eval onnx.QuantizeLinear --input x=[0.5,1.5]:f32 --input y_scale=1:f32\n"
    "  tiebreak explain onnx.QuantizeLinear/ties/f32-u8-tenth-zp7:17 --profile onnx\n"
    "  tiebreak diff tflite-ref-double tflite-ref-single         # which inputs, of all 2^32, they part on; exit 1: they do\n"
    "  tiebreak spec verify onnx.QuantizeLinear\n"
    "\n"
    "Exit codes: 0 conforms, 1 does not, 2 usage or data, 3 internal, 4 nothing selected, 5 inconclusive,\n"
    "6 stale baseline, 130 and 143 interrupted. When several apply: 3, 2, 1, 6, 5, 4, 0.";

void add_verbs(Verb& root) {
  root.footer = root_footer;
  add_check(root);
  add_eval(root);
  add_explain(root);
  add_export(root);
  add_diff(root);
  add_equal(root);
  add_quantize(root);
  add_parameters(root);
  add_region(root);
  add_rule(root);
  add_rewrite(root);
  add_statistics(root);
  add_accuracy(root);
  add_bits(root);
  add_calibrate(root);
  add_spec(root);
  add_profile(root);
  add_backend(root);
  add_case(root);
  add_golden(root);
  add_identify(root);
  add_score(root);
  add_reduce(root);
  add_report(root);
  add_man(root);
  add_completions(root);
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

int run_command_line(int argc, const char* const* argv) {
  set_command_line(argc, argv);
  Verb root = Verb::root("tiebreak", "Says what a quantized operator must compute, to the last bit, and finds out what a backend really computes.");
  add_verbs(root);
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (std::optional<int> answered = answer_completion(root, words); answered) return *answered;
  Result<Action> action = parse_line(root, words);
  return action ? run_action(*action) : report(action.error());
}

}  // namespace
}  // namespace tiebreak::command

int main(int argc, char** argv) {
  using namespace tiebreak;
  try {
    return command::run_command_line(argc, argv);
  } catch (const std::bad_alloc&) {
    command::print_error({Errc::limit, "out of memory"});
    return command::bad_input;
  } catch (const std::exception& exception) {
    command::print_error({Errc::internal, std::string("unexpected: ") + exception.what()});
  }
  return command::internal_error;
}
