// SPDX-License-Identifier: Apache-2.0
// One layer of a model by itself: its name, and the call that it makes.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "testsuite/case/case.hpp"

namespace tiebreak {

/// The name of the layer's first result that has one, else the op's.
std::string first_result(const Program& program, const Operation& operation);
/// `03.conv1_out`: numbers of one width, so that ids sort as the layers stand.
std::string layer_word(const Program& program, std::size_t layer);
/// The value as the layer reads it: a constant of the model, or what is known of it; nullptr where nothing is.
const Tensor* read_value(const Program& program, const std::vector<std::optional<Tensor>>& known, ValueId id);
/// One layer as a call of its op: every operand is an input, under the page's name for it. Nothing if an operand is not known, if the op has no page, or if it
/// has regions.
std::optional<Case> call_case(const Library& library, const Program& program, std::size_t layer, const std::vector<std::optional<Tensor>>& known);

}  // namespace tiebreak
