// SPDX-License-Identifier: Apache-2.0
// What every structure takes from a request: its operands, its attributes as integers, and how it says that a shape is wrong.
#pragma once
#include <string>
#include <string_view>

#include "interpreter/geometry/geometry.hpp"
#include "interpreter/geometry/structure_request.hpp"

namespace tiebreak::structure {

/// The largest extent of a window, stride, dilation or padding: with it no position leaves 64 bits.
constexpr std::int64_t far = std::int64_t{1} << 30;

const StructureOperand* find_operand(const StructureRequest& request, const std::string& name);
/// The argument operand at `position`, or an error that names it.
Result<const StructureOperand*> argument_operand(const StructureRequest& request, std::size_t position);
/// An attribute as integers; `fallback` when absent or none.
Result<Shape> integers(const StructureRequest& request, const std::string& name, const Shape& fallback);
Result<std::int64_t> integer(const StructureRequest& request, const std::string& name, std::int64_t fallback);
/// An attribute as a word: `fallback` when absent, "?" when it is none.
std::string word_of(const StructureRequest& request, const std::string& name, const std::string& fallback);
/// A malformed shape: `label` is the constraint of the source, or "".
tl::unexpected<Error> malformed(const StructureRequest& request, const std::string& label, const std::string& what);
Affine at_cell(int coordinate, std::int64_t coefficient = 1);
Affine at_item(int coordinate, std::int64_t coefficient = 1);
Affine constant(std::int64_t base);

}  // namespace tiebreak::structure
