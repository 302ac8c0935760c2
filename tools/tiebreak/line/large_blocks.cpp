// SPDX-License-Identifier: Apache-2.0
// Tensors of a large model come and go all the time, and the C library gives each back to the system: every page of the next is made and cleared anew, 4 KiB at
// a time. In the command large blocks lie in large pages, where the system has them.
#include <cstdlib>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace {

constexpr std::size_t large_page = std::size_t{2} << 20, large_block = 2 * large_page;

void* block_of(std::size_t size) {
  if (size < large_block) return std::malloc(size == 0 ? 1 : size);
  void* block = nullptr;
  if (::posix_memalign(&block, large_page, size) != 0) return nullptr;
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  static_cast<void>(::madvise(block, size, MADV_HUGEPAGE));  // a wish
#endif
  return block;
}

/// Not inline: the compiler would take `free` for the wrong partner of `new`.
[[gnu::noinline]] void give_back(void* block) { std::free(block); }

}  // namespace

void* operator new(std::size_t size) {
  for (;;) {
    if (void* block = block_of(size)) return block;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

void operator delete(void* block) noexcept { give_back(block); }
void operator delete(void* block, std::size_t) noexcept { give_back(block); }
