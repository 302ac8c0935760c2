// SPDX-License-Identifier: Apache-2.0
// What a record says of an operation is true of its values: its course, its range, what carries it, its loops. Asked of every operation in the same way.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "interpreter/operations/operation_traits.hpp"

namespace tiebreak {
namespace {

constexpr unsigned operations_seed = 20261123;

std::vector<NodeOp> operations_with_values() {
  std::vector<NodeOp> ops;
  for (int i = 0; i <= static_cast<int>(NodeOp::aggregate); ++i)
    if (find_traits(static_cast<NodeOp>(i)) != nullptr) ops.push_back(static_cast<NodeOp>(i));
  return ops;
}

/// Nodes of an operation, with formats, limits and functions as formulas have them.
std::vector<Node> nodes_of(NodeOp op) {
  Node node;
  node.op = op;
  node.text = "v";
  std::vector<Node> nodes;
  if (op == NodeOp::real_function) {
    for (int i = 0; i <= static_cast<int>(RealFunction::logistic); ++i) {
      node.function = static_cast<RealFunction>(i);
      nodes.push_back(node);
    }
    return nodes;
  }
  if (op == NodeOp::round_float || op == NodeOp::round_whole) {
    for (const char* word : {"f32", "bf16", "f8e4m3fn", "f8e8m0"})
      for (const Rounding rounding : {Rounding::nearest_even, Rounding::nearest_away, Rounding::toward_zero, Rounding::up, Rounding::to_odd}) {
        node.format = find_float_format(word);
        node.rounding = rounding;
        nodes.push_back(node);
      }
    return nodes;
  }
  if (op == NodeOp::look_up) node.table = std::make_shared<std::vector<Real>>(std::vector<Real>{Real(3), Real(-7), Real(0), Real(100)});
  node.integer = op == NodeOp::look_up || op == NodeOp::saturate || op == NodeOp::wrap || op == NodeOp::trap;
  node.integer_format = {true, 8};
  node.low = Real(-128);
  node.high = Real(127);
  return {node};
}

/// Whole numbers where an operation takes no others.
bool takes_whole(NodeOp op) {
  return op == NodeOp::look_up || op == NodeOp::saturate || op == NodeOp::wrap || op == NodeOp::trap || op == NodeOp::bit_and || op == NodeOp::bit_or ||
         op == NodeOp::bit_xor;
}

bool takes_truth(NodeOp op) { return op == NodeOp::conjunction || op == NodeOp::disjunction || op == NodeOp::negation || op == NodeOp::conditional; }

double sample(std::mt19937& random, bool whole) {
  static const double edges[] = {0.0, -0.0, 1, -1, 0.5, -0.5, 2.5, -2.5, 127, 128, -128, -129, 448, 464, 65504, 3.4e38, -3.4e38, 1e-45, 1e-310};
  const double value =
      random() % 3 == 0 ? edges[random() % std::size(edges)] : std::ldexp(static_cast<double>(random() % 4096) - 2048, static_cast<int>(random() % 16) - 8);
  return whole ? std::floor(value) : value;
}

std::vector<Value> sample_arguments(const OperationTraits& operation, std::mt19937& random) {
  std::vector<Value> args;
  for (int i = 0; i < operation.arguments; ++i) args.push_back(Real::from_double(sample(random, takes_whole(operation.op))));
  if (operation.op == NodeOp::real_function) args.push_back(Real::from_double(sample(random, false)));
  return args;
}

/// The number itself, or its nearest f64 where it is irrational; nan for what is no number.
double number_of(const Result<Value>& value) {
  if (!value || value->is_undefined()) return std::nan("");
  if (value->is_truth()) return value->truth() ? 1 : 0;
  if (value->is_number()) return value->number().to_double();
  const auto rounded = value->computable().round_to(*find_float_format("f64"), Rounding::nearest_even, Overflow::format);
  return rounded && *rounded ? (*rounded)->to_double() : std::nan("");
}

bool covers(const ValueRange& range, const Result<Value>& value) {
  if (!value || value->is_undefined()) return range.undefined;
  if (value->is_truth()) return true;
  if (!value->is_number()) return !range.empty();
  const Real& number = value->number();
  if (number.is_nan()) return range.nan;
  if (number.is_zero() && number.is_negative() && !range.negative_zero) return false;
  if (range.whole && number.is_finite() && !number.is_whole()) return false;
  return range.low <= number && number <= range.high;
}

TEST(OperationTraits, EveryOperationButLeavesHasARecordAndAWordOfItsOwn) {
  std::vector<std::string_view> words;
  for (const NodeOp op : {NodeOp::constant, NodeOp::element, NodeOp::index, NodeOp::count, NodeOp::carried, NodeOp::aggregate})
    EXPECT_EQ(find_traits(op), nullptr) << static_cast<int>(op);
  EXPECT_EQ(operations_with_values().size(), static_cast<std::size_t>(NodeOp::aggregate) + 1 - 6);
  for (const NodeOp op : operations_with_values()) {
    const OperationTraits& operation = *find_traits(op);
    EXPECT_EQ(operation.op, op);
    EXPECT_NE(operation.value, nullptr) << static_cast<int>(op);
    if (operation.word.empty()) continue;
    EXPECT_EQ(find_traits(operation.word), &operation);
    EXPECT_EQ(std::ranges::count(words, operation.word), 0) << operation.word;
    words.push_back(operation.word);
  }
  EXPECT_EQ(find_traits(""), nullptr);
  EXPECT_EQ(find_traits("clamp"), nullptr);
}

TEST(OperationTraits, ResultsMoveAsTheCourseSays) {
  std::mt19937 random(operations_seed);
  for (const NodeOp op : operations_with_values()) {
    if (takes_truth(op)) continue;
    const OperationTraits& operation = *find_traits(op);
    int compared = 0;
    for (const Node& node : nodes_of(op))
      for (int round = 0; round < 300; ++round) {
        std::vector<Value> args = sample_arguments(operation, random);
        if (op == NodeOp::real_function) args.resize(static_cast<std::size_t>(arity(node.function)), args[0]);
        const std::size_t moved = random() % args.size();
        Real low = args[moved].number(), high = Real::from_double(sample(random, takes_whole(op)));
        if (high < low) std::swap(low, high);
        Course course = course_of(node, moved);
        if (course == Course::with_other || course == Course::against_other) {
          const int side = args[1 - moved].number().sign() * (course == Course::against_other ? -1 : 1);
          if (side == 0 || (course == Course::against_other && low.sign() * high.sign() <= 0)) continue;
          course = side > 0 ? Course::rises : Course::falls;
        } else if (course == Course::with_own) {
          if (low.sign() * high.sign() <= 0) continue;
          course = low.sign() > 0 ? Course::rises : Course::falls;
        } else if (course == Course::falls_above_zero) {
          if (low.sign() <= 0) continue;
          course = Course::falls;
        }
        if (course == Course::unknown) continue;
        args[moved] = low;
        const double at_low = number_of(apply_node(node, args));
        args[moved] = high;
        const double at_high = number_of(apply_node(node, args));
        if (std::isnan(at_low) || std::isnan(at_high)) {
          EXPECT_TRUE(course == Course::rises_where_number || operation.op == NodeOp::divide) << static_cast<int>(op) << " " << low.to_string();
          continue;
        }
        ++compared;
        EXPECT_TRUE(course == Course::falls ? at_high <= at_low : at_low <= at_high)
            << static_cast<int>(op) << " at " << low.to_string() << " and " << high.to_string() << ": " << at_low << ", " << at_high;
      }
    if (operation.course != nullptr) {
      EXPECT_GT(compared, 50) << static_cast<int>(op);
    }
  }
}

TEST(OperationTraits, RangesHoldEveryValue) {
  std::mt19937 random(operations_seed + 1);
  for (const NodeOp op : operations_with_values()) {
    const OperationTraits& operation = *find_traits(op);
    if (takes_truth(op) || (operation.range == nullptr && operation.truth == nullptr)) continue;
    for (const Node& node : nodes_of(op))
      for (int round = 0; round < 200; ++round) {
        std::vector<Value> args = sample_arguments(operation, random);
        if (op == NodeOp::real_function) args.resize(static_cast<std::size_t>(arity(node.function)), args[0]);
        if (op == NodeOp::power) args[1] = Real(static_cast<std::int64_t>(random() % 9) - 3);
        std::vector<ValueRange> ranges;
        for (const Value& arg : args) {  // the number and some place beside it
          const Real other = op == NodeOp::power ? arg.number() : Real::from_double(sample(random, takes_whole(op)));
          const Real& number = arg.number();
          const bool whole = number.is_whole() && other.is_whole();
          ranges.push_back({std::min(number, other), std::max(number, other), false, false, true, whole});
        }
        const Result<Value> value = apply_node(node, args);
        if (!value) continue;
        if (operation.range != nullptr) {
          EXPECT_TRUE(covers(operation.range(node, ranges), value))
              << static_cast<int>(op) << " of " << args[0].number().to_string() << ", " << args.back().number().to_string();
        }
        if (operation.truth != nullptr) {
          const std::optional<bool> known = operation.truth(node, ranges);
          if (known) {
            EXPECT_EQ(*known, value->truth()) << static_cast<int>(op);
          }
        }
      }
  }
}

Bounds bounds_of(double value) {
  if (value == std::floor(value) && std::fabs(value) < 1e15 && !(value == 0 && std::signbit(value))) {
    const auto whole = static_cast<std::int64_t>(value);
    return between_integers(whole - 3, whole + 5);
  }
  return {.carrier = Carrier::real, .precision = 12, .top = 20, .bottom = -20};
}

/// Of numbers within the bounds: an integer of the carrier, or a double on its grid.
void expect_carried(const Bounds& bounds, const Value& value, int op) {
  if (bounds.carrier == Carrier::exact || value.is_undefined()) return;
  if (bounds.carrier == Carrier::truth) {
    EXPECT_TRUE(value.is_truth()) << op;
    return;
  }
  ASSERT_TRUE(value.is_number()) << op;
  const Real& number = value.number();
  if (bounds.carrier == Carrier::integer) {
    const auto whole = number.to_int64();
    ASSERT_TRUE(whole) << op;
    EXPECT_TRUE(*whole >= bounds.low && *whole <= bounds.high) << op << ": " << *whole << " in " << bounds.low << " .. " << bounds.high;
    return;
  }
  EXPECT_TRUE(number.is_nan() || Real::from_double(number.to_double()).identical(number)) << op << " of " << number.to_string();
  if (!number.is_finite() || number.is_zero()) return;
  EXPECT_LE(number.exponent(), bounds.top) << op;
  EXPECT_TRUE((number / Real::power_of_two(bounds.bottom)).is_whole()) << op << ": " << number.to_string() << " by 2^" << bounds.bottom;
  EXPECT_TRUE(!bounds.whole || number.is_whole()) << op;
}

TEST(OperationTraits, BoundsHoldEveryValueAndLoopsGiveIt) {
  std::mt19937 random(operations_seed + 2);
  for (const NodeOp op : operations_with_values()) {
    const OperationTraits& operation = *find_traits(op);
    if (takes_truth(op) || operation.bounds == nullptr) continue;
    int looped = 0;
    for (const Node& node : nodes_of(op))
      for (int round = 0; round < 300; ++round) {
        std::vector<Value> args;
        std::vector<Bounds> bounds;
        std::vector<double> numbers;
        for (int i = 0; i < operation.arguments; ++i) {
          double number = std::ldexp(static_cast<double>(random() % 2048) - 1024, static_cast<int>(random() % 9) - 8);
          if (takes_whole(op) || round % 2 == 0) number = std::floor(number);
          if (round % 7 == 0) number = random() % 2 == 0 ? 0.0 : -0.0;  // which of two zeros it is, a loop has to know
          numbers.push_back(number);
          args.push_back(Real::from_double(number));
          bounds.push_back(bounds_of(number));
        }
        const Bounds result = operation.bounds(node, bounds);
        const Result<Value> value = apply_node(node, args);
        ASSERT_TRUE(value) << static_cast<int>(op);
        expect_carried(result, *value, static_cast<int>(op));
        const LaneLoops& loops = operation.loops;
        const LaneArgument<double> a{&numbers.front(), true}, b{&numbers.back(), true};
        if (result.carrier == Carrier::integer && loops.integers != nullptr) {
          const std::int64_t x = static_cast<std::int64_t>(numbers.front()), y = static_cast<std::int64_t>(numbers.back());
          std::array<std::int64_t, 1> out{};
          loops.integers(out, {&x, true}, {&y, true});
          EXPECT_EQ(out[0], *value->number().to_int64()) << static_cast<int>(op);
          ++looped;
        }
        if (result.carrier == Carrier::real && loops.reals != nullptr) {
          std::array<double, 1> out{};
          loops.reals(out, a, b);
          EXPECT_TRUE(Real::from_double(out[0]).identical(value->number())) << static_cast<int>(op) << ": " << out[0];
          ++looped;
        }
        if (result.carrier != Carrier::integer && loops.floats != nullptr && op != NodeOp::divide) {  // these need no rounding
          const float x = static_cast<float>(numbers.front()), y = static_cast<float>(numbers.back());
          std::array<float, 1> out{};
          loops.floats(out, {&x, true}, {&y, true});
          EXPECT_TRUE(value->is_truth() ? (out[0] != 0) == value->truth() : Real::from_double(double{out[0]}).identical(value->number()))
              << static_cast<int>(op) << ": " << out[0];
        }
        if (loops.truths != nullptr) {
          std::array<std::uint8_t, 1> out{};
          loops.truths(out, a, b);
          EXPECT_EQ(out[0] != 0, value->truth()) << static_cast<int>(op);
          ++looped;
        }
      }
    if (operation.loops.reals != nullptr && op != NodeOp::divide) {
      EXPECT_GT(looped, 100) << static_cast<int>(op);
    }
  }
}

TEST(OperationTraits, AQuotientByAPowerOfTwoIsADouble) {
  Node node;
  node.op = NodeOp::divide;
  Bounds divisor = between_integers(4, 4);
  const Bounds dividend = between_integers(-9, 9);
  const auto* operation = find_traits(NodeOp::divide);
  EXPECT_EQ(operation->bounds(node, std::vector{dividend, divisor}).carrier, Carrier::exact);
  divisor.power_of_two = 2;
  const Bounds quotient = operation->bounds(node, std::vector{dividend, divisor});
  EXPECT_EQ(quotient.carrier, Carrier::real);
  EXPECT_EQ(quotient.bottom, -2);
  EXPECT_FALSE(quotient.whole);
}

}  // namespace
}  // namespace tiebreak
