// SPDX-License-Identifier: Apache-2.0
// What a program says, and what a tensor holds, as digests: what tells that a later run is asked the same.
#pragma once
#include <string>

#include "interpreter/program/program.hpp"

namespace tiebreak {

/// SHA-256, its first 16 hex digits, over everything that is run: names, types and constants of values, operations with attributes and regions. Not over the
/// file that it was read from.
std::string program_digest(const Program& program);
/// The same over a tensor's type and bytes.
std::string tensor_digest(const Tensor& tensor);
/// Of a program with its inputs: what is asked by a case.
std::string question_digest(const Program& program, const std::vector<Tensor>& inputs);

}  // namespace tiebreak
