// SPDX-License-Identifier: Apache-2.0
// Models of TensorFlow Lite as cases: the whole model, on one batch of inputs.
#include <filesystem>

#include "interpreter/lite/lite.hpp"
#include "testsuite/case/op_program.hpp"
#include "testsuite/sources/batches.hpp"
#include "testsuite/sources/case_readers.hpp"

namespace tiebreak {

Result<Program> read_model_file(const std::string& path) { return is_tflite_path(path) ? read_tflite_file(path) : read_onnx_file(path); }

Result<CaseList> read_tflite_cases(const std::string& path, const CaseFilter& wanted, std::uint64_t seed, const InputShapes& shapes, const Stop& stop) {
  TIEBREAK_TRY(program, read_tflite_file(path));
  Case test;
  test.source = path;
  test.id = op_names(program) + "/" + id_part(std::filesystem::path(path).stem().string());
  if (!is_wanted(wanted, test.id)) return CaseList{};
  TIEBREAK_CHECK(close_shapes(program, shapes));
  TIEBREAK_TRY(batches, load_batches(program, path, {.seed = seed, .joined = true, .shapes_can_be_given = true, .stop = stop}));
  test.inputs = std::move(batches.front().inputs);
  for (std::size_t i = 0; i < program.inputs.size(); ++i) program.values[static_cast<std::size_t>(program.inputs[i])].type = test.inputs[i].type();
  test.program = std::move(program);
  CaseList cases;
  cases.push_back(std::move(test));
  return cases;
}

}  // namespace tiebreak
