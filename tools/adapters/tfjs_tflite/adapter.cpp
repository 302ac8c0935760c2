// SPDX-License-Identifier: Apache-2.0
// The backend `tfjs_tflite`: TensorFlow Lite of 2023 as WebAssembly, in a node process that stays.
#include <nlohmann/json.hpp>

#include "tools/adapters/node/packages.hpp"
#include "tools/adapters/node/tflite_adapter.hpp"

namespace tiebreak::embedded {
extern const char* const tfjs_tflite_script;  // backend.mjs
}

int main(int argc, char** argv) {
  using namespace tiebreak;
  const std::vector<AdapterOption> options = {
      {"--kernel", "delegate: XNNPACK's; builtin: TensorFlow Lite's own. A case that runs in the other is unsupported", "delegate"},
      {"--build", "simd or scalar", "simd"}};
  return adapter_main(argc, argv, options, [](const AdapterArguments& arguments, bool& absent) -> Result<std::unique_ptr<Adapter>> {
    TIEBREAK_TRY(builtin, node::wants_builtin(arguments.at("--kernel")));
    const std::string& build = arguments.at("--build");
    if (build != "simd" && build != "scalar") return fail(Errc::usage, "--build is simd or scalar, not '" + build + "'");
    const auto package = node::find_package("@tensorflow/tfjs-tflite", "", "tfjs_tflite");
    absent = !package || node::find_node().empty() || !tflite::can_write();
    if (!package) return tl::unexpected<Error>(package.error());
    TIEBREAK_CHECK(tflite::write_model({}));
    const nlohmann::json settings{{"folder", package->folder}, {"build", build == "simd" ? "tflite_web_api_cc_simd" : "tflite_web_api_cc"}};
    node::TfliteBackend backend{"tfjs_tflite",
                                builtin ? "tflite-2023-builtin" : "tflite-2023-xnnpack",
                                {{"library", package->folder}, {"package", package->name + "@" + package->version}},
                                {},
                                true};
    backend.lowering.builtin_kernels = builtin;
    if (!builtin) backend.lacks = {"hybrid.convolution", "hybrid.dot_general", "qnn.avg_pool2d"};
    // Not compared with the kernels of 2023: what moves, chooses and converts elements. Its host gives one result of a model, and none of one element; its
    // REVERSE_V2 has one axis, and its SIGN floats that are numbers.
    for (const char* word : {"ARG_MIN",     "BROADCAST_TO", "CAST",       "CEIL",       "DEPTH_TO_SPACE", "EXPAND_DIMS", "FILL",       "FLOOR", "GATHER_ND",
                             "LOGICAL_AND", "LOGICAL_NOT",  "LOGICAL_OR", "MIRROR_PAD", "PACK",           "RANGE",       "REVERSE_V2", "ROUND", "SELECT",
                             "SELECT_V2",   "SIGN",         "SPLIT",      "SPLIT_V",    "STRIDED_SLICE",  "TILE",        "UNPACK"})
      backend.lacks.push_back(std::string("tflite.") + word);
    return std::make_unique<node::TfliteAdapter>(std::move(backend), node::Script{embedded::tfjs_tflite_script, settings.dump(), {}});
  });
}
