// SPDX-License-Identifier: Apache-2.0
// One element as text of C, SystemVerilog and memory files, and the machine word that holds it.
#pragma once
#include <string>

#include "interpreter/tensor/tensor.hpp"

namespace tiebreak {

/// What an array of C has for an element of this type: int8_t ... uint64_t, float, double. Types that C does not have are in the smallest of its types that
/// holds them: codes of fewer bits as numbers, other floats as their bits.
std::string c_type(const ElementType& element);
/// Whether numbers are numbers in C: false of floats that are kept as their bits.
bool is_c_number(const ElementType& element);
/// `u8`, or `i4, each in an int8_t`, `bf16, each as its bits in a uint16_t`.
std::string storage_text(const ElementType& element);

/// A constant of C99 with exactly this value: -7, INT64_MIN, 0x1.8p+0f, -INFINITY, 0x3f80u.
std::string c_literal(const Tensor& tensor, std::int64_t index);
/// The element's bits, two's complement, with as many hexadecimal digits as its width needs.
std::string hex_word(const Tensor& tensor, std::int64_t index);

/// An expression that is true where the element's bits in `word` are a nan: of C, or of SystemVerilog. "" of types without one.
std::string nan_condition_c(const ElementType& element, const std::string& word);
std::string nan_condition_verilog(const ElementType& element, const std::string& word);

/// A name of somebody else's within a comment, whatever it holds: printable ASCII, no beginning or end of a comment, no backslash.
std::string comment_text(const std::string& text);

/// a to z as A to Z, everything else as it stands.
std::string in_capitals(std::string text);

}  // namespace tiebreak
