// SPDX-License-Identifier: Apache-2.0
// One operation of a bound formula: what it is applied to, and what its words say of formats, limits and orders.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "interpreter/exact/computable.hpp"
#include "interpreter/exact/float_format.hpp"
#include "interpreter/exact/integer_format.hpp"
#include "interpreter/notation/syntax.hpp"
#include "interpreter/operations/value.hpp"

namespace tiebreak {

using NodeId = std::int32_t;

enum class NodeOp : std::uint8_t {
  constant,
  element,
  index,
  count,
  carried,
  add,
  subtract,
  multiply,
  divide,
  negate,
  power,
  equal,
  not_equal,
  less,
  less_equal,
  conjunction,
  disjunction,
  negation,
  conditional,
  minimum,
  maximum,
  absolute,
  sign,
  exponent,
  is_nan,
  bit_and,
  bit_or,
  bit_xor,
  round_whole,
  round_float,
  saturate,
  wrap,
  trap,
  real_function,
  look_up,
  aggregate,
};

enum class AggregateKind : std::uint8_t { sum, product, minimum, maximum, fold };
enum class AggregateOrder : std::uint8_t {
  sequential,       ///< in the order of the bag: `feature` last, so that it is the fastest
  feature_slowest,  ///< order(feature, spatial)
  pairwise,
};

struct Aggregate {
  AggregateKind kind = AggregateKind::sum;
  AggregateOrder order = AggregateOrder::sequential;
  NodeId step = -1;              ///< graph over carried(0) applied to each partial result; -1: exact
  NodeId combine = -1;           ///< of fold: graph over carried(0), carried(1)
  std::int64_t blocks = 0;       ///< runs of n items; the value is one a block
  bool blocks_restart = false;   ///< blocks(n, feature): runs start anew where another item coordinate changes
  std::int64_t over_blocks = 0;  ///< this aggregate runs over the blocks of an inner one
  bool over_restart = false;
};

/// Rate bits beyond the cell coordinates.
constexpr std::uint64_t rate_item = std::uint64_t{1} << 63;
constexpr std::uint64_t rate_block = std::uint64_t{1} << 62;
constexpr std::uint64_t rate_carried = std::uint64_t{1} << 61;

struct Node {
  NodeOp op = NodeOp::constant;
  bool integer = false;  ///< an integer has one zero; a real zero has a sign
  bool truth = false;
  std::vector<NodeId> args{};
  Value constant{};
  int source = -1;  ///< element: which source; carried: 0 or 1; index, count: unused
  Rounding rounding = Rounding::nearest_even;
  Overflow overflow = Overflow::format;
  const FloatFormat* format = nullptr;
  IntegerFormat integer_format{};
  Real low{}, high{};  ///< of saturate and trap; of look_up: what any entry may be
  RealFunction function = RealFunction::exp;
  std::shared_ptr<const std::vector<Real>> table{};  ///< of look_up
  Aggregate aggregate{};
  NodeId set_end = -1;  ///< the first end of a set any.F(a, b), which stands for the set: the other end
  std::uint64_t rate = 0;
  notation::Position place{};
  std::string file{};    ///< page of `place`
  std::string text{};    ///< formula as written, for traces and messages
  std::string choice{};  ///< choice=alternative that led here
};

}  // namespace tiebreak
