// SPDX-License-Identifier: Apache-2.0
// A call on the command line: an op or a program file with the values of its inputs.
#pragma once
#include <string>
#include <vector>

#include "testsuite/case/case.hpp"
#include "tools/tiebreak/line/verb.hpp"

namespace tiebreak::command {

struct CallText {
  std::vector<std::string> inputs, attributes, results;
  std::string version;
  bool empty() const { return inputs.empty() && attributes.empty() && results.empty(); }
};
/// --input, --attribute, --result, --op-version.
void add_call(Verb& app, CallText& call);
/// A program file (.mlir, .relay, .onnx, .tflite), or FILE@FUNCTION where a text has several.
Result<Program> read_program(const std::string& word);
/// `source` is an op or a program file.
Result<Case> call_case(const Library& library, const std::string& source, const CallText& call);

}  // namespace tiebreak::command
