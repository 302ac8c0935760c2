// SPDX-License-Identifier: Apache-2.0
// A step such as quant.requantize stands in many ops, and a system may compute it otherwise in each: its QUANTIZE is not its convolution.
#pragma once
#include <string>
#include <vector>

#include "interpreter/semantics/library.hpp"

namespace tiebreak {

/// The profile as `step` reads it inside `op`: what it binds for the modules of `op` (onnx.QLinearConv/requantize.code) becomes what it
/// binds for the step alone (quant.requantize/code). A condition on operands that the step does not have leaves both its branches open. The
/// name says where: `litert-xnnpack in onnx.QLinearConv`.
Profile reading_within(const Library& library, const Profile& profile, const std::string& step, const std::string& op);

/// Whether the page of `op` uses that of `step`.
bool uses_step(const Library& library, const std::string& op, const std::string& step);

/// Every profile as `step` reads it inside `op`; with "" the profiles as they are, then what they bind otherwise inside an op that uses the
/// step.
std::vector<Profile> readings_of_step(const Library& library, const std::string& step, const std::string& op);

}  // namespace tiebreak
