// SPDX-License-Identifier: Apache-2.0
// Models and where their inputs come from: named files, the data set beside the model, else numbers drawn from a seed.
#include <algorithm>
#include <filesystem>

#include "testsuite/exchange/exchange.hpp"
#include "testsuite/generate/generate.hpp"
#include "testsuite/layers/model.hpp"
#include "testsuite/sources/case_readers.hpp"

namespace fs = std::filesystem;

namespace tiebreak {
namespace {

struct FoundTensor {
  std::string name;  ///< "" where the file has none
  std::size_t place;
  Tensor tensor;
  std::string origin;
};

Status read_tensor_file(const fs::path& path, std::size_t place, std::vector<FoundTensor>& found) {
  std::string name;
  TIEBREAK_TRY(tensor, read_onnx_tensor_file(path.string(), &name));
  found.push_back({name, place, std::move(tensor), path.string()});
  return {};
}

Status read_set(const fs::path& folder, std::vector<FoundTensor>& found) {
  std::error_code error;
  const std::size_t before = found.size();
  for (std::size_t i = 0; fs::exists(folder / ("input_" + std::to_string(i) + ".pb"), error); ++i) {
    TIEBREAK_CHECK(read_tensor_file(folder / ("input_" + std::to_string(i) + ".pb"), i, found));
  }
  if (found.size() == before)
    return fail(Errc::usage, "no input_0.pb in this folder", folder.string(), "--inputs takes .pb and .h5 files, and folders with input_0.pb, input_1.pb ...");
  return {};
}

/// The inputs of the first case of an exchange file.
Status read_cases(const fs::path& path, std::vector<FoundTensor>& found) {
  TIEBREAK_TRY(file, read_exchange(path.string()));
  if (file.cases.empty()) return fail(Errc::usage, "no case in this file", path.string());
  for (std::size_t i = 0; i < file.cases[0].inputs.size(); ++i)
    found.push_back({file.cases[0].inputs[i].name, i, file.cases[0].inputs[i].tensor, path.string()});
  return {};
}

Result<std::vector<FoundTensor>> read_given(const fs::path& model, const std::vector<std::string>& given) {
  std::vector<FoundTensor> found;
  std::error_code error;
  const fs::path beside = model.parent_path() / "test_data_set_0";
  if (given.empty() && fs::is_directory(beside, error)) TIEBREAK_CHECK(read_set(beside, found));
  for (std::size_t i = 0; i < given.size(); ++i) {
    const fs::path path(given[i]);
    if (!fs::exists(path, error)) return fail(Errc::io, "no such file or folder", given[i]);
    if (fs::is_directory(path, error)) TIEBREAK_CHECK(read_set(path, found));
    else if (path.extension() == ".h5") TIEBREAK_CHECK(read_cases(path, found));
    else TIEBREAK_CHECK(read_tensor_file(path, i, found));
  }
  return found;
}

/// The last one with the input's name; else the last one without a name of any input that stands at its place.
const FoundTensor* find_input(const std::vector<FoundTensor>& found, const Program& program, std::size_t place) {
  auto name_of = [&](ValueId id) { return program.values[static_cast<std::size_t>(id)].name; };
  for (std::size_t i = found.size(); i > 0; --i)
    if (found[i - 1].name == name_of(program.inputs[place])) return &found[i - 1];
  for (std::size_t i = found.size(); i > 0; --i) {
    const bool is_named = std::ranges::any_of(program.inputs, [&](ValueId id) { return name_of(id) == found[i - 1].name; });
    if (!is_named && found[i - 1].place == place) return &found[i - 1];
  }
  return nullptr;
}

/// Floats between -2 and 2, whole numbers of 32 and 64 bits between 0 and 9 (they are mostly indices), all codes of the narrower types.
Result<Tensor> drawn(const TensorType& type, std::uint64_t seed, const std::string& where) {
  InputRequest request{.rule = "random", .type = type, .seed = seed, .where = where};
  const bool wide = type.element.is_integer() && type.element.bits() >= 32;
  if (type.element.is_float()) request.numbers = {{"min", Real(-2)}, {"max", Real(2)}};
  if (wide) request.numbers = {{"min", Real(0)}, {"max", Real(9)}};
  return generate_input(request);
}

}  // namespace

Result<Model> load_model(const std::string& source, const std::vector<std::string>& given, std::uint64_t seed) {
  std::error_code error;
  fs::path path = fs::is_directory(source, error) ? fs::path(source) / "model.onnx" : fs::path(source);
  TIEBREAK_TRY(program, read_onnx_file(path.string()));
  TIEBREAK_TRY(found, read_given(path, given));
  Model model;
  const bool in_folder = path.filename() == "model.onnx";
  model.test.id = id_part(in_folder ? fs::weakly_canonical(path).parent_path().filename().string() : path.stem().string());
  model.test.source = source;
  for (std::size_t i = 0; i < program.inputs.size(); ++i) {
    const ProgramValue& value = program.values[static_cast<std::size_t>(program.inputs[i])];
    const std::string where = path.string() + ": input '" + value.name + "'";
    Tensor tensor;
    std::string origin = "generated, seed " + std::to_string(seed);
    if (const FoundTensor* from = find_input(found, program, i)) {
      tensor = from->tensor;
      origin = from->origin;
      if (value.type && !same_type(*value.type, tensor.type()))
        return fail(Errc::type, "the model says " + to_text(*value.type) + ", " + from->origin + " is " + to_text(tensor.type()), where);
    } else {
      if (!value.type) return fail(Errc::usage, "the model leaves the shape open, so that no input can be drawn", where, "--inputs FILE.pb or a data set");
      TIEBREAK_TRY(made, drawn(*value.type, seed + i, where));
      tensor = std::move(made);
    }
    model.inputs.push_back({value.name, to_text(tensor.type()), origin});
    model.test.inputs.push_back(std::move(tensor));
  }
  model.test.program = std::move(program);
  for (std::size_t i = 0; i < model.test.inputs.size(); ++i)
    model.test.program.values[static_cast<std::size_t>(model.test.program.inputs[i])].type = model.test.inputs[i].type();
  return model;
}

}  // namespace tiebreak
