// SPDX-License-Identifier: Apache-2.0
// Values as examples, cases and the command line write them: `[1, 2.5, inf]`, nested lists, `dense<0>`, `undefined`, `3 .. 4`.
#pragma once
#include "testsuite/case/case.hpp"

namespace tiebreak {

/// The literal at the start of a comment; words that follow it (prose) are left out.
std::string literal_part(const std::string& text);
/// Splits a literal into its elements, row-major.
StatedOutput stated_output(const std::string& name, const std::string& text, const std::string& where);
/// Extents of a nested list: [[1, 2, 3], [4, 5, 6]] has [2, 3]; a scalar has []. The lists must be even.
Result<Shape> shape_of_literal(const std::string& text, const std::string& where);

/// A type by its text: `f32`, `!quant.uniform<i8:f32, 0.1:3>` with a shape, or a whole `tensor<2xf32>`.
Result<TensorType> parse_element_text(const std::string& element, const Shape& shape, const std::string& where);
Result<TensorType> parse_tensor_type(const std::string& text, const std::string& where);

/// One number as the type holds it: decimals and fractions go to the nearest value of a float type, hex floats and whole numbers
/// must be values of the type. `true`, `false` for bool.
Result<Real> element_value(const std::string& text, const ElementType& type, const std::string& where);

/// The first element in which a result is not what a source states.
struct StatedDifference {
  std::int64_t index = 0;
  std::int64_t count = 0;  ///< of differing elements
  std::string stated;
  std::string computed;
  std::string gap{};       ///< how far apart the two are, "" where what is stated is not one number
  std::string farthest{};  ///< `; farthest at [5]: ...` where another element is farther off
};
Result<std::optional<StatedDifference>> compare_stated(const StatedOutput& stated, const ResultTensor& result);

}  // namespace tiebreak
