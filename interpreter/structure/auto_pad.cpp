// SPDX-License-Identifier: Apache-2.0
#include "interpreter/structure/auto_pad.hpp"

#include <fmt/format.h>

#include "interpreter/structure/builders.hpp"

namespace tiebreak::structure {

Result<AutoPad> auto_pad(const StructureRequest& request) {
  const auto found = request.attributes->find("auto_pad");
  if (found == request.attributes->end() || found->second.is_none()) return AutoPad::not_set;
  const auto word = found->second.as_string();
  if (!word) return fail(Errc::type, fmt::format("{}: attribute auto_pad is not a text", request.op), request.where);
  if (word->empty() || *word == "NOTSET") return AutoPad::not_set;
  if (*word == "VALID") return AutoPad::valid;
  if (*word == "SAME_UPPER") return AutoPad::same_upper;
  if (*word == "SAME_LOWER") return AutoPad::same_lower;
  return malformed(request, "", fmt::format("auto_pad is '{}', expected NOTSET, SAME_UPPER, SAME_LOWER or VALID", *word));
}

SplitPadding split_padding(std::int64_t total, bool odd_behind) {
  const std::int64_t half = total / 2, rest = total - half;
  return odd_behind ? SplitPadding{half, rest} : SplitPadding{rest, half};
}

}  // namespace tiebreak::structure
