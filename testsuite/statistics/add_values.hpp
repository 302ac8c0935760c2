// SPDX-License-Identifier: Apache-2.0
// One tensor of a form, and the reference's, added to the statistics of a node.
#pragma once
#include "testsuite/statistics/statistics.hpp"

namespace tiebreak {

/// Errc::type where the shapes differ.
Status add_values(const ResultTensor& expected, const ResultTensor& actual, const QuantizedType* read_by, std::size_t batch, const std::string& form,
                  NodeStatistics& node);
/// Rows along the axis in which the place of the greatest value, the first of equals, is another one.
void add_arg_max(const ResultTensor& expected, const ResultTensor& actual, const QuantizedType* read_by, std::optional<std::int64_t> axis,
                 NodeStatistics& node);
/// `range`: what the parameters say of it; none: that of the type.
void add_codes(const ResultTensor& codes, const std::string& name, const QuantizedType* range, NodeStatistics& node);

}  // namespace tiebreak
