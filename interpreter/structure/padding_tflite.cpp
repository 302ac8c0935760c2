// SPDX-License-Identifier: Apache-2.0
#include "interpreter/structure/padding_tflite.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/structure/builders.hpp"

namespace tiebreak::structure {
namespace {

Result<std::int64_t> step(const StructureRequest& request, const char* name) {
  TIEBREAK_TRY(value, integer(request, name, 1));
  if (value < 1 || value > far) return malformed(request, "", fmt::format("{} is {}", name, value));
  return value;
}

}  // namespace

Result<std::array<TfliteExtent, 2>> tflite_extents(const StructureRequest& request, std::array<std::int64_t, 2> sizes, std::array<std::int64_t, 2> kernels) {
  static constexpr const char* strides[] = {"stride_h", "stride_w"};
  static constexpr const char* dilations[] = {"dilation_h_factor", "dilation_w_factor"};
  const auto found = request.attributes->find("padding");
  const std::string word = found == request.attributes->end() ? "" : found->second.as_string().value_or("");
  if (word != "SAME" && word != "VALID") return malformed(request, "", fmt::format("padding is '{}', expected SAME or VALID", word));
  std::array<TfliteExtent, 2> extents{};
  for (std::size_t s = 0; s < 2; ++s) {
    TIEBREAK_TRY(stride, step(request, strides[s]));
    TIEBREAK_TRY(dilation, step(request, dilations[s]));
    if (kernels[s] < 1 || kernels[s] > far) return malformed(request, "", fmt::format("a kernel of {} places", kernels[s]));
    TfliteExtent extent{sizes[s], kernels[s], stride, dilation, 0, 0, 0};
    const std::int64_t reach = (extent.kernel - 1) * dilation + 1;
    if (word == "SAME") {
      extent.places = (extent.size + stride - 1) / stride;
      const std::int64_t total = std::max<std::int64_t>(0, (extent.places - 1) * stride + reach - extent.size);
      extent.low = total / 2;
      extent.high = total - total / 2;
    } else {
      extent.places = reach > extent.size ? 0 : (extent.size - reach) / stride + 1;
    }
    extents[s] = extent;
  }
  return extents;
}

}  // namespace tiebreak::structure
