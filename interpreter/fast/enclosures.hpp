// SPDX-License-Identifier: Apache-2.0
// Exact values that no double is, between two doubles: sums of products, quotients, roots, exponentials, and what is computed from them by arithmetic.
// Where both ends round to the same number, it is the exact value's, and nothing need be exact.
#pragma once
#include <limits>
#include <map>
#include <vector>

#include "interpreter/fast/lane.hpp"
#include "interpreter/formula/cell_space.hpp"

namespace tiebreak {

class FastEvaluator;

/// Conversions to more bits are left to exact values: the ends of an enclosure, which are doubles, would often round apart.
constexpr int most_enclosed_precision = 40;

/// Lane by lane from where to where a value lies, both ends included; nan on both sides where nothing is known.
struct EnclosureColumn {
  bool uniform = false;  ///< one enclosure for all lanes
  std::vector<double> low{}, high{};
  std::size_t at(std::size_t lane) const { return uniform ? 0 : lane; }
};

class Enclosures {
 public:
  struct Ends {
    double low = std::numeric_limits<double>::quiet_NaN(), high = low;
  };
  Enclosures(const Formula& formula, BoundsTable& bounds) : formula_(formula), bounds_(bounds) {}

  /// Whether the operations that lead to a node are such as of() knows.
  bool encloses(NodeId id);
  /// Of a node that encloses() takes, over the lanes that are set.
  Result<EnclosureColumn> of(NodeId id, FastEvaluator& lanes);

 private:
  /// An exact sum over all the cell coordinates of its rate.
  struct SumTable {
    CellSpace space;
    EnclosureColumn sums{};
  };
  struct PartialSum {
    double low = 0, high = 0, magnitude = 0;
    bool is_exact = true;
    void add(double from, double to);
    void store(EnclosureColumn& column, std::size_t key, std::int64_t items) const;
  };
  bool is_enclosed(const Node& node);
  EnclosureColumn of_source(int source, FastEvaluator& lanes);
  Result<EnclosureColumn> operation(const Node& node, FastEvaluator& lanes);
  Result<EnclosureColumn> choice(const Node& node, FastEvaluator& lanes);
  EnclosureColumn look_up(const SumTable& table, FastEvaluator& lanes) const;
  Result<SumTable> sum_table(NodeId id);
  Status add_items(NodeId id, SumTable& table);
  Status add_by_cells(NodeId id, SumTable& table, FastEvaluator& evaluator);

  const Formula& formula_;
  BoundsTable& bounds_;
  std::vector<signed char> encloses_{};  ///< of each node: 1, 0, or -1 for not known yet
  std::map<NodeId, SumTable> tables_{};
  std::map<int, std::vector<Ends>> near_{};  ///< of sources that are numbers of their own
};

/// Each lane rounded by `rounding`, a conversion to a float format; nan where the ends round apart, and where they are beyond any number.
std::vector<double> round_enclosures(const Node& rounding, const EnclosureColumn& column);

}  // namespace tiebreak
