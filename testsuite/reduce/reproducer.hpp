// SPDX-License-Identifier: Apache-2.0
// A reduced case in the terms of the backend's own world, for a report to its maintainers: nothing of Tiebreak is needed to run it.
#pragma once
#include <map>

#include "testsuite/reduce/reduce.hpp"

namespace tiebreak {

struct Reproducer {
  std::string kind{};                          ///< onnx, tflite, mlir
  std::string main_file{};                     ///< the one worth printing
  std::map<std::string, std::string> files{};  ///< name, below a folder -> content
};
/// A backend that runs TensorFlow Lite models (by its details): model.tflite, its inputs, and a script for node. ONNX operators: model.onnx, the
/// tensors as node tests keep them, and a Python script with both inside. All others: MLIR text.
Result<Reproducer> reproducer_of(const Reduced& reduced, const std::string& profile, const std::map<std::string, std::string>& backend_details);

}  // namespace tiebreak
