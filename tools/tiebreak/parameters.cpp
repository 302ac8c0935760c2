// SPDX-License-Identifier: Apache-2.0
// tiebreak parameters: the quantization parameters of a program's tensors, recovered from the program.
#include <filesystem>

#include "interpreter/json/json_value.hpp"
#include "interpreter/lite/lite.hpp"
#include "interpreter/relay/relay.hpp"
#include "testsuite/recover/recover.hpp"
#include "testsuite/sources/stored_parameters.hpp"
#include "tools/tiebreak/line/call_argument.hpp"
#include "tools/tiebreak/line/command.hpp"
#include "tools/tiebreak/line/deliver.hpp"
#include "tools/tiebreak/verbs.hpp"

namespace tiebreak::command {
namespace {

constexpr int relay_digits = 6;  // of a number in a printed Relay program

constexpr const char* parameters_footer =
    "Examples:\n"
    "  tiebreak parameters folded.relay\n"
    "  tiebreak parameters folded.relay --json=recovered.json --markdown recovered.md -o recovered-parameters.json\n"
    "  tiebreak parameters golden/stablehlo.uniform_quantize.stablehlo-spec.h5\n"
    "\n"
    "PROGRAM is a file (.onnx, .tflite, .mlir, .relay), or FILE@FUNCTION; or a golden file, a request or an answer (.h5), or FILE.h5@CASE.\n"
    "Exit 0: every quantized tensor has all of its parameters, 1: something is lost. "
    "docs/parameters.md";

struct ParametersArguments {
  std::vector<std::string> program;
  std::string json, markdown, output;
};

Result<bool> is_relay_file(const std::string& word) {
  std::error_code error;
  const std::string path = std::filesystem::exists(word, error) ? word : word.substr(0, word.rfind('@'));
  if (path.ends_with(".onnx") || is_tflite_path(path)) return false;
  TIEBREAK_TRY(text, read_text_file(path));
  return path.ends_with(".relay") || is_relay(text);
}

/// FILE.h5, or FILE.h5@CASE; "" of both where the word names no exchange file.
struct StoredPlace {
  std::string file, id;
};

StoredPlace stored_place(const std::string& word) {
  std::error_code error;
  if (word.ends_with(".h5")) return {word, ""};
  const std::size_t at = word.find(".h5@");
  if (at == std::string::npos || std::filesystem::exists(word, error)) return {};
  return {word.substr(0, at + 3), word.substr(at + 4)};
}

Result<RecoveredParameters> find_parameters(const Library& library, const std::string& word) {
  if (const StoredPlace place = stored_place(word); !place.file.empty()) return stored_parameters(library, place.file, place.id);
  TIEBREAK_TRY(program, read_program(word));
  TIEBREAK_TRY(is_printed, is_relay_file(word));
  return recover_parameters(library, program, {.printed_digits = is_printed ? relay_digits : 0});
}

Result<int> run_parameters(const ParametersArguments& options) {
  if (options.program.size() != 1) return fail(Errc::usage, "name one program or file", "parameters", "tiebreak parameters model.onnx");
  TIEBREAK_TRY(files, OutputFiles::open({options.json, options.markdown, options.output}));
  TIEBREAK_TRY(library, load_library());
  TIEBREAK_TRY(found, find_parameters(*library, options.program.front()));
  found.model = options.program.front();
  TIEBREAK_CHECK(deliver(files, recovered_text(found),
                         {{options.json, [&] { return recovered_json(found); }},
                          {options.markdown, [&] { return recovered_markdown(found); }},
                          {options.output, [&] { return parameters_json(found.set()); }}}));
  return found.lost.empty() ? success : finding;
}

}  // namespace

void add_parameters(Verb& app) {
  auto options = std::make_shared<ParametersArguments>();
  Verb* sub = app.add_subcommand("parameters", "Recover the quantization parameters of a program's tensors");
  sub->add_option("PROGRAM", options->program, "program file, or FILE@FUNCTION; golden file or answers, or FILE.h5@CASE")->type_name("");
  sub->add_option("-o,--output", options->output, "the parameters alone, as `quantize --parameters` reads them")->type_name("FILE");
  sub->add_option("--json", options->json, "with places, and with what is lost: --json=FILE, or to standard output")->type_name("=FILE");
  sub->add_option("--markdown", options->markdown, "the same as tables")->type_name("FILE");
  sub->footer = parameters_footer;
  sub->action = [options] { return run_parameters(*options); };
}

}  // namespace tiebreak::command
