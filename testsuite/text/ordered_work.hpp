// SPDX-License-Identifier: Apache-2.0
// Work that comes one piece after the other, done beside the caller on other threads. Results come back in the order of the work.
#pragma once
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace tiebreak {

/// With `jobs` 1 there is no other thread: settle(0) does the work.
template <class Result>
class OrderedWork {
 public:
  OrderedWork(int jobs, std::function<Result(std::size_t)> work) : work_(std::move(work)) {
    for (int i = 1; i < jobs; ++i) helpers_.emplace_back([this] { help(); });
  }
  /// What has not been begun is dropped.
  ~OrderedWork() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    changed_.notify_all();
  }
  OrderedWork(const OrderedWork&) = delete;
  OrderedWork& operator=(const OrderedWork&) = delete;

  void add(std::size_t number) {
    {
      const std::lock_guard lock(mutex_);
      pieces_.emplace_back(number);
    }
    changed_.notify_all();
  }

  /// The next results in order, as far as they are there. The caller does his part: he comes back when no more than `most_open` pieces are open, and when
  /// no more than twice as many wait for an earlier one.
  std::vector<Result> settle(std::size_t most_open) {
    std::unique_lock lock(mutex_);
    std::vector<Result> done;
    for (;;) {
      while (!pieces_.empty() && pieces_.front().result) {
        done.push_back(*std::move(pieces_.front().result));
        pieces_.pop_front();
      }
      if (open() <= most_open && pieces_.size() <= 2 * most_open) return done;
      if (!take(lock)) changed_.wait(lock);
    }
  }

 private:
  struct Piece {
    explicit Piece(std::size_t its_number) : number(its_number) {}
    std::size_t number;
    bool begun = false;
    std::optional<Result> result{};
  };

  std::size_t open() const {
    std::size_t count = 0;
    for (const Piece& piece : pieces_) count += piece.result ? 0 : 1;
    return count;
  }

  /// Does the first piece that nobody has begun; false where there is none. A deque keeps its elements in their places when others come or go at its ends.
  bool take(std::unique_lock<std::mutex>& lock) {
    for (Piece& piece : pieces_) {
      if (piece.begun) continue;
      piece.begun = true;
      lock.unlock();
      Result result = work_(piece.number);
      lock.lock();
      piece.result = std::move(result);
      changed_.notify_all();
      return true;
    }
    return false;
  }

  void help() {
    std::unique_lock lock(mutex_);
    while (!ended_)
      if (!take(lock)) changed_.wait(lock);
  }

  const std::function<Result(std::size_t)> work_;
  std::mutex mutex_{};
  std::condition_variable changed_{};
  std::deque<Piece> pieces_{};
  bool ended_ = false;
  std::vector<std::jthread> helpers_{};  ///< last, so that they have ended before anything they use goes
};

}  // namespace tiebreak
