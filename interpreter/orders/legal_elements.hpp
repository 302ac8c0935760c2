// SPDX-License-Identifier: Apache-2.0
// What is right for each element of a result: one entry each, or, of a large float sum, the tensors of the least and the greatest values, from which an
// element is made where somebody asks for it.
#pragma once
#include <optional>
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

/// Unique where the ends are one number: but a zero may have either sign.
LegalElement interval_element(const Real& low, const Real& high);

class LegalElements {
 public:
  LegalElements() = default;
  LegalElements(std::vector<LegalElement> listed) : listed_(std::move(listed)) {}  // NOLINT
  /// From the least to the greatest value of each element: two results of one type. An end that is undefined is infinite.
  LegalElements(ResultTensor low, ResultTensor high);
  /// So many elements of which one member is known each.
  static LegalElements unknown(std::size_t count);

  std::size_t size() const;
  LegalElement operator[](std::size_t index) const;
  bool all_unique() const;
  bool any_unknown() const;
  /// is_legal() of an interval, of a value of the type of the results; nothing where elements are not kept as intervals.
  std::optional<bool> holds(const Tensor& answer, std::size_t index) const;
  /// One entry an element.
  std::vector<LegalElement> listed() const;

 private:
  bool are_intervals() const { return !low_.tensor.bytes().empty(); }

  std::vector<LegalElement> listed_{};
  std::size_t unknown_ = 0;
  ResultTensor low_{}, high_{};
};

}  // namespace tiebreak
