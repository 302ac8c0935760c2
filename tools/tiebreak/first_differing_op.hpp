// SPDX-License-Identifier: Apache-2.0
// In a program of several ops: the first in which two semantics part, on the way to an output.
#pragma once
#include <optional>

#include "testsuite/case/case.hpp"

namespace tiebreak::command {

struct DifferingOp {
  std::size_t operation = 0;  ///< place in the program
  std::size_t result = 0;     ///< of the operation
  std::int64_t element = 0;   ///< of that result: the one asked about where that differs and the shapes are the same, else the first that does
  std::string value{};        ///< name of the result
  Shape shape{};
  std::int64_t differing = 0, of = 0;  ///< elements
};

/// Nothing where all values that lead to the output are the same.
Result<std::optional<DifferingOp>> first_differing_op(const Library& library, const Profile& first, const Profile& second, const Case& test, std::size_t output,
                                                      std::int64_t element);

}  // namespace tiebreak::command
