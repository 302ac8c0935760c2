// SPDX-License-Identifier: Apache-2.0
// The tree behind a Computable: exact leaves, real functions, and arithmetic.
#pragma once
#include <array>
#include <memory>
#include <mutex>

#include "interpreter/exact/enclosure.hpp"

namespace tiebreak {

enum class NodeKind : std::uint8_t { exact, function, add, subtract, multiply, divide };

/// One enclosure that several threads read and replace. A lock of our own: std::atomic<std::shared_ptr> of libstdc++ 12 releases its lock after a load without
/// ordering it behind the read of the pointer, which is a data race where another thread stores.
class KeptEnclosure {
 public:
  std::shared_ptr<const Enclosure> load() const {
    const std::lock_guard lock(guard_);
    return kept_;
  }
  void store(std::shared_ptr<const Enclosure> next) {
    const std::lock_guard lock(guard_);
    kept_.swap(next);  // what was kept goes with `next`, after the lock
  }

 private:
  mutable std::mutex guard_{};
  std::shared_ptr<const Enclosure> kept_{};
};

struct Computable::Node {
  NodeKind kind = NodeKind::exact;
  RealFunction function = RealFunction::exp;  // of a function
  bool irrational = false;                    // proven: the value is not a rational number
  Real value{};                               // of an exact leaf
  std::array<std::shared_ptr<const Node>, 2> children{};
  /// The last enclosure that was computed; sums are shared by all elements of a row.
  mutable KeptEnclosure last{};

  Node() = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  ~Node();  // takes long chains apart without recursion
};

using NodePointer = std::shared_ptr<const Computable::Node>;

/// The exact result where it is rational, infinite or nan, else nothing. All arguments are exact.
std::optional<Real> exact_result(RealFunction function, const Real& a, const Real& b);
/// Whether f(a, b), not given by exact_result, is proven irrational.
bool is_irrational_result(RealFunction function, const Real& a, const Real& b);

/// Nodes below and including the root, children first, each once.
std::vector<const Computable::Node*> in_order(const Computable::Node& root);

/// What an expression in exponentials of rationals amounts to (see exponential_quotient.cpp).
struct Resolution {
  bool irrational = false;      ///< proven irrational
  std::optional<Real> value{};  ///< proven equal to this
};
/// Nothing known (neither member set) where the expression is of another kind or too large.
Resolution resolve(const Computable::Node& root);

}  // namespace tiebreak
