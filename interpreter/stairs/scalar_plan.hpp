// SPDX-License-Identifier: Apache-2.0
// A formula with its parameters known, lowered to machine arithmetic over lanes of inputs. A value is carried as a whole number times a constant
// unit, or as a double, only where bounds prove that every operation is exact or is itself the rounding that the formula asks for; what no
// bound covers is done by apply_node, lane by lane.
#pragma once
#include <functional>
#include <vector>

#include "interpreter/formula/formula.hpp"
#include "interpreter/stairs/scalar_function.hpp"
#include "interpreter/stairs/scalar_slots.hpp"

namespace tiebreak {

/// One operation over all lanes. A failure is an error of the page (N05, N09 ...).
using LaneStep = std::function<Status(Frame&)>;

struct ScalarPlan {
  std::vector<LaneStep> steps{};
  std::vector<Slot> slots{};
  std::size_t root = 0;                 ///< slot of the result
  std::vector<std::size_t> required{};  ///< truth slots that must hold, else undefined
  std::size_t exact_steps = 0;          ///< steps by apply_node: 0 for a plan that is machine arithmetic throughout
  void reserve(Frame& frame) const;
};

/// Values of nodes that do not vary, by need. Errors stay with the node.
class KnownValues {
 public:
  KnownValues(const Formula& formula, int varied_source) : formula_(formula), varied_(varied_source) {}
  bool varies(NodeId node);
  /// Of a node that does not vary.
  Result<Value> of(NodeId node);
  /// The node after conditionals whose condition is known.
  Result<NodeId> resolve(NodeId node);
  void forget() { known_.clear(); }

 private:
  const Formula& formula_;
  int varied_;
  std::vector<signed char> varies_{};
  std::vector<std::optional<Value>> known_{};
};

/// Lowers results and requirements for inputs of `input`.
Result<ScalarPlan> lower(const Formula& formula, KnownValues& known, NodeId root, const OrderedType& input);

}  // namespace tiebreak
