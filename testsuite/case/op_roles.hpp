// SPDX-License-Identifier: Apache-2.0
// What the operands of an op are for: data, scales, zero points, a bias. Read from the page's header and its structure, so that questions
// can be made for every op that is written as the others are.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/semantics/library.hpp"
#include "interpreter/tensor/element_type.hpp"

namespace tiebreak {

struct OperandRole {
  enum class Kind : std::uint8_t { data, scale, zero_point, bias, multiplier, shift } kind = Kind::data;
  std::string name;
  ElementType type{};
  bool of_result = false;                  ///< a scale or zero point of the result
  bool indexed = false;                    ///< one value a channel is allowed
  std::optional<ElementType> expressed{};  ///< a quantized operand: its scale and zero point stand in its type
};

using RoleKind = OperandRole::Kind;

/// By its name and place in the header. Nothing for an operand that may be absent and is none of these.
std::optional<OperandRole::Kind> kind_of(const notation::Op& op, const notation::Operand& operand);
/// An operand `multiplier` or `shift` of an op that has both: together they are a factor.
bool is_integer_factor(const notation::Op& op, const notation::Operand& operand);

struct OpRoles {
  enum class Form : std::uint8_t { elementwise, matrix, convolution } form = Form::elementwise;
  std::string op;
  std::vector<OperandRole> operands{};              ///< those that are given, in the order of the page
  std::map<std::string, ElementType> attributes{};  ///< attributes that are types: output_dtype, to
  std::optional<OperandRole> result{};              ///< where its type must be stated
  bool has_lists = false;                           ///< of contracted dimensions, as StableHLO's dot_general has

  std::vector<const OperandRole*> data() const;
  const OperandRole* find(OperandRole::Kind kind, bool of_result) const;  ///< nullptr if there is none
  /// `x=f32 y_scale=f32 y_zero_point=u8`.
  std::string text() const;
};

/// `types`: operand, result or attribute -> element type, as asked for; the rest takes the first type that the page lists (weights i8 where they can).
/// Errc::unsupported for ops whose results are not asked about one by one: reductions, movements, any number of operands.
Result<OpRoles> roles_of(const Library& library, const std::string& op, const std::map<std::string, std::string>& types);

}  // namespace tiebreak
