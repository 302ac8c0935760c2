// SPDX-License-Identifier: Apache-2.0
// The same work for many indices on several threads. Results are stored by index, so that they do not depend on the number of threads.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace tiebreak {

/// Calls work(i) for i in 0 .. count - 1, in any order; stops early when `stop` says so.
template <class Work, class Stop>
void for_each_index(int jobs, std::size_t count, const Stop& stop, const Work& work) {
  std::atomic<std::size_t> next{0};
  auto take = [&] {
    for (std::size_t i = next++; i < count && !stop(); i = next++) work(i);
  };
  std::vector<std::jthread> helpers;
  for (int i = 1; i < std::min(jobs, static_cast<int>(std::min<std::size_t>(count, 1024))); ++i) helpers.emplace_back(take);
  take();
}

}  // namespace tiebreak
