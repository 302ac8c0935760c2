// SPDX-License-Identifier: Apache-2.0
// Values on the command line: `x=[0.5, 1.5]:f32`, `y_scale=0x1.8p-3:f32`, `axis=1`.
#pragma once
#include "testsuite/case/op_program.hpp"

namespace tiebreak::command {

/// NAME=VALUE:TYPE. The shape is that of the lists, or of a whole `tensor<...>` type.
Result<NamedTensor> parse_tensor_argument(const std::string& text);
/// NAME=VALUE: a number, of a type behind it (0.001:f32) the nearest, a list, true, false, none, an element type, or text.
Result<std::pair<std::string, Attribute>> parse_attribute_argument(const std::string& text);

}  // namespace tiebreak::command
