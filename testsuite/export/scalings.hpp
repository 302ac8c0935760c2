// SPDX-License-Identifier: Apache-2.0
// What an accumulator, or an input, is multiplied and divided by on its way to a code: the requantization's numbers, as the page computes them.
#pragma once
#include <string>
#include <vector>

#include "interpreter/formula/formula.hpp"
#include "interpreter/notation/syntax.hpp"
#include "testsuite/export/exported.hpp"

namespace tiebreak {

/// Numbers of one step, one a channel where they differ from channel to channel.
struct Scaling {
  ExportRole role = ExportRole::factor;
  std::string start;  ///< of what is scaled: `accumulator`, an operand, `sum` of several that were scaled before, `product` of several
  Shape shape{};      ///< [] of one number for all
  std::vector<Real> values{};
};

/// In the order in which they are applied. Where a whole number is multiplied by and the product is divided by a power of two, and nothing but powers of two
/// stands beside it, that number is the multiplier, and all powers of two together give the shift. Empty where no single way leads to the result, where the way
/// has other functions than these, or where a number depends on data.
/// `op` is the formula's.
std::vector<Scaling> scalings(const Formula& formula, const notation::Op& op, std::size_t result);
/// The numbers as whole numbers of 32 or 64 bits, as f32, as f64; what no format has exactly as the nearest f64, of which `notes` speaks.
Result<Tensor> tensor_of_scaling(const Scaling& scaling, std::vector<std::string>& notes);

}  // namespace tiebreak
