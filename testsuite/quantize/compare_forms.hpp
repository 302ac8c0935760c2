// SPDX-License-Identifier: Apache-2.0
// Where the forms of each operation part: every form of it runs on the same codes, so that a difference is this operation's own.
#pragma once
#include "testsuite/quantize/quantize.hpp"

namespace tiebreak {

enum class PartingCause : std::uint8_t {
  rounding,    ///< the same sum, rounded to another code
  saturation,  ///< one of the codes is an end of the range
  wide_sum,    ///< the sum in f32 is not the sum in integers
};
const char* to_word(PartingCause cause);

/// One form of one operation against its integer form.
struct Parting {
  std::string value, op;
  Form form = Form::simulated;
  std::int64_t elements = 0, different = 0;
  std::int64_t first = -1;  ///< row-major index of the first element that differs
  std::string code{}, integer_code{};
  PartingCause cause = PartingCause::rounding;
  std::string sum{}, simulated_sum{};  ///< of that element, where the operation has an accumulator
  std::optional<double> distance{};    ///< of the integer form's value before its rounding, to the nearest tie, in codes
};
/// The widest sum that an operation had.
struct WidestSum {
  std::string value, op;
  Real least, greatest;
};
struct FormComparison {
  std::size_t operations = 0;  ///< that were compared
  std::vector<Parting> partings{};
  std::vector<WidestSum> sums{};
};

/// Over all batches; the first batch with a difference tells the element.
Result<FormComparison> compare_forms(const Semantics& semantics, const Semantics& derivation, const QuantizedForms& made, const std::vector<Batch>& batches);
std::string comparison_text(const FormComparison& comparison);

}  // namespace tiebreak
