// SPDX-License-Identifier: Apache-2.0
// Models with one batch of inputs.
#include <filesystem>

#include "testsuite/case/value_name.hpp"
#include "testsuite/layers/model.hpp"
#include "testsuite/sources/batches.hpp"
#include "testsuite/sources/case_readers.hpp"

namespace fs = std::filesystem;

namespace tiebreak {
namespace {

Status take_dumped_inputs(const Program& program, Dumps& dumps, BatchOptions& options) {
  TIEBREAK_CHECK(dumps.match(program));
  options.drawn = 0;
  for (ValueId id : program.inputs) {
    if (!dumps.has(id)) continue;
    const ProgramValue& input = program.values[static_cast<std::size_t>(id)];
    TIEBREAK_TRY(tensor, dumps.tensor(id, input.type));
    options.known.emplace(bare_name(input.name), KnownInput{std::move(tensor), dumps.origin(id)});
  }
  return {};
}

}  // namespace

Result<Model> load_model(const std::string& source, const std::vector<std::string>& given, std::uint64_t seed, Dumps* dumps, const InputShapes& shapes,
                         const Stop& stop) {
  const fs::path path = model_path(source);
  TIEBREAK_TRY(program, read_model_file(path.string()));
  TIEBREAK_CHECK(close_shapes(program, shapes));
  BatchOptions options{.given = given, .seed = seed, .joined = true, .shapes_can_be_given = true, .stop = stop};
  if (dumps != nullptr) TIEBREAK_CHECK(take_dumped_inputs(program, *dumps, options));
  TIEBREAK_TRY(batches, load_batches(program, path.string(), options));
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
