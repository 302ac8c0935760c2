// SPDX-License-Identifier: Apache-2.0
// How wide the accumulator of a product must be once its tensors have codes: which operands a sum multiplies, and where their elements lie, is read off the
// bound formula of the float operation, so that no operator needs to be listed.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "interpreter/formula/call.hpp"
#include "interpreter/orders/integer_sum.hpp"
#include "interpreter/semantics/library.hpp"

namespace tiebreak {

/// The sums of a product of codes less their zero points.
struct AccumulatorNeed {
  std::string tensor, op;
  std::int64_t terms = 0;  ///< of the longest sum
  IntegerInterval sums{};  ///< all that a sum can be, partial sums in any order included
  int bits() const { return sums.signed_bits(); }
};

/// Whether the operation sums products of the elements of two operands.
bool sums_products(const Library& library, const OpCall& call);
/// A product as it is called in the first batch, and the parameters of its operands; nullptr: none.
struct ProductOfCodes {
  OpCall call{};
  std::vector<const QuantizedType*> types{};
  std::vector<bool> constant{};
};
/// Constants have the codes that they have, under `parameters`; other operands any. A bias in i32 is part of the sum. A place in the padding counts like any
/// other. nullopt: the operation sums no products of two operands with codes of at most 16 bits. Errc::limit beyond 62 bits.
Result<std::optional<AccumulatorNeed>> accumulator_need(const Semantics& parameters, const ProductOfCodes& product);

}  // namespace tiebreak
