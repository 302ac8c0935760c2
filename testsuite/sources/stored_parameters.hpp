// SPDX-License-Identifier: Apache-2.0
// The quantization parameters that an exchange file has: a golden file, a request, a response, a file of a record.
#pragma once
#include <string>

#include "interpreter/semantics/library.hpp"
#include "testsuite/recover/recover.hpp"

namespace tiebreak {

/// Of one case, or with an empty `id` of all of them; then tensors have names `CASE:TENSOR`, unless there is one case alone. What stands at a dataset, or is
/// its quantized type, goes first; what the stored program has of other values, with the stored inputs, comes behind.
/// Errors: those of read_exchange, Errc::unknown_name with the nearest case, and a program that cannot be read or contradicts its annotations.
Result<RecoveredParameters> stored_parameters(const Library& library, const std::string& path, const std::string& id);

}  // namespace tiebreak
