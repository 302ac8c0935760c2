// SPDX-License-Identifier: Apache-2.0
#include "testsuite/tflite/script.hpp"

namespace tiebreak::tflite {
namespace {

/// LiteRT expects a browser's worker; the first lines stand in for one.
constexpr const char* litert_lines = R"javascript(globalThis.self = globalThis;
globalThis.importScripts = (place) => {
  const module = { exports: {} }, file = String(place).replace(/^file:\/\//, '');
  new Function('require', 'module', 'exports', '__dirname', '__filename', readFileSync(file, 'utf8'))(require, module, module.exports, dirname(file), file);
  globalThis.ModuleFactory = module.exports;
};
const folder = process.cwd() + '/node_modules/@litertjs/core';
const { loadLiteRt, loadAndCompile, Tensor } = await import(folder + '/dist/index.js');
await loadLiteRt(folder + '/wasm/');
async function answer() {
  const compiled = await loadAndCompile(model, { accelerator: 'wasm' });
  const [result] = await compiled.run(inputs.map(({ data, shape }) => new Tensor(data, shape)));
  const codes = result.toTypedArray().slice();
  result.delete();
  compiled.delete();
  return codes;
}
)javascript";

constexpr const char* tfjs_lines =
    R"javascript(const folder = process.cwd() + '/node_modules/@tensorflow/tfjs-tflite/wasm', file = folder + '/' + build + '.js';
const factory = new Function('require', 'module', 'exports', '__dirname', '__filename', readFileSync(file, 'utf8') + '\nreturn tflite_web_api_ModuleFactory;')(
  require, { exports: {} }, {}, folder, file);
const engine = await factory({ wasmBinary: readFileSync(folder + '/' + build + '.wasm'), locateFile: (name) => folder + '/' + name });
function answer() {
  const place = engine._malloc(model.length);
  engine.HEAPU8.set(model, place);
  const made = engine.TFLiteWebModelRunner.CreateFromBufferAndOptions(place, model.length, { numThreads: 1, enableProfiling: true, maxProfilingBufferEntries: 64 });
  if (!made.ok()) throw new Error(made.errorMessage());
  const runner = made.value(), given = runner.GetInputs();
  inputs.forEach(({ data }, index) => given.get(index).data().set(data));
  if (!runner.Infer()) throw new Error('the model does not run');
  return runner.GetOutputs().get(0).data().slice();
}
)javascript";

std::string array_of(const ElementType& element) {
  const std::pair<const char*, const char*> arrays[] = {
      {"f32", "Float32Array"}, {"i8", "Int8Array"}, {"u8", "Uint8Array"}, {"i16", "Int16Array"}, {"i32", "Int32Array"}};
  for (const auto& [name, array] : arrays) {
    if (element.name() == name) return array;
  }
  return {};
}

bool is_litert(const std::string& package) { return package.starts_with("@litertjs/core"); }

std::string value_of(const Details& details, const std::string& key) {
  const auto found = details.find(key);
  return found == details.end() ? "" : found->second;
}

Result<std::string> input_lines(const Lowered& lowered) {
  std::string text = "const inputs = [\n";
  for (std::size_t i = 0; i < lowered.inputs.size(); ++i) {
    const Tensor& tensor = lowered.inputs[i];
    const std::string array = array_of(tensor.element());
    if (array.empty()) return fail(Errc::unsupported, "JavaScript has no array of " + tensor.element().name());
    text += "  { shape: " + to_text(tensor.shape()) + ", data: new " + array + "(bytes('input_" + std::to_string(i) + ".bin')) },\n";
  }
  return text + "];\n";
}

std::string comment_lines(const std::string& text) {
  std::string lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines += "//   " + text.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return lines;
}

}  // namespace

bool is_tflite(const Details& details) { return value_of(details, "model_format") == "tflite"; }

LowerOptions options_of(const Details& details) {
  return {value_of(details, "host") == "unsigned", value_of(details, "kernel") == "builtin", value_of(details, "bias") == "absent"};
}

void describe_options(const LowerOptions& options, Details& details) {
  details["model_format"] = "tflite";
  details["host"] = options.unsigned_host ? "unsigned" : "signed";
  details["kernel"] = options.builtin_kernels ? "builtin" : "XNNPACK delegate";
  details["bias"] = options.absent_bias ? "absent" : "zeros";
}

Result<std::string> node_script(const Lowered& lowered, const Details& details, const std::string& comment) {
  const std::string package = value_of(details, "package");
  if (package.empty()) return fail(Errc::unsupported, "the backend does not say in which npm package it is");
  TIEBREAK_TRY(inputs, input_lines(lowered));
  std::string text = comment + "// The model:\n" + comment_lines(model_text(lowered.model));
  text += "// Run: npm install --ignore-scripts " + package + (is_litert(package) ? " @litertjs/wasm-utils" : "") + "; node " +
          (value_of(details, "isa") == "wasm relaxed-simd" ? "--experimental-wasm-relaxed-simd " : "") + "reproduce.mjs\n";
  text += "import { readFileSync } from 'node:fs';\nimport { createRequire } from 'node:module';\nimport { dirname } from 'node:path';\n\n";
  text += "const require = createRequire(import.meta.url);\n";
  text +=
      "const bytes = (name) => new Uint8Array(readFileSync(new URL(name, import.meta.url))).buffer;\nconst model = new Uint8Array(bytes('model.tflite'));\n" +
      inputs;
  if (!is_litert(package)) text += "const build = '" + value_of(details, "build") + "';\n";
  text += is_litert(package) ? litert_lines : tfjs_lines;
  const std::string result = lowered.model.tensors[static_cast<std::size_t>(lowered.model.outputs[0])].type.element.name();
  const bool is_moved = result == "u8" && lowered.result.element.name() == "i8";
  if (lowered.channels_last) text += "// The result lies channels last (NHWC).\n";
  if (is_moved) text += "// Codes of u8, which are 128 more than those of i8.\n";
  const std::string code = is_moved ? "Array.from(codes, (code) => code - 128)" : "Array.from(codes)";
  text +=
      "// Three times: a model that reads what it did not write answers otherwise when it runs again.\nfor (let run = 0; run < 3; ++run) {\n  const codes = "
      "await answer();\n  console.log('y', " +
      code + ".join(' '));\n}\n";
  return text + "process.exit(0);\n";
}

}  // namespace tiebreak::tflite
