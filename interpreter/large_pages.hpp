// SPDX-License-Identifier: Apache-2.0
// Numbers of many megabytes in large pages, where the system has such: memory that is touched for the first time is there after one fault for each of them, not
// for each page of 4 KiB. A hint: nothing but time follows from it.
#pragma once
#include <sys/mman.h>

#include <cstdint>
#include <vector>

namespace tiebreak {

/// `numbers`, which are none, become `size` zeros.
template <class Number>
void make_zeros(std::vector<Number>& numbers, std::size_t size) {
  numbers.reserve(size);
#ifdef MADV_HUGEPAGE
  constexpr std::uintptr_t page = 4096, least = std::uintptr_t{2} << 20;
  const auto begin = (reinterpret_cast<std::uintptr_t>(numbers.data()) + page - 1) / page * page;
  const auto end = reinterpret_cast<std::uintptr_t>(numbers.data() + size) / page * page;
  if (end > begin && end - begin >= least) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
  numbers.resize(size);
}

}  // namespace tiebreak
