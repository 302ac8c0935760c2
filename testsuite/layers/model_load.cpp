// SPDX-License-Identifier: Apache-2.0
// Models with one batch of inputs.
#include <filesystem>

#include "testsuite/layers/model.hpp"
#include "testsuite/sources/batches.hpp"
#include "testsuite/sources/case_readers.hpp"

namespace fs = std::filesystem;

namespace tiebreak {

Result<Model> load_model(const std::string& source, const std::vector<std::string>& given, std::uint64_t seed) {
  std::error_code error;
  fs::path path = fs::is_directory(source, error) ? fs::path(source) / "model.onnx" : fs::path(source);
  TIEBREAK_TRY(program, read_onnx_file(path.string()));
  TIEBREAK_TRY(batches, load_batches(program, path.string(), {.given = given, .seed = seed, .joined = true}));
  Model model;
  const bool in_folder = path.filename() == "model.onnx";
  model.test.id = id_part(in_folder ? fs::weakly_canonical(path).parent_path().filename().string() : path.stem().string());
  model.test.source = source;
  model.test.inputs = std::move(batches.front().inputs);
  for (std::size_t i = 0; i < program.inputs.size(); ++i) {
    ProgramValue& value = program.values[static_cast<std::size_t>(program.inputs[i])];
    value.type = model.test.inputs[i].type();
    model.inputs.push_back({value.name, to_text(*value.type), batches.front().origins[i]});
  }
  model.test.program = std::move(program);
  return model;
}

}  // namespace tiebreak
