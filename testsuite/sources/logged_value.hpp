// SPDX-License-Identifier: Apache-2.0
// A value of a log as a tensor: a number, a nested list, or {"type", "shape", "data"}.
#pragma once
#include "interpreter/tensor/tensor.hpp"
#include "testsuite/text/json_value.hpp"

namespace tiebreak {

struct LoggedValue {
  Tensor tensor{};
  std::vector<std::uint8_t> unseen{};  ///< 1 where the log has null; empty where it has none
};
/// `type`: of numbers and lists, `f32` or `!quant.uniform<...>`. `may_be_unseen`: null stands for an element that nobody saw.
Result<LoggedValue> read_logged_value(const JsonValue& value, const std::string& type, bool may_be_unseen);
/// Extents of a nested list, by its first members.
Shape shape_of_value(const JsonValue& value);
/// Flat indices: a number, a list of them, or a range in quotes, "0 .. 63".
Result<std::vector<std::int64_t>> read_elements(const JsonValue& value);

}  // namespace tiebreak
