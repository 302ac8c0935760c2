// SPDX-License-Identifier: Apache-2.0
// Where the inputs of a program come from: named files, the data sets beside the model, else numbers drawn from a seed.
#include "testsuite/sources/batches.hpp"

#include <algorithm>
#include <filesystem>

#include "interpreter/program/onnx_input_shapes.hpp"
#include "testsuite/arrays/array_of_file.hpp"
#include "testsuite/case/value_name.hpp"
#include "testsuite/exchange/exchange.hpp"
#include "testsuite/generate/generate.hpp"

namespace fs = std::filesystem;

namespace tiebreak {
namespace {

struct FoundTensor {
  std::size_t place;
  ArrayOfFile array;
};
using TensorSet = std::vector<FoundTensor>;

/// The arrays of a file, the first at this place among the inputs.
Status read_tensor_file(const fs::path& path, std::size_t place, TensorSet& found) {
  TIEBREAK_TRY(arrays, read_array_file(path.string()));
  for (ArrayOfFile& array : arrays) found.push_back({place++, std::move(array)});
  return {};
}

Status read_set(const fs::path& folder, std::vector<TensorSet>& sets) {
  std::error_code error;
  TensorSet found;
  for (std::size_t i = 0; fs::exists(folder / ("input_" + std::to_string(i) + ".pb"), error); ++i) {
    TIEBREAK_CHECK(read_tensor_file(folder / ("input_" + std::to_string(i) + ".pb"), i, found));
  }
  if (found.empty())
    return fail(Errc::usage, "no input_0.pb in this folder", folder.string(),
                ".npy .npz .pb .h5 .raw .bin files, and folders with input_0.pb, input_1.pb ... are read");
  sets.push_back(std::move(found));
  return {};
}

/// Folders with input_0.pb, by the numbers in their names: test_data_set_2 before test_data_set_10.
std::vector<fs::path> data_sets_in(const fs::path& folder) {
  std::vector<fs::path> sets;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (fs::exists(entry.path() / "input_0.pb", error)) sets.push_back(entry.path());
  std::ranges::sort(sets, [](const fs::path& a, const fs::path& b) {
    const std::string x = a.filename().string(), y = b.filename().string();
    return x.size() != y.size() ? x.size() < y.size() : x < y;
  });
  return sets;
}

Status read_folder(const fs::path& folder, std::vector<TensorSet>& sets) {
  std::error_code error;
  const std::vector<fs::path> inside = fs::exists(folder / "input_0.pb", error) ? std::vector<fs::path>{} : data_sets_in(folder);
  if (inside.empty()) return read_set(folder, sets);
  for (const fs::path& set : inside) TIEBREAK_CHECK(read_set(set, sets));
  return {};
}

Status read_cases(const fs::path& path, bool first_alone, std::vector<TensorSet>& sets) {
  TIEBREAK_TRY(file, read_exchange(path.string()));
  if (file.cases.empty()) return fail(Errc::usage, "no case in this file", path.string());
  for (std::size_t c = 0; c < (first_alone ? 1 : file.cases.size()); ++c) {
    TensorSet found;
    for (std::size_t i = 0; i < file.cases[c].inputs.size(); ++i)
      found.push_back({i, {.name = file.cases[c].inputs[i].name, .origin = path.string(), .tensor = file.cases[c].inputs[i].tensor}});
    sets.push_back(std::move(found));
  }
  return {};
}

/// The input that a tensor is for: of its name, else at its place. nullopt: none.
std::optional<std::size_t> input_of(const FoundTensor& tensor, const Program& program) {
  for (std::size_t i = 0; i < program.inputs.size(); ++i)
    if (bare_name(tensor.array.name) == bare_name(program, program.inputs[i])) return i;
  return tensor.place < program.inputs.size() ? std::optional(tensor.place) : std::nullopt;
}

/// Single files are one batch together, so that no two of them may be for one input.
Status check_single_files(const TensorSet& single, const Program& program) {
  std::map<std::size_t, const FoundTensor*> taken;
  for (const FoundTensor& tensor : single) {
    const auto input = input_of(tensor, program);
    if (!input) return fail(Errc::usage, "the program has no input for this tensor", tensor.array.origin, "single files are one batch: one for each input");
    const auto [other, is_first] = taken.try_emplace(*input, &tensor);
    if (is_first) continue;
    return fail(Errc::usage, "two tensors for input '" + bare_name(program, program.inputs[*input]) + "', the other from " + other->second->array.origin,
                tensor.array.origin, "single files are one batch; a folder with input_0.pb ... for each further one");
  }
  return {};
}

Result<std::vector<TensorSet>> read_given(const fs::path& model, const Program& program, const BatchOptions& options) {
  std::vector<TensorSet> sets;
  TensorSet single;
  std::error_code error;
  if (options.given.empty()) {
    for (const std::string& set : data_sets_beside(model.string()))
      if (!options.joined || fs::path(set).filename() == "test_data_set_0") TIEBREAK_CHECK(read_set(set, sets));
  }
  for (std::size_t i = 0; i < options.given.size(); ++i) {
    const fs::path path(options.given[i]);
    if (!fs::exists(path, error)) return fail(Errc::io, "no such file or folder", options.given[i]);
    std::vector<TensorSet> own;
    if (fs::is_directory(path, error)) TIEBREAK_CHECK(read_folder(path, own));
    else if (path.extension() == ".h5") TIEBREAK_CHECK(read_cases(path, options.joined, own));
    else TIEBREAK_CHECK(read_tensor_file(path, i, single));
    for (TensorSet& set : own) {
      if (options.joined) std::ranges::move(set, std::back_inserter(single));
      else sets.push_back(std::move(set));
    }
  }
  if (!options.joined) TIEBREAK_CHECK(check_single_files(single, program));
  if (!single.empty()) sets.push_back(std::move(single));
  return sets;
}

/// The last one with the input's name; else the last one without a name of any input that stands at its place.
const FoundTensor* find_input(const TensorSet& found, const Program& program, std::size_t place) {
  auto is_called = [&](const FoundTensor& one, ValueId id) { return bare_name(one.array.name) == bare_name(program, id); };
  for (std::size_t i = found.size(); i > 0; --i)
    if (is_called(found[i - 1], program.inputs[place])) return &found[i - 1];
  for (std::size_t i = found.size(); i > 0; --i) {
    const bool is_named = std::ranges::any_of(program.inputs, [&](ValueId id) { return is_called(found[i - 1], id); });
    if (!is_named && found[i - 1].place == place) return &found[i - 1];
  }
  return nullptr;
}

/// Floats between -2 and 2, whole numbers of 32 and 64 bits between 0 and 9 (they are mostly indices), all codes of the narrower types.
Result<Tensor> drawn(const TensorType& type, std::uint64_t seed, const std::string& where, const Stop& stop) {
  InputRequest request{.rule = "random", .type = type, .seed = seed, .where = where, .stop = stop};
  const bool wide = type.element.is_integer() && type.element.bits() >= 32;
  if (type.element.is_float()) request.numbers = {{"min", Real(-2)}, {"max", Real(2)}};
  if (wide) request.numbers = {{"min", Real(0)}, {"max", Real(9)}};
  return generate_input(request);
}

bool fits_open(const TensorType& stated, const TensorType& tensor) {
  TensorType closed = stated;
  if (closed.shape.size() != tensor.shape.size()) return false;
  for (std::size_t d = 0; d < closed.shape.size(); ++d)
    if (closed.shape[d] == open_dimension) closed.shape[d] = tensor.shape[d];
  return same_type(closed, tensor);
}

/// The tensor of an input: a file without a type has the input's, and codes get the parameters that the input's type has.
Result<Tensor> input_tensor(const ArrayOfFile& array, const std::optional<TensorType>& type, const std::string& where) {
  if (!array.tensor && type && !is_open(type->shape)) return tensor_of(array, *type);
  TIEBREAK_TRY(tensor, tensor_of(array));
  if (!type || fits_open(*type, tensor.type())) return tensor;
  const TensorType coded{tensor.element(), tensor.shape(), type->quantized};
  if (!fits_open(*type, coded)) return fail(Errc::type, "the model says " + to_text(*type) + ", " + array.origin + " is " + to_text(tensor.type()), where);
  tensor.set_type(coded);
  return tensor;
}

/// `x=1x3x8x8`
std::string shape_option(const std::string& name, const Shape& shape) {
  std::string text = name;
  for (std::size_t d = 0; d < shape.size(); ++d) text += (d == 0 ? "=" : "x") + std::to_string(shape[d]);
  return text;
}

/// What is known of an input's shape: what its type says, else the file that the program was read from.
std::optional<Shape> stated_shape(const Program& program, ValueId input) {
  const ProgramValue& value = program.values[static_cast<std::size_t>(input)];
  if (value.type) return value.type->shape;
  if (fs::path(program.file).extension() != ".onnx") return std::nullopt;
  const auto shapes = onnx_input_shapes(program.file);
  if (!shapes || !shapes->contains(value.name)) return std::nullopt;
  return shapes->at(value.name);
}

/// What a user can write as it is: of the dimensions that are open one element each, of the places of an image some.
std::string shape_to_give(const Program& program, ValueId input) {
  Shape shape = stated_shape(program, input).value_or(Shape{1, 3, open_dimension, open_dimension});
  for (std::size_t d = 0; d < shape.size(); ++d)
    if (shape[d] == open_dimension) shape[d] = shape.size() == 4 && d >= 2 ? 32 : 1;
  return "--input-shape " + shape_option(bare_name(program, input), shape);
}

Result<Batch> batch_of(const Program& program, const std::string& path, const TensorSet& found, const BatchOptions& options, std::uint64_t seed) {
  Batch batch;
  for (std::size_t i = 0; i < program.inputs.size(); ++i) {
    const ProgramValue& value = program.values[static_cast<std::size_t>(program.inputs[i])];
    const std::string where = path + ": input '" + value.name + "'";
    const std::optional<TensorType>& type = value.type;
    if (const auto given = options.known.find(bare_name(value.name)); given != options.known.end()) {
      batch.inputs.push_back(given->second.tensor);
      batch.origins.push_back(given->second.origin);
      continue;
    }
    if (const FoundTensor* from = find_input(found, program, i)) {
      TIEBREAK_TRY(tensor, input_tensor(from->array, type, where));
      batch.inputs.push_back(std::move(tensor));
      batch.origins.push_back(from->array.origin);
      continue;
    }
    if (options.drawn == 0)
      return fail(Errc::usage, "neither a dump nor a file has this input, so that nothing is known of what the device computed from it", where,
                  "--inputs FILE, or a dump called " + bare_name(value.name));
    if (!type || is_open(type->shape))
      return fail(
          Errc::usage, "the model leaves the shape open, so that no input can be drawn", where,
          options.shapes_can_be_given ? shape_to_give(program, program.inputs[i]) + (options.joined ? "" : ", or --data") : "--inputs FILE.pb or a data set");
    TIEBREAK_TRY(made, drawn(*type, seed + i, where, options.stop));
    batch.inputs.push_back(std::move(made));
    batch.origins.push_back("generated, seed " + std::to_string(seed));
  }
  return batch;
}

}  // namespace

Status close_shapes(Program& program, const std::map<std::string, Shape>& shapes) {
  for (const auto& [name, shape] : shapes) {
    const auto input = std::ranges::find_if(program.inputs, [&program, &name = name](ValueId id) { return bare_name(program, id) == name; });
    if (input == program.inputs.end())
      return fail(Errc::usage, "'" + shape_option(name, shape) + "' names no input", program.file,
                  program.inputs.empty() ? "" : shape_to_give(program, program.inputs.front()));
    TIEBREAK_CHECK(element_count(shape));
    std::optional<TensorType>& type = program.values[static_cast<std::size_t>(*input)].type;
    const TensorType closed{type ? type->element : *ElementType::parse("f32"), shape, type ? type->quantized : std::nullopt};
    if (type && !fits_open(*type, closed))
      return fail(Errc::usage, "the shape " + to_text(shape) + " does not fit " + to_text(*type), program.file + ": input '" + name + "'",
                  shape_to_give(program, *input));
    type = closed;
  }
  return {};
}

std::vector<std::string> data_sets_beside(const std::string& path) {
  const fs::path model(path);
  std::vector<std::string> sets;
  for (const fs::path& set : data_sets_in(model.has_parent_path() ? model.parent_path() : fs::path(".")))
    if (set.filename().string().starts_with("test_data_set_")) sets.push_back(set.string());
  return sets;
}

Result<Batch> draw_batch(const Program& program, const std::string& path, std::uint64_t seed, const Stop& stop) {
  return batch_of(program, path, {}, {.shapes_can_be_given = true, .stop = stop}, seed);
}

Result<std::vector<Batch>> load_batches(const Program& program, const std::string& path, const BatchOptions& options) {
  TIEBREAK_TRY(sets, read_given(path, program, options));
  if (sets.empty()) sets.resize(options.joined ? 1 : options.drawn);
  std::vector<Batch> batches;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    TIEBREAK_TRY(batch, batch_of(program, path, sets[i], options, options.seed + between_batches * i));
    batches.push_back(std::move(batch));
  }
  return batches;
}

}  // namespace tiebreak
