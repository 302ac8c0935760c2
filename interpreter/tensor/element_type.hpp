// SPDX-License-Identifier: Apache-2.0
// The type of one tensor element: bool, an integer of 1..64 bits, or a float format.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "interpreter/exact/float_format.hpp"
#include "interpreter/exact/integer_format.hpp"

namespace tiebreak {

class ElementType {
 public:
  enum class Kind : std::uint8_t { boolean, integer, floating };
  ElementType() : ElementType(IntegerFormat{true, 32}) {}
  ElementType(IntegerFormat format) : kind_(Kind::integer), integer_(format) {}      // NOLINT
  ElementType(const FloatFormat* format) : kind_(Kind::floating), float_(format) {}  // NOLINT; not null
  static ElementType boolean();
  /// Notation words (i8 u4 f32 f8e4m3fn bool ...), MLIR's (si8 ui8 i1 f8E4M3FN f4E2M1FN f8E8M0FNU ...) and ONNX's (int8, float16, float8e4m3fn ...).
  static std::optional<ElementType> parse(std::string_view word);

  Kind kind() const { return kind_; }
  bool is_integer() const { return kind_ == Kind::integer; }
  bool is_float() const { return kind_ == Kind::floating; }
  bool is_boolean() const { return kind_ == Kind::boolean; }
  const IntegerFormat& integer() const { return integer_; }  ///< only if is_integer()
  const FloatFormat& floating() const { return *float_; }    ///< only if is_float()
  int bits() const;
  int storage_bytes() const;      ///< 1, 2, 4 or 8: sub-byte elements take a byte each
  std::string name() const;       ///< notation word
  std::string mlir_name() const;  ///< MLIR spelling: i8, ui8, i1, f8E4M3FN
  Real min() const;               ///< lowest finite value
  Real max() const;
  Real decode(std::uint64_t code) const;
  /// The code of a representable value, nullopt otherwise (out of range, not on the grid).
  std::optional<std::uint64_t> encode(const Real& v) const;
  bool operator==(const ElementType& other) const;

 private:
  Kind kind_ = Kind::integer;
  IntegerFormat integer_{};
  const FloatFormat* float_ = nullptr;
};

}  // namespace tiebreak
