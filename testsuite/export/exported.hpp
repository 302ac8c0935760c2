// SPDX-License-Identifier: Apache-2.0
// What is exported of a case: its tensors, and what stands behind them that hardware and C want to see (docs/export.md).
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "interpreter/tensor/tensor.hpp"

namespace tiebreak {

enum class ExportRole : std::uint8_t {
  input,        ///< of the case
  constant,     ///< of its program: weights
  expected,     ///< an output under the profile
  defined,      ///< 1 where an element of an expected output is stated, 0 where every value is right
  accumulator,  ///< the exact sum behind each element of an output
  multiplier,   ///< whole numbers: the real factor behind the accumulator is multiplier * 2^(shift - 31)
  shift,        ///< of these
  factor,       ///< real numbers that the accumulator, or the input, is multiplied by
  divisor,      ///< and divided by
  table,        ///< of a function of one code of at most 8 bits: its result for each code
};
/// `input`, `const`, `expected` ...: what names of files and of C begin with.
const char* to_word(ExportRole role);

struct ExportedTensor {
  ExportRole role = ExportRole::input;
  std::string of;      ///< the value's name in the program; of what stands behind an output, the output's
  std::string name{};  ///< of its files and in C: letters, digits, `_`; unique without regard to case
  Tensor tensor{};
  std::vector<std::uint8_t> undefined{};  ///< of each element, empty where none is
  std::vector<std::string> notes{};
};

struct ExportedCase {
  std::string id, profile;
  std::string folder{};                            ///< below the folder of the export
  std::map<std::string, std::string> op_hashes{};  ///< for each op of the program the hash of what its values depend on
  std::vector<std::string> clauses{};              ///< op/choice=alternative, as the profile takes them; sorted
  std::vector<ExportedTensor> tensors{};
  std::vector<std::string> notes{};
};

}  // namespace tiebreak
