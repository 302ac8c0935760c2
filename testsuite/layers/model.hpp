// SPDX-License-Identifier: Apache-2.0
// A whole model, layer by layer: the exact interpreter and a backend side by side, which layer is wrong by itself, and how the difference grows.
#pragma once
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
};
/// `path`: an .onnx or .tflite file, or a folder with model.onnx; `shapes` closes what it leaves open. `given`: tensors (.pb), data sets (folders), files of
/// cases (.h5); later ones win. Without any, test_data_set_0 beside the model; what no file has is drawn from the seed. With dumps an input is what was dumped
/// of it, else what is given; nothing is drawn then (Errc::usage). The dumps are matched to the program.
Result<Model> load_model(const std::string& path, const std::vector<std::string>& given, std::uint64_t seed, Dumps* dumps = nullptr,
                         const InputShapes& shapes = {});
struct ModelVerdict {
  ModelReport model;
  std::vector<CaseReport> cases{};                           ///< one a layer, and MODEL/outputs for the model as it is
  std::vector<std::pair<std::string, std::string>> files{};  ///< name and text of a case file for each failing layer
};
struct ModelOptions {
  CheckOptions check{};
  std::string layers_folder{};   ///< where the caller will put `files`, for the commands in the report; "" makes none
  CaseFilter wanted{};           ///< layers to judge; empty: all
  const Dumps* dumps = nullptr;  ///< what answers instead of the backend
};
Result<ModelVerdict> check_model(const Library& library, const Model& model, Backend& backend, const ModelOptions& options);
/// Ids of what check_model judges.
std::vector<std::string> layer_ids(const Model& model);

}  // namespace tiebreak
