// SPDX-License-Identifier: Apache-2.0
// Every value of a program on one batch, and values read as real numbers.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "testsuite/statistics/statistics.hpp"

namespace tiebreak {

/// For each value of the program what it is; constants are there, too.
using SideValues = std::vector<std::optional<ResultTensor>>;
/// `ties`: values of codes come with their distance to the tie.
Result<SideValues> side_values(const Semantics& semantics, const Program& program, const std::vector<Tensor>& inputs, const StatisticsOptions& options);

/// The batch's tensors in the order of the form's inputs: by name, else by place.
Result<std::vector<Tensor>> inputs_of_form(const Program& reference, const Batch& batch, const Program& form, const std::string& name);

/// The value that the text calls so, without a percent sign; -1 if there is none. Of several the last one that an operation gives.
ValueId value_named(const Program& program, const std::string& name);

/// Values as doubles: floats and codes as they are, quantized types by (code - zero point) * scale, rounded once. `parameters` read codes that have no
/// type of their own.
std::vector<double> real_values(const Tensor& tensor, const QuantizedType* parameters);
/// Codes as doubles: of a float tensor its whole numbers.
std::vector<double> code_values(const Tensor& tensor);
/// Integers of at most 16 bits, and quantized types.
bool has_codes(const Tensor& tensor);

}  // namespace tiebreak
