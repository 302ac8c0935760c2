// SPDX-License-Identifier: Apache-2.0
// Lists of numbers, flags and texts read wrongly, whatever carries them: an attribute or a tensor.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "interpreter/tensor/attribute.hpp"

namespace tiebreak {

/// A value taken apart: no dimensions is one number, flag or text, two are pairs of padding or vectors of indices.
struct Entries {
  Shape shape{};
  std::vector<Attribute> flat{};
};

std::optional<Entries> entries_of(const Attribute& attribute);  ///< nullopt: a type, a dictionary, more than two dimensions
Entries entries_of(const Tensor& tensor);
/// The entries as they were carried.
Attribute to_attribute(const Entries& entries, const Attribute& like);
/// Entries that the type cannot hold stay what they were.
Tensor to_tensor(const Entries& entries, const Tensor& like);

/// Reads them as `word` says; false where the word does not apply. `vectors`: rows are vectors, whose order is meant.
bool misread(const std::string& word, Entries& entries, bool vectors);

}  // namespace tiebreak
