// SPDX-License-Identifier: Apache-2.0
// The backend `litert`: LiteRT as WebAssembly, in a node process that stays.
#include <nlohmann/json.hpp>

#include "tools/adapters/node/packages.hpp"
#include "tools/adapters/node/tflite_adapter.hpp"

namespace tiebreak::embedded {
extern const char* const litert_script;  // backend.mjs
}

int main(int argc, char** argv) {
  using namespace tiebreak;
  const std::vector<AdapterOption> options = {{"--kernel", "delegate: XNNPACK's; builtin: LiteRT's own, through models that the delegate declines", "delegate"},
                                              {"--build", "simd, or relaxed for relaxed SIMD instructions", "simd"},
                                              {"--bias", "zeros, or absent: of a convolution that has none", "zeros"}};
  return adapter_main(argc, argv, options, [](const AdapterArguments& arguments, bool& absent) -> Result<std::unique_ptr<Adapter>> {
    TIEBREAK_TRY(builtin, node::wants_builtin(arguments.at("--kernel")));
    const std::string& build = arguments.at("--build");
    if (build != "simd" && build != "relaxed") return fail(Errc::usage, "--build is simd or relaxed, not '" + build + "'");
    const std::string& bias = arguments.at("--bias");
    if (bias != "zeros" && bias != "absent") return fail(Errc::usage, "--bias is zeros or absent, not '" + bias + "'");
    const auto package = node::find_package("@litertjs/core", "", "litert");
    absent = !package || node::find_node().empty() || !tflite::can_write();
    if (!package) return tl::unexpected<Error>(package.error());
    TIEBREAK_CHECK(tflite::write_model({}));
    node::TfliteBackend backend{"litert",
                                builtin ? "litert-builtin" : "litert-xnnpack",
                                {{"library", package->folder}, {"package", package->name + "@" + package->version}},
                                {true, builtin, bias == "absent"},
                                false,
                                {"tflite.SVDF", "tflite.UNIDIRECTIONAL_SEQUENCE_LSTM"},  // it loads no model with a state
                                true};
    node::Script script{embedded::litert_script, nlohmann::json{{"folder", package->folder}}.dump(), {}};
    if (build == "relaxed") script.node_options = {"--experimental-wasm-relaxed-simd"};
    return std::make_unique<node::TfliteAdapter>(std::move(backend), std::move(script));
  });
}
