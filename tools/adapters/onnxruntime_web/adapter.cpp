// SPDX-License-Identifier: Apache-2.0
// The backend `onnxruntime_web`: ONNX Runtime as WebAssembly, in a node process that stays. Each case becomes an ONNX model.
#include <nlohmann/json.hpp>

#include "interpreter/program/program.hpp"
#include "tools/adapters/common/adapter.hpp"
#include "tools/adapters/node/packages.hpp"
#include "tools/adapters/node/worker.hpp"
#include "tools/adapters/single_op/single_op.hpp"

namespace tiebreak::embedded {
extern const char* const onnxruntime_web_script;  // backend.mjs
}

namespace tiebreak::node {

namespace {

/// Everything that write_onnx_model can express is tried; what the library has no kernel for, it refuses.
const std::vector<std::string> known_ops = {"microsoft.*", "onnx.*"};

class OnnxRuntimeWebAdapter : public Adapter {
 public:
  OnnxRuntimeWebAdapter(Script script, std::map<std::string, std::string> details) : worker_(std::move(script)), details_(std::move(details)) {}

  Result<BackendDescription> describe() override {
    TIEBREAK_TRY(identity, worker_.identity());
    BackendDescription description{"onnxruntime_web", identity.version, "onnxruntime-wasm", known_ops, details_};
    description.details.insert(identity.details.begin(), identity.details.end());
    description.details["layout"] = "NCHW, as ONNX has it";
    return description;
  }

  AdapterAnswer run(const ExchangeCase& request) override { return AdapterAnswer::of(answer(request)); }

 private:
  Result<std::vector<ExchangeTensor>> answer(const ExchangeCase& request) {
    TIEBREAK_TRY(program, program_of(request));
    TIEBREAK_TRY(tensors, inputs_of(program, request));
    TIEBREAK_TRY(model, write_onnx_model(program));
    std::vector<ExchangeTensor> inputs;
    for (std::size_t index = 0; index < tensors.size(); ++index) {
      ExchangeTensor input;
      input.name = program.values[static_cast<std::size_t>(program.inputs[index])].name;
      input.tensor = tensors[index];
      inputs.push_back(std::move(input));
    }
    TIEBREAK_TRY(answer, worker_.run(model, inputs));
    for (ExchangeTensor& output : answer.outputs) output.name = plain_name(output.name);
    return std::move(answer.outputs);
  }

  Worker worker_;
  std::map<std::string, std::string> details_;
};

/// The library's words for the levels by which the C interface calls them.
Result<std::string> graph_level(const std::string& text) {
  const std::map<std::string, std::string> words{{"0", "disabled"}, {"1", "basic"}, {"2", "extended"}, {"3", "layout"}, {"99", "all"}};
  const auto found = words.find(text);
  if (found == words.end()) return fail(Errc::usage, "--level is 0, 1, 2, 3 or 99, not '" + text + "'");
  return found->second;
}

}  // namespace
}  // namespace tiebreak::node

int main(int argc, char** argv) {
  using namespace tiebreak;
  const std::vector<AdapterOption> options = {{"--level", "graph optimization level: 0, 1, 2, 3 or 99 (all)", "99"},
                                              {"--config", "session configuration entries: key=value[,key=value]..."}};
  return adapter_main(argc, argv, options, [](const AdapterArguments& arguments, bool& absent) -> Result<std::unique_ptr<Adapter>> {
    TIEBREAK_TRY(level, node::graph_level(arguments.at("--level")));
    TIEBREAK_TRY(config, key_values("--config", arguments.at("--config")));
    const auto package = node::find_package("onnxruntime-web", "", "onnxruntime_web");
    absent = !package || node::find_node().empty();
    if (!package) return tl::unexpected<Error>(package.error());
    const nlohmann::json settings{{"folder", package->folder}, {"level", level}, {"config", config}};
    std::map<std::string, std::string> details{{"library", package->folder},
                                               {"graph_level", arguments.at("--level")},
                                               {"session_config", arguments.at("--config")},
                                               {"provider", "wasm"},
                                               {"threads", "1"}};
    return std::make_unique<node::OnnxRuntimeWebAdapter>(node::Script{embedded::onnxruntime_web_script, settings.dump(), {}}, std::move(details));
  });
}
