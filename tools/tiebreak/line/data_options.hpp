// SPDX-License-Identifier: Apache-2.0
// --data, --batches, --seed, --input-shape: the batches that a program of the command line runs on.
#pragma once
#include <string>
#include <vector>

#include "testsuite/sources/batches.hpp"
#include "tools/tiebreak/line/verb.hpp"

namespace tiebreak::command {

struct DataText {
  std::vector<std::string> data, shapes;
  std::string seed = "0", batches = "1";
};
/// `x=1x3x8x8`, each for another input.
Result<std::map<std::string, Shape>> parse_input_shapes(const std::vector<std::string>& texts);
void add_data(Verb& app, DataText& text);
/// Closes the program's open shapes as --input-shape says.
Status close_shapes(Program& program, const DataText& text);
/// The batches of the program at `path`, or FILE@FUNCTION.
Result<std::vector<Batch>> batches_of(const Program& program, const std::string& path, const DataText& text);

}  // namespace tiebreak::command
