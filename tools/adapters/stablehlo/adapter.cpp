// SPDX-License-Identifier: Apache-2.0
// The backend `stablehlo`: StableHLO's reference interpreter, for people who have its programs. Each case is one MLIR text that
// `stablehlo-translate --interpret` runs; with --mode qdq quantized ops become dequantize, float op, quantize before.
#include <charconv>
#include <cstdlib>

#include "interpreter/semantics/library.hpp"
#include "tools/adapters/common/adapter.hpp"
#include "tools/adapters/stablehlo/constant_program.hpp"
#include "tools/adapters/stablehlo/printed_tensors.hpp"
#include "tools/adapters/stablehlo/programs.hpp"

namespace tiebreak::stablehlo {
namespace {

class StableHloAdapter : public Adapter {
 public:
  StableHloAdapter(Programs programs, std::vector<std::string> ops) : programs_(std::move(programs)), ops_(std::move(ops)) {}

  Result<BackendDescription> describe() override {
    TIEBREAK_TRY(version, version_of(programs_));
    const char* profile = programs_.lower_first ? "stablehlo-qdq" : "stablehlo-interpreter";
    BackendDescription description{"stablehlo", version.empty() ? "unknown" : version, profile, ops_, {}};
    description.details = {{"layout", "as the program states it"}, {"mode", programs_.lower_first ? "qdq" : "interpreter"}, {"translate", programs_.translate}};
    if (programs_.lower_first) description.details["opt"] = programs_.opt;
    return description;
  }

  AdapterAnswer run(const ExchangeCase& request) override { return AdapterAnswer::of(answer(request)); }

 private:
  Result<std::vector<ExchangeTensor>> answer(const ExchangeCase& request) {
    TIEBREAK_TRY(program, constant_program(request));
    TIEBREAK_TRY(printed, interpret(programs_, print_mlir(program)));
    std::vector<TensorType> types;
    for (const ExchangeTensor& output : request.outputs) types.push_back(printed_type(output.tensor.type()));
    TIEBREAK_TRY(tensors, printed_tensors(printed, types));
    std::vector<ExchangeTensor> outputs;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      ExchangeTensor output;
      output.name = request.outputs[i].name;
      output.tensor = std::move(tensors[i]);
      output.tensor.set_type(request.outputs[i].tensor.type());
      outputs.push_back(std::move(output));
    }
    return outputs;
  }

  Programs programs_;
  std::vector<std::string> ops_;
};

Result<std::string> required_program(const std::string& path, const std::string& name, const std::string& option) {
  std::string found = find_program(path, name);
  if (!found.empty()) return found;
  return fail(Errc::backend, path.empty() ? name + " is not on PATH" : "no program there", path,
              "build StableHLO (github.com/openxla/stablehlo) and add its bin folder to PATH, or write --backend-option=" + option + " --backend-option=FILE");
}

Result<double> seconds_of(const std::string& text) {
  double seconds = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (code != std::errc{} || end != text.data() + text.size() || !(seconds > 0)) return fail(Errc::usage, "--seconds is a positive number, not '" + text + "'");
  return seconds;
}

/// Every op of the dialect that a page describes: the interpreter itself says which of them it does not do.
Result<std::vector<std::string>> dialect_ops() {
  TIEBREAK_TRY(library, Library::load(Library::default_directories()));
  std::vector<std::string> ops;
  for (const std::string& op : library->op_paths()) {
    if (op.starts_with("stablehlo.")) ops.push_back(op);
  }
  return ops;
}

}  // namespace
}  // namespace tiebreak::stablehlo

int main(int argc, char** argv) {
  using namespace tiebreak;
  ::setenv("LLVM_DISABLE_SYMBOLIZATION", "1", 0);  // the interpreter refuses some ops by an abort: its word, not the stack, is wanted
  const std::vector<AdapterOption> options = {
      {"--translate", "path of stablehlo-translate; else it is looked for on PATH"},
      {"--opt", "path of stablehlo-opt, for --mode qdq; else it is looked for on PATH"},
      {"--mode", "interpreter: quantized ops as the interpreter lowers them; qdq: after --stablehlo-legalize-quantized-op-to-qdq", "interpreter"},
      {"--seconds", "how long one run of a program may take", "30"}};
  return adapter_main(argc, argv, options, [](const AdapterArguments& arguments, bool& absent) -> Result<std::unique_ptr<Adapter>> {
    stablehlo::Programs programs;
    const std::string& mode = arguments.at("--mode");
    if (mode != "interpreter" && mode != "qdq") return fail(Errc::usage, "--mode is interpreter or qdq, not '" + mode + "'");
    programs.lower_first = mode == "qdq";
    TIEBREAK_TRY(seconds, stablehlo::seconds_of(arguments.at("--seconds")));
    programs.timeout_seconds = seconds;
    auto found = [&](const std::string& option, const std::string& name) {
      auto path = stablehlo::required_program(arguments.at(option), name, option);
      absent = absent || !path;
      return path;
    };
    TIEBREAK_TRY(translate, found("--translate", "stablehlo-translate"));
    programs.translate = translate;
    if (programs.lower_first) {
      TIEBREAK_TRY(opt, found("--opt", "stablehlo-opt"));
      programs.opt = opt;
    }
    TIEBREAK_TRY(ops, stablehlo::dialect_ops());
    return std::make_unique<stablehlo::StableHloAdapter>(std::move(programs), ops);
  });
}
