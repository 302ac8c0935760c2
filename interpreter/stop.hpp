// SPDX-License-Identifier: Apache-2.0
// Whether what is being computed is still wanted. A value that goes with the computation, never a mode of the process: two libraries may follow two
// flags, or none.
#pragma once
#include <atomic>

#include "interpreter/error.hpp"

namespace tiebreak {

/// Looked at between elements; one relaxed load. An atomic integer instead of a std::stop_token, because a signal handler may write nothing else.
class Stop {
 public:
  /// Never.
  Stop() = default;
  /// As soon as `flag` is not zero. The flag outlives every copy.
  explicit Stop(const std::atomic<int>& flag) : flag_(&flag) {}

  bool is_requested() const noexcept { return flag_ != nullptr && flag_->load(std::memory_order_relaxed) != 0; }
  /// The error of a computation that was ended; nothing as long as it is wanted.
  Status check() const {
    if (is_requested()) return fail(Errc::usage, "interrupted");
    return {};
  }

 private:
  const std::atomic<int>* flag_ = nullptr;
};

}  // namespace tiebreak
