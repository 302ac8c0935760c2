// SPDX-License-Identifier: Apache-2.0
// Names of a program's values as cases, logs and reports write them: without MLIR's percent sign.
#pragma once
#include <string>

#include "testsuite/case/case.hpp"

namespace tiebreak {

inline std::string bare_name(const std::string& name) { return name.starts_with("%") ? name.substr(1) : name; }
inline std::string bare_name(const Program& program, ValueId id) { return bare_name(program.values[static_cast<std::size_t>(id)].name); }
inline std::string input_name(const Case& test, std::size_t input) { return bare_name(test.program, test.program.inputs[input]); }
inline std::string output_name(const Case& test, std::size_t output) { return bare_name(test.program, test.program.outputs[output]); }

}  // namespace tiebreak
