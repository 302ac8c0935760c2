// SPDX-License-Identifier: Apache-2.0
// What a page's text lets an op give where it leaves an order open: the elements one by one, each unique, a set, an interval, or one known member of a
// set that is not known. docs/sums.md says how each is found.
#pragma once
#include <string>
#include <vector>

#include "interpreter/orders/legal_elements.hpp"

namespace tiebreak {

struct LegalResults {
  std::vector<ResultTensor> computed{};  ///< the results that belong together, in the order that stands for all
  LegalElements elements{};              ///< for each element of the first result here; the others' elements go with it
  std::string why{};                     ///< how intervals were found, or why sets are unknown; "" where there is none of these
};

/// Nothing where the op, under this profile, has one order; else one entry for all results, if they belong together element by element (a fold of several
/// tensors), or one for each. With `any_order` also for orders that the profile binds: all that the text allows.
Result<std::vector<LegalResults>> legal_results(const Semantics& semantics, const OpCall& call, bool any_order = false);

/// Whether what stands at this place is right for the element: one tensor for each result of the op, nullptr where it is not known.
bool is_legal(const LegalElement& element, const std::vector<const Tensor*>& results, std::int64_t index);

}  // namespace tiebreak
