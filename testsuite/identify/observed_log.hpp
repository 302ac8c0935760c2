// SPDX-License-Identifier: Apache-2.0
// What somebody logged: calls of one op, or of a small program, with the results that were seen. docs/identify.md has the forms of the
// file.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "testsuite/candidates/observed_cases.hpp"

namespace tiebreak {

/// Both ends belong to it.
struct CallerRange {
  Real low{}, high{};
};

/// One logged call. `fixed` are the inputs that stand under "parameters": what the caller does not vary.
struct LoggedCase {
  Case test;
  std::vector<std::string> fixed{};
};

/// The elements that one piece of code computed: a vector body, a tail. A log that does not tell them apart has one part without a name.
struct LoggedPart {
  std::string name;
  Evidence evidence;
};

struct ObservedLog {
  std::vector<std::string> ops{};               ///< of the program, each once
  std::string within{};                         ///< the op whose step was logged: onnx.QLinearConv of a log of quant.requantize; "" where that is not stated
  std::string system{};                         ///< whose code it was, where the log states it
  std::map<std::string, std::string> causes{};  ///< of each part, where the log states it: a profile, or choice=alternative. For readers and tests
  std::map<std::string, CallerRange> ranges{};  ///< operand -> the values that its caller can give
  std::vector<LoggedCase> cases{};
  std::vector<LoggedPart> parts{};  ///< in the order in which they are first named

  /// onnx.QuantizeLinear, onnx.QuantizeLinear+onnx.DequantizeLinear.
  std::string op_text() const;
};

/// What the command line says beside the file. The file's own words win; another op than the file's is an error.
struct LogDefaults {
  std::string op{};
  std::map<std::string, std::string> types{};
};
/// tiebreak.observations/1, or CSV where the name ends with .csv. Errors name the JSON pointer, or line and column.
Result<ObservedLog> read_observations(const Library& library, const LogDefaults& defaults, const std::string& path);

}  // namespace tiebreak
