// SPDX-License-Identifier: Apache-2.0
#include "interpreter/structure/layout_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/structure/builders.hpp"

namespace tiebreak::structure {

Result<Roles> layout_roles(const StructureRequest& request, const std::string& attribute, const std::string& fallback, const std::string& letters) {
  std::string word = fallback;
  if (auto found = request.attributes->find(attribute); found != request.attributes->end() && !found->second.is_none())
    word = found->second.as_string().value_or("?");
  if (word.empty()) word = fallback;
  if (!std::ranges::is_permutation(word, letters))
    return malformed(request, "", fmt::format("{} is '{}', expected the letters {} in some order", attribute, word, letters));
  auto at = [&](std::size_t letter) { return word.find(letters[letter]); };
  return Roles{at(0), at(1), {at(2), at(3)}};
}

Result<Shape> two_of(const StructureRequest& request, const std::string& name, const Shape& fallback, std::int64_t least) {
  TIEBREAK_TRY(values, integers(request, name, fallback));
  if (values.size() == 1) values.push_back(values[0]);
  if (values.size() != 2) return malformed(request, "", fmt::format("{} has {} entries, expected 2", name, values.size()));
  for (std::int64_t value : values)
    if (value < least || value > far) return malformed(request, "", fmt::format("{} = {} is out of range", name, to_text(values)));
  return values;
}

Result<Padding> padding_of(const StructureRequest& request) {
  TIEBREAK_TRY(values, integers(request, "padding", {0, 0}));
  if (values.size() == 1) values.push_back(values[0]);
  if (values.size() != 2 && values.size() != 4) return malformed(request, "", fmt::format("padding has {} entries, expected 1, 2 or 4", values.size()));
  for (std::int64_t value : values)
    if (value < 0 || value > far) return malformed(request, "", fmt::format("padding = {} is out of range", to_text(values)));
  const Shape low{values[0], values[1]};
  return Padding{low, values.size() == 2 ? low : Shape{values[2], values[3]}};
}

}  // namespace tiebreak::structure
