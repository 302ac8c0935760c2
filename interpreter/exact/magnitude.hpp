// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace tiebreak {

/// |v|, without overflow: that of the least integer is 2^63.
inline std::uint64_t magnitude(std::int64_t v) { return v < 0 ? 0 - static_cast<std::uint64_t>(v) : static_cast<std::uint64_t>(v); }

}  // namespace tiebreak
