// SPDX-License-Identifier: Apache-2.0
// Tensors of a large model come and go all the time, and the C library gives each back to the system: every page of the next is made and cleared anew, 4 KiB at
// a time. In the command large blocks lie in large pages, where the system has them, and some that were given back are kept for the next that want so many
// bytes.
#include <array>
#include <cstdlib>
#include <mutex>
#include <new>

#if defined(__linux__)
#include <malloc.h>
#include <sys/mman.h>
#endif

namespace {

constexpr std::size_t large_page = std::size_t{2} << 20, large_block = 2 * large_page;

#if defined(__GLIBC__)

/// Blocks that nobody holds, in the order in which they were given back. A thread that finds another one here does without: so does a child process that was
/// forked in that moment, and in which nobody will ever unlock.
class KeptBlocks {
 public:
  /// One of at least so many bytes, and of not many more; nullptr where there is none.
  void* take(std::size_t size) {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return nullptr;
    std::size_t best = count_;
    for (std::size_t i = 0; i < count_; ++i)
      if (blocks_[i].size >= size && blocks_[i].size - size <= size / 4 && (best == count_ || blocks_[i].size < blocks_[best].size)) best = i;
    return best == count_ ? nullptr : remove(best);
  }

  /// False where it is not kept. Those that were given back first make room.
  bool keep(void* block, std::size_t size) {
    if (size < large_block || size > most_bytes / 2) return false;
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return false;
    while (count_ == blocks_.size() || bytes_ + size > most_bytes) std::free(remove(0));
    blocks_[count_++] = {block, size};
    bytes_ += size;
    return true;
  }

 private:
  static constexpr std::size_t most_bytes = std::size_t{256} << 20;

  struct Kept {
    void* block = nullptr;
    std::size_t size = 0;
  };

  void* remove(std::size_t place) {
    const Kept found = blocks_[place];
    for (std::size_t i = place + 1; i < count_; ++i) blocks_[i - 1] = blocks_[i];
    --count_;
    bytes_ -= found.size;
    return found.block;
  }

  std::mutex mutex_{};
  std::array<Kept, 32> blocks_{};
  std::size_t count_ = 0, bytes_ = 0;
};

constinit KeptBlocks kept_blocks;

void* kept_block(std::size_t size) { return kept_blocks.take(size); }
bool keep_block(void* block) { return kept_blocks.keep(block, ::malloc_usable_size(block)); }

#else

void* kept_block(std::size_t) { return nullptr; }
bool keep_block(void*) { return false; }

#endif

void* block_of(std::size_t size) {
  if (size < large_block) return std::malloc(size == 0 ? 1 : size);
  if (void* kept = kept_block(size)) return kept;
  void* block = nullptr;
  if (::posix_memalign(&block, large_page, size) != 0) return nullptr;
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  static_cast<void>(::madvise(block, size, MADV_HUGEPAGE));  // a wish
#endif
  return block;
}

/// Not inline: the compiler would take `free` for the wrong partner of `new`. `may_be_large`: false where the block is known to be small.
[[gnu::noinline]] void give_back(void* block, bool may_be_large) {
  if (block == nullptr || (may_be_large && keep_block(block))) return;
  std::free(block);
}

}  // namespace

void* operator new(std::size_t size) {
  for (;;) {
    if (void* block = block_of(size)) return block;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

void operator delete(void* block) noexcept { give_back(block, true); }
void operator delete(void* block, std::size_t size) noexcept { give_back(block, size >= large_block); }
