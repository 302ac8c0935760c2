// SPDX-License-Identifier: Apache-2.0
// The backend `onnxruntime`: each case becomes an ONNX model and runs in the library, on one thread, sequentially.
#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "interpreter/program/program.hpp"
#include "tools/adapters/common/adapter.hpp"
#include "tools/adapters/onnxruntime/declared_profile.hpp"
#include "tools/adapters/onnxruntime/find_library.hpp"
#include "tools/adapters/onnxruntime/ort_library.hpp"
#include "tools/adapters/onnxruntime/ort_tensor.hpp"
#include "tools/adapters/single_op/single_op.hpp"

namespace tiebreak::ort {
namespace {

constexpr int every_opset = 1000;

/// Everything that write_onnx_model can express is tried; what the library has no kernel for, it refuses.
const std::vector<std::string> known_ops = {"microsoft.*", "onnx.*"};

/// Libraries refuse models of opsets that are newer than themselves, although few operators changed: what may run as an older one does.
void lower_opset(Program& program, int newest) {
  for (Operation& operation : program.operations) {
    if (operation.op.starts_with("onnx.")) operation.version = std::min(operation.version, newest);
  }
}

Result<int> opset_limit(const std::string& text) {
  int number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code == std::errc{} && end == text.data() + text.size() && number > 0) return number;
  return fail(Errc::usage, "--opset is a positive whole number, not '" + text + "'");
}

Result<int> graph_level(const std::string& text) {
  for (const char* level : {"0", "1", "2", "3", "99"}) {
    if (text == level) return std::atoi(level);
  }
  return fail(Errc::usage, "--level is 0, 1, 2, 3 or 99, not '" + text + "'");
}

class OnnxRuntimeAdapter : public Adapter {
 public:
  OnnxRuntimeAdapter(std::unique_ptr<Library> library, SessionSettings settings, int newest_opset)
      : library_(std::move(library)), settings_(std::move(settings)), newest_opset_(newest_opset), cpu_(detect_cpu()) {}

  Result<BackendDescription> describe() override {
    BackendDescription description{"onnxruntime", library_->version(), declared_profile(cpu_, library_->version()), known_ops, {}};
    std::string config;
    for (const auto& [key, value] : settings_.config) config += (config.empty() ? "" : ",") + key + "=" + value;
    description.details = {{"library", library_->path()},
                           {"isa", to_text(cpu_)},
                           {"layout", "NCHW, as ONNX has it"},
                           {"graph_level", std::to_string(settings_.graph_level)},
                           {"threads", "1"},
                           {"execution", "sequential"},
                           {"provider", "CPU"},
                           {"session_config", config}};
    if (newest_opset_ != every_opset) description.details["newest_opset"] = std::to_string(newest_opset_);
    return description;
  }

  AdapterAnswer run(const ExchangeCase& request) override { return AdapterAnswer::of(answer(request)); }

 private:
  Result<std::vector<ExchangeTensor>> answer(const ExchangeCase& request) {
    TIEBREAK_TRY(program, program_of(request));
    TIEBREAK_TRY(tensors, inputs_of(program, request));
    lower_opset(program, newest_opset_);
    TIEBREAK_TRY(model, write_onnx_model(program));
    TIEBREAK_TRY(session, library_->load(model, settings_));
    std::vector<RawTensor> inputs;
    for (const std::string& name : session->inputs()) {
      TIEBREAK_TRY(input, input_named(program, tensors, name));
      inputs.push_back(std::move(input));
    }
    TIEBREAK_TRY(results, session->run(inputs, stated_types(program, *session)));
    std::vector<ExchangeTensor> outputs;
    for (ValueId id : program.outputs) {
      TIEBREAK_TRY(output, output_named(*session, results, plain_name(program.values[static_cast<std::size_t>(id)].name)));
      outputs.push_back(std::move(output));
    }
    return outputs;
  }

  static Result<RawTensor> input_named(const Program& program, const std::vector<Tensor>& tensors, const std::string& name) {
    for (std::size_t index = 0; index < program.inputs.size(); ++index) {
      const std::string& candidate = program.values[static_cast<std::size_t>(program.inputs[index])].name;
      if (plain_name(candidate) == plain_name(name)) return to_raw(tensors[index]);
    }
    return fail(Errc::internal, "the model has an input '" + name + "' that the program has not");
  }

  static Result<ExchangeTensor> output_named(const Session& session, const std::vector<RawTensor>& results, const std::string& name) {
    for (std::size_t index = 0; index < results.size(); ++index) {
      if (plain_name(session.outputs()[index]) != name) continue;
      TIEBREAK_TRY(tensor, from_raw(results[index], name));
      ExchangeTensor output;
      output.name = name;
      output.tensor = std::move(tensor);
      return output;
    }
    return fail(Errc::internal, "the model has no output '" + name + "'");
  }

  static std::vector<int> stated_types(const Program& program, const Session& session) {
    std::vector<int> types;
    for (const std::string& name : session.outputs()) {
      int type = 0;
      for (ValueId id : program.outputs) {
        const ProgramValue& value = program.values[static_cast<std::size_t>(id)];
        if (plain_name(value.name) == plain_name(name) && value.type) type = type_number(value.type->element);
      }
      types.push_back(type);
    }
    return types;
  }

  std::unique_ptr<Library> library_;
  SessionSettings settings_;
  int newest_opset_;
  Cpu cpu_;
};

}  // namespace
}  // namespace tiebreak::ort

int main(int argc, char** argv) {
  using namespace tiebreak;
  const std::vector<AdapterOption> options = {
      {"--library", "path of libonnxruntime.so.1; else --version, else TIEBREAK_ONNXRUNTIME, else the npm package in the build folder"},
      {"--version", "of the npm packages that are installed: 1.16.3"},
      {"--level", "graph optimization level: 0, 1, 2, 3 or 99 (all)", "99"},
      {"--opset", "newest opset to write: operations of newer ones are written as this one", std::to_string(ort::every_opset)},
      {"--config", "session configuration entries: key=value[,key=value]..."}};
  return adapter_main(argc, argv, options, [](const AdapterArguments& arguments, bool& absent) -> Result<std::unique_ptr<Adapter>> {
    ort::SessionSettings settings;
    TIEBREAK_TRY(level, ort::graph_level(arguments.at("--level")));
    TIEBREAK_TRY(config, key_values("--config", arguments.at("--config")));
    TIEBREAK_TRY(newest_opset, ort::opset_limit(arguments.at("--opset")));
    settings.graph_level = level;
    settings.config = config;
    const auto path = ort::find_library({arguments.at("--library"), arguments.at("--version")});
    auto library = path ? ort::Library::open(*path) : tl::unexpected<Error>(path.error());
    if (!library) {
      absent = true;
      return tl::unexpected<Error>(library.error());
    }
    return std::make_unique<ort::OnnxRuntimeAdapter>(std::move(*library), std::move(settings), newest_opset);
  });
}
