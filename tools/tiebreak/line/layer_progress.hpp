// SPDX-License-Identifier: Apache-2.0
// How far a run over the layers of a model is: the layer's name, the share that is done, and the time that is left if the rest goes as what was.
#pragma once
#include <chrono>

#include "tools/tiebreak/line/console.hpp"

namespace tiebreak::command {

/// `layer 12 of 40, conv_12: 27 % done, 1 min 20 s left`. `layer`: those before it are done; `seconds`: since the first began. Nothing is said of the time left
/// before a layer is done and a second over.
std::string layer_progress_text(std::size_t layer, std::size_t total, const std::string& name, double seconds);

/// The line on standard error; nothing at all unless that is a terminal.
class LayerProgress {
 public:
  explicit LayerProgress(bool enabled) : line_("", enabled) {}
  void operator()(std::size_t layer, std::size_t total, const std::string& name);
  void clear() { line_.clear(); }

 private:
  Progress line_;
  std::chrono::steady_clock::time_point start_{};  ///< when the first layer began
};

}  // namespace tiebreak::command
