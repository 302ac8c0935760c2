// SPDX-License-Identifier: Apache-2.0
// tiebreak check --per-layer: whole models instead of cases.
#pragma once
#include <functional>
#include <optional>

#include "testsuite/check/check.hpp"
#include "testsuite/sources/selection.hpp"
#include "tools/tiebreak/line/run_options.hpp"
#include "tools/tiebreak/line/verb.hpp"

namespace tiebreak::command {

struct ModelText {
  bool per_layer = false;
  std::vector<std::string> inputs{};
  std::string layers{}, until{};    ///< FROM..TO, and a last layer
  std::string layer_cases{};        ///< folder for the failing layers as cases
  std::string dumps{}, dump_map{};  ///< what a device wrote, in a backend's place
  /// The sources are models, and every layer is judged.
  bool is_by_layers() const { return per_layer || !dumps.empty(); }
};
void add_model_options(Verb& app, ModelText& text);
/// ` --per-layer --inputs x.pb`: what a command that reproduces a verdict needs.
std::string model_arguments(const ModelText& text);
/// Whether the options go together; nothing is loaded.
Status check_model_options(const ModelText& text, const RunText& run, const Selection& selection);

/// What is done while a model is checked.
struct ModelWatch {
  bool progress = false;  ///< a line on the terminal
  std::function<void(const CheckReport& so_far)>
      report{};  ///< as if the run were stopped: after a second, and then whenever twice the time is over, or a minute
};
/// Every model of the selection, one after the other; nothing where no layer is selected.
Result<std::optional<CheckReport>> check_models(const Library& library, Backend& backend, const ModelText& text, const Selection& selection,
                                                const CheckOptions& options, const ModelWatch& watch);
Result<std::vector<std::string>> list_layers(const Library& library, const ModelText& text, const Selection& selection, const CheckOptions& options);

}  // namespace tiebreak::command
