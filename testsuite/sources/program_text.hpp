// SPDX-License-Identifier: Apache-2.0
// The text of a program file. A StableHLO portable artifact (MLIR bytecode of the dialect vhlo, written by `StableHLO_vX.Y.Z`) is no text: StableHLO's own
// program makes one of it, where that is there.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "interpreter/stop.hpp"

namespace tiebreak {

struct ProgramText {
  std::string text;
  std::string place;  ///< the file; of a text that was made of it, the file and that
};

/// Who wrote MLIR bytecode; nothing of other bytes.
std::optional<std::string> bytecode_producer(std::string_view bytes);

/// Reads the file, and makes a text of an artifact by `stablehlo-translate --deserialize` on PATH, within a minute and 16 MiB. Errors: bytecode of somebody
/// else, no such program, one that fails or gives no text.
Result<ProgramText> read_program_text(const std::string& path, const Stop& stop = {});

}  // namespace tiebreak
