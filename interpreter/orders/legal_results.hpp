// SPDX-License-Identifier: Apache-2.0
// What a page's text lets an op give where it leaves an order open: the elements one by one, each unique, a set, an interval, or one known member of a
// set that is not known. docs/sums.md says how each is found.
#pragma once
#include <string>
#include <vector>

#include "interpreter/evaluate/evaluate.hpp"

namespace tiebreak {

struct LegalElement {
  enum class Kind : std::uint8_t {
    unique,    ///< every order gives the same
    set,       ///< members are all that orders give
    interval,  ///< what orders give lies from low to high; not every value between need be given
    unknown,   ///< one member is known: what is computed
  } kind = Kind::unique;
  std::vector<std::vector<std::uint64_t>> members{};  ///< of a set: codes, one for each result of the op, in ascending order of the codes' values
  bool may_be_undefined = false;                      ///< an order leaves it undefined: then any value is right
  Real low{}, high{};                                 ///< of an interval of the first result; infinite where nothing bounds it
};

struct LegalResults {
  std::vector<ResultTensor> computed{};  ///< the results that belong together, in the order that stands for all
  std::vector<LegalElement> elements{};  ///< for each element of the first result here; the others' elements go with it
  std::string why{};                     ///< how intervals were found, or why sets are unknown; "" where there is none of these
};

/// Nothing where the op, under this profile, has one order; else one entry for all results, if they belong together element by element (a fold of several
/// tensors), or one for each. With `any_order` also for orders that the profile binds: all that the text allows.
Result<std::vector<LegalResults>> legal_results(const Library& library, const Profile& profile, const OpCall& call, bool any_order = false);

/// Whether what stands at this place is right for the element: one tensor for each result of the op, nullptr where it is not known.
bool is_legal(const LegalElement& element, const std::vector<const Tensor*>& results, std::int64_t index);

}  // namespace tiebreak
