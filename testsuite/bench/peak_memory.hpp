// SPDX-License-Identifier: Apache-2.0
// How much memory a computation needs at its peak beyond what the process held before, as the kernel counts it: whoever allocates it, and however.
#pragma once
#include <malloc.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>

namespace tiebreak {

class PeakMemory {
 public:
  /// Gives back what the heap holds free, and starts the count anew.
  PeakMemory() {
    ::malloc_trim(0);
    std::ofstream counter("/proc/self/clear_refs");
    counter << "5" << std::flush;  // the peak is what is resident now
    counts_ = counter.good();
    before_ = kibibytes("VmRSS:");
  }
  /// Since then; nothing where the kernel does not count anew.
  std::optional<double> mebibytes() const {
    if (!counts_) return std::nullopt;
    return static_cast<double>(std::max<std::int64_t>(kibibytes("VmHWM:") - before_, 0)) / 1024;
  }

 private:
  static std::int64_t kibibytes(const std::string& key) {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
      if (word == key && status >> word) return std::stoll(word);
    return 0;
  }
  bool counts_ = false;
  std::int64_t before_ = 0;
};

}  // namespace tiebreak
