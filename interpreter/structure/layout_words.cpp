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
  Roles roles{at(0), at(1), {}};
  for (std::size_t letter = 2; letter < letters.size(); ++letter) roles.spatial.push_back(at(letter));
  return roles;
}

Result<Shape> for_each_axis(const StructureRequest& request, const std::string& name, std::size_t axes, std::int64_t fallback, std::int64_t least) {
  TIEBREAK_TRY(values, integers(request, name, {fallback}));
  if (values.size() == 1) values.resize(axes, values[0]);
  if (values.size() != axes) return malformed(request, "", fmt::format("{} has {} entries, expected {}", name, values.size(), axes));
  for (std::int64_t value : values)
    if (value < least || value > far) return malformed(request, "", fmt::format("{} = {} is out of range", name, to_text(values)));
  return values;
}

Result<Padding> padding_of(const StructureRequest& request, std::size_t axes) {
  TIEBREAK_TRY(values, integers(request, "padding", {0}));
  if (values.size() == 1) values.resize(axes, values[0]);
  if (values.size() != axes && values.size() != 2 * axes)
    return malformed(request, "", fmt::format("padding has {} entries, expected 1, {} or {}", values.size(), axes, 2 * axes));
  for (std::int64_t value : values)
    if (value < 0 || value > far) return malformed(request, "", fmt::format("padding = {} is out of range", to_text(values)));
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(axes);
  const Shape low(values.begin(), middle);
  return Padding{low, values.size() == axes ? low : Shape(middle, values.end())};
}

}  // namespace tiebreak::structure
