// SPDX-License-Identifier: Apache-2.0
// StableHLO's programs as found on this machine, and one run of them.
#pragma once
#include <string>

#include "interpreter/error.hpp"

namespace tiebreak::stablehlo {

/// The path given, or the first executable of that name in the folders of $PATH; "" if there is none.
std::string find_program(const std::string& path, const std::string& name);

struct Programs {
  std::string translate{};  ///< stablehlo-translate
  std::string opt{};        ///< stablehlo-opt, for the lowering to dequantize, op, quantize
  bool lower_first = false;
  double timeout_seconds = 30;
};

/// What the interpreter prints for an MLIR text. What it refuses as unknown to it is Errc::unsupported, everything else that goes
/// wrong Errc::backend.
Result<std::string> interpret(const Programs& programs, const std::string& text);
/// StableHLO's version where the program can say it, else the line of `--version` that says LLVM's, "" if none does.
Result<std::string> version_of(const Programs& programs);

}  // namespace tiebreak::stablehlo
