// SPDX-License-Identifier: Apache-2.0
// What is known of the values of a program while its parameters are recovered.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/program/program.hpp"
#include "testsuite/recover/recover.hpp"

namespace tiebreak::recover {

/// One number, or one for each place along an axis that is counted from the last (1).
struct Along {
  std::vector<Real> values{};
  int from_right = 0;  ///< 0: one number

  bool is_known() const { return !values.empty(); }
  const Real& at(std::size_t index) const { return values[values.size() == 1 ? 0 : index]; }
};
/// Element by element; nothing where both run along different axes.
template <class Function>
std::optional<Along> combined(const Along& a, const Along& b, const Function& function) {
  if (a.values.size() > 1 && b.values.size() > 1 && (a.from_right != b.from_right || a.values.size() != b.values.size())) return std::nullopt;
  const Along& longer = a.values.size() > 1 ? a : b;
  Along made{{}, longer.from_right};
  for (std::size_t i = 0; i < longer.values.size(); ++i) made.values.push_back(function(a.at(i), b.at(i)));
  return made;
}

/// Of a value that holds codes.
struct CodeFacts {
  std::optional<ElementType> storage{};       ///< of codes that floats carry; else that of the value
  std::optional<QuantizedType> stated{};      ///< by its own type
  std::vector<Real> scales{}, zero_points{};  ///< empty: not known
  std::vector<QuantizedDimension> dimensions{};
  Shape parameter_shape{};
  std::optional<Range> clip{};        ///< of the codes, where an operation holds them
  std::optional<Range> calibrated{};  ///< of the numbers, where the scale tells from what it was made
  ValueId real = -1;                  ///< the value in real space that they stand for
  std::string from{}, op{}, place{};
  bool is_operand = false;    ///< the scale, or the zero point, is an operand of an operation
  bool is_annotated = false;  ///< an annotation states some of it, which is where it comes from
  std::string why_no_scale{}, why_no_zero_point{}, why_no_axis{}, why_no_storage{};
};

/// Values by id, and who makes and who reads them.
class ValueGraph {
 public:
  explicit ValueGraph(const Program& program);
  const Program& program() const { return program_; }
  const ProgramValue& value(ValueId id) const { return program_.values[static_cast<std::size_t>(id)]; }
  /// Index of the operation, -1 of inputs and constants.
  int producer(ValueId id) const { return producers_[static_cast<std::size_t>(id)]; }
  const std::vector<std::size_t>& users(ValueId id) const { return users_[static_cast<std::size_t>(id)]; }
  std::string name(ValueId id) const;   ///< without %, of a value that has none what makes or reads it
  std::string place(ValueId id) const;  ///< of what makes it, else of what reads it first

 private:
  const Program& program_;
  std::vector<int> producers_;
  std::vector<std::vector<std::size_t>> users_;
};

}  // namespace tiebreak::recover
