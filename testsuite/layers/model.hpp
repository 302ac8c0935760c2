// SPDX-License-Identifier: Apache-2.0
// A whole model, layer by layer: the exact interpreter and a backend side by side, which layer is wrong by itself, and how the difference grows.
#pragma once
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "testsuite/check/check.hpp"
#include "testsuite/layers/dumps.hpp"
#include "testsuite/sources/load_cases.hpp"

namespace tiebreak {

/// A model with its inputs.
struct Model {
  Case test;  ///< id: the model's name; program with the names that the model gives
  std::vector<ModelInput> inputs{};
  std::vector<std::string> notes{};  ///< what the report says of how the model was read
};
/// `path`: an .onnx or .tflite file, or a folder with model.onnx; `shapes` closes what it leaves open. `given`: tensors (.pb), data sets (folders), files of
/// cases (.h5); later ones win. Without any, test_data_set_0 beside the model; what no file has is drawn from the seed. With dumps an input is what was dumped
/// of it, else what is given; nothing is drawn then (Errc::usage). The dumps are matched to the program. `stop` ends
/// the drawing of inputs: Errc::usage, "interrupted".
Result<Model> load_model(const std::string& path, const std::vector<std::string>& given, std::uint64_t seed, Dumps* dumps = nullptr,
                         const InputShapes& shapes = {}, const Stop& stop = {});
/// An operation that runs one of several graphs, as a value says, is replaced by the operations of the graph that runs on the model's inputs, which become
/// layers; a note names each. One whose value cannot be computed under the semantics stays as it is.
Status take_branches(const Semantics& semantics, Model& model);
/// Layers by their numbers, both ends included. The model ends with the last one; those before the first run, and are not judged.
struct LayerRange {
  std::size_t first = 0, last = std::numeric_limits<std::size_t>::max();
};
/// `range`: FROM..TO, each a number or a name of a layer, or nothing for the model's own end; `until`: the last layer. "" is no bound. A layer's names are
/// its id without the model, with or without the number, and those of its results. Errc::usage, Errc::unknown_name with the nearest name.
Result<LayerRange> layer_range(const Program& program, const std::string& range, const std::string& until);

struct ModelVerdict {
  ModelReport model;
  std::size_t most_bytes = 0;                                ///< of the values that were held between two layers; constants are not among them
  std::vector<CaseReport> cases{};                           ///< one a layer, and MODEL/outputs for the model as it is
  std::vector<std::pair<std::string, std::string>> files{};  ///< name and text of a case file for each failing layer
};
struct ModelOptions {
  CheckOptions check{};
  std::string layers_folder{};   ///< where the caller will put `files`, for the commands in the report; "" makes none
  CaseFilter wanted{};           ///< layers to judge; empty: all
  const Dumps* dumps = nullptr;  ///< what answers instead of the backend
  LayerRange range{};
  std::size_t most_answer = std::size_t{128} << 20;  ///< bytes of values that are asked for in one run; of more the model is run in parts
  /// Called before each layer, with its number and its name; where the model does not state its types also while the reference runs first.
  std::function<void(std::size_t layer, const std::string& name)> progress{};
  /// Called after the verdict on each layer. `so_far` gives what the run would give if it were stopped now, but for the model's outputs.
  std::function<void(const std::function<Result<ModelVerdict>()>& so_far)> judged{};
};
/// The model is the run's own: move it in, and its constants are held once. When the library's stop is requested, the run ends with what it has: layers
/// that were not judged are `not_run`, and the report names the first of them.
Result<ModelVerdict> check_model(const Library& library, Model model, Backend& backend, const ModelOptions& options);
/// Ids of what check_model judges in this range.
std::vector<std::string> layer_ids(const Model& model, const LayerRange& range = {});

}  // namespace tiebreak
