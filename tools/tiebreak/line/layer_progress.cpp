// SPDX-License-Identifier: Apache-2.0
#include "tools/tiebreak/line/layer_progress.hpp"

#include <algorithm>
#include <cmath>

namespace tiebreak::command {
namespace {

constexpr int minute = 60, hour = 60 * minute;
constexpr double longest_wait = 1000.0 * hour;

std::string duration_text(double seconds) {
  const int whole = static_cast<int>(std::ceil(std::min(seconds, longest_wait)));
  if (whole < minute) return std::to_string(whole) + " s";
  if (whole < hour) return std::to_string(whole / minute) + " min " + std::to_string(whole % minute) + " s";
  return std::to_string(whole / hour) + " h " + std::to_string(whole % hour / minute) + " min";
}

}  // namespace

std::string layer_progress_text(std::size_t layer, std::size_t total, const std::string& name, double seconds) {
  std::string text = "layer " + std::to_string(layer + 1) + " of " + std::to_string(total) + ", " + name + ": " +
                     std::to_string(total == 0 ? 100 : 100 * layer / total) + " % done";
  if (layer == 0 || seconds < 1) return text;
  return text + ", " + duration_text(seconds * static_cast<double>(total - layer) / static_cast<double>(layer)) + " left";
}

void LayerProgress::operator()(std::size_t layer, std::size_t total, const std::string& name) {
  if (!line_.is_shown()) return;
  if (layer == 0) start_ = std::chrono::steady_clock::now();  // not what was done before the layers
  line_.show(layer_progress_text(layer, total, name, std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count()));
}

}  // namespace tiebreak::command
