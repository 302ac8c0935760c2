// SPDX-License-Identifier: Apache-2.0
// A model with its inputs as a script for node that needs nothing but the npm package: what a report to the maintainers of a WebAssembly build holds.
#pragma once
#include <map>

#include "testsuite/tflite/lower.hpp"

namespace tiebreak::tflite {

/// What a backend says of itself in `details`, as far as its models depend on it: package, kernel, host, bias.
using Details = std::map<std::string, std::string>;
/// The backend's models are TensorFlow Lite's.
bool is_tflite(const Details& details);
LowerOptions options_of(const Details& details);
/// The other way round, for the backend itself.
void describe_options(const LowerOptions& options, Details& details);
/// `comment` is lines that begin with //. Reads model.tflite and input_0.bin, ... beside itself and prints the codes of the result.
Result<std::string> node_script(const Lowered& lowered, const Details& details, const std::string& comment);

}  // namespace tiebreak::tflite
