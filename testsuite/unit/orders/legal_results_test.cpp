// SPDX-License-Identifier: Apache-2.0
// Folds in each order against plain loops, and the sets and intervals of all orders against brute force. The seed is printed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "interpreter/orders/legal_results.hpp"
#include "interpreter/program/program.hpp"
#include "testsuite/oracle/fold_orders.hpp"
#include "testsuite/unit/helpers/variant_calls.hpp"

namespace tiebreak {
namespace {

using oracle::Items;
constexpr unsigned legal_results_seed = 20251122;

const std::string q8 = "!quant.uniform<i8:f32, 0.5>";
std::string shaped(std::size_t n, const std::string& element) { return fmt::format("tensor<{}x{}>", n, element); }

std::string body_text(const std::string& op, const std::string& e) {
  return fmt::format(
      "({{ ^bb0(%a: tensor<{0}>, %b: tensor<{0}>): %0 = \"stablehlo.{1}\"(%a, %b) : (tensor<{0}>, tensor<{0}>) -> tensor<{0}> \"stablehlo.return\"(%0) : "
      "(tensor<{0}>) -> () }})",
      e, op);
}

std::string reduce_text(const std::string& op, const std::string& e, std::size_t n) {
  return fmt::format("%r = \"stablehlo.reduce\"(%x, %s) {} {{dimensions = array<i64: 0>}} : ({}, tensor<{}>) -> tensor<{}>", body_text(op, e), shaped(n, e), e,
                     e);
}

/// All updates go to element 0 of one.
std::string scatter_text(const std::string& op, const std::string& e, std::size_t n) {
  return fmt::format(
      "%r = \"stablehlo.scatter\"(%x, %i, %u) {} {{inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1 : "
      "i64}}"
      " : ({}, tensor<{}x1xi64>, {}) -> {}",
      body_text(op, e), shaped(1, e), n, shaped(n, e), shaped(1, e));
}

/// A program of one operation with its inputs; the program must outlive the call.
struct Asked {
  Program program;
  std::vector<Tensor> inputs;
};

Asked ask(const std::string& text, const std::vector<Items>& values) {
  auto parsed = parse_mlir(text, "test.mlir");
  EXPECT_TRUE(parsed.has_value()) << (parsed ? "" : to_text(parsed.error())) << "\n" << text;
  Asked asked{parsed->functions.at(0), {}};
  for (std::size_t i = 0; i < values.size(); ++i) {
    Tensor tensor = *Tensor::zeros(*asked.program.values[static_cast<std::size_t>(asked.program.inputs[i])].type);
    for (std::size_t k = 0; k < values[i].size(); ++k) tensor.set_code(static_cast<std::int64_t>(k), *tensor.element().encode(Real::from_double(values[i][k])));
    asked.inputs.push_back(std::move(tensor));
  }
  return asked;
}

LegalResults legal_of(const Asked& asked, const Profile& profile) {
  auto call = reach_call({*spec_pages(), profile}, asked.program, 0, asked.inputs);
  EXPECT_TRUE(call.has_value());
  auto legal = legal_results({*spec_pages(), profile}, *call);
  EXPECT_TRUE(legal.has_value()) << (legal ? "" : to_text(legal.error()));
  EXPECT_EQ(legal->size(), 1U);
  return legal->at(0);
}

std::set<double> legal_values(const LegalResults& legal) {
  std::set<double> values;
  for (const auto& member : legal.elements[0].members) values.insert(legal.computed[0].tensor.element().decode(member[0]).to_double());
  return values;
}

Items random_items(std::mt19937_64& random, std::size_t n, bool whole) {
  Items items;
  for (std::size_t i = 0; i < n; ++i) {
    const double v = whole ? static_cast<double>(random() % 255) - 127 : static_cast<double>(random() % 0xffff) - 0x7fff;
    items.push_back(whole ? v : std::ldexp(v == 0 ? 1 : v, static_cast<int>(random() % 20)));
  }
  return items;
}

TEST(FoldOrders, EachEqualsItsTwin) {
  std::mt19937_64 random(legal_results_seed);
  std::size_t points = 0;
  for (const char* order : {"forward", "backward", "start_last", "start_both", "no_start", "pairwise", "blocks", "lanes"})
    for (std::size_t n = 1; n <= 9; ++n)
      for (const bool whole : {false, true}) {
        const Items items = random_items(random, n, whole);
        const double start = whole ? 9 : 3.5;
        const oracle::Joined join = whole ? oracle::Joined(oracle::saturating_add_i8) : [](double a, double b) { return oracle::add_f32(a, -b); };
        const Asked asked = ask(reduce_text(whole ? "add" : "subtract", whole ? q8 : "f32", n), {items, {start}});
        const auto results = evaluate({*spec_pages(), profile_with({{"stablehlo.reduce/order", order}})}, asked.program, asked.inputs);
        ASSERT_TRUE(results.has_value());
        ++points;
        EXPECT_EQ(results->at(0).tensor.value(0).to_double(), oracle::fold_in_order(order, items, start, join))
            << order << " of " << n << " seed " << legal_results_seed;
      }
  EXPECT_EQ(points, 144U);
}

TEST(FoldOrders, ScatterTakesUpdatesForwardAndReversed) {
  std::mt19937_64 random(legal_results_seed + 1);
  for (const char* order : {"forward", "reversed"})
    for (std::size_t n = 1; n <= 8; ++n) {
      const Items items = random_items(random, n, false);
      const Asked asked = ask(scatter_text("add", "f32", n), {{5}, Items(n, 0), items});
      const auto results = evaluate({*spec_pages(), profile_with({{"stablehlo.scatter/order", order}})}, asked.program, asked.inputs);
      ASSERT_TRUE(results.has_value());
      EXPECT_EQ(results->at(0).tensor.value(0).to_double(), oracle::fold_in_order(order, items, 5, oracle::add_f32)) << order << " of " << n;
    }
}

TEST(LegalResults, AreEveryTree) {
  std::mt19937_64 random(legal_results_seed + 2);
  std::size_t members = 0;
  for (int round = 0; round < 60; ++round)
    for (const bool whole : {false, true}) {
      const std::size_t n = 2 + random() % 5;
      const Items items = random_items(random, n, whole);
      const auto legal = legal_of(ask(reduce_text("add", whole ? q8 : "f32", n), {items, {0}}), profile_with({{"stablehlo.reduce/order", "any"}}));
      const auto wanted = oracle::every_tree(items, whole ? oracle::saturating_add_i8 : oracle::add_f32);  // a start value of 0 changes nothing
      EXPECT_EQ(legal_values(legal), wanted) << "seed " << legal_results_seed << " round " << round;
      EXPECT_EQ(legal.elements[0].kind, wanted.size() > 1 ? LegalElement::Kind::set : LegalElement::Kind::unique);
      members += wanted.size();
    }
  EXPECT_GT(members, 170U) << "sets of one would prove nothing";
}

TEST(LegalResults, HaveStartValuesAnywhere) {
  std::mt19937_64 random(legal_results_seed + 3);
  for (int round = 0; round < 20; ++round) {
    const Items items = random_items(random, 1 + random() % 3, true);
    const double start = 40 + static_cast<double>(random() % 60);
    const auto legal = legal_values(legal_of(ask(reduce_text("add", q8, items.size()), {items, {start}}), profile_with({{"stablehlo.reduce/order", "any"}})));
    for (double value : oracle::every_tree_with_starts(items, start, items.size() < 3 ? 2 : 1, oracle::saturating_add_i8))
      EXPECT_TRUE(legal.contains(value)) << value;
    EXPECT_EQ(legal, oracle::every_tree_with_any_starts(items, start, oracle::saturating_add_i8)) << "seed " << legal_results_seed << " round " << round;
  }
}

TEST(LegalResults, OfScatterAreEveryPermutation) {
  std::mt19937_64 random(legal_results_seed + 4);
  std::size_t members = 0;
  for (int round = 0; round < 30; ++round)
    for (const bool whole : {false, true}) {
      const std::size_t n = 2 + random() % 5;
      const Items items = random_items(random, n, whole);
      const auto legal =
          legal_of(ask(scatter_text("add", whole ? q8 : "f32", n), {{7}, Items(n, 0), items}), profile_with({{"stablehlo.scatter/order", "any"}}));
      const auto wanted = oracle::every_permutation(items, 7, whole ? oracle::saturating_add_i8 : oracle::add_f32);
      EXPECT_EQ(legal_values(legal), wanted) << "seed " << legal_results_seed << " round " << round;
      members += wanted.size();
    }
  EXPECT_GT(members, 120U) << "sets of one would prove nothing";
}

TEST(LegalResults, OfLongFloatSumsLieInAnInterval) {
  std::mt19937_64 random(legal_results_seed + 5);
  const Items items = random_items(random, 300, false);
  const auto legal = legal_of(ask(reduce_text("add", "f32", items.size()), {items, {0}}), profile_with({{"stablehlo.reduce/order", "any"}}));
  const LegalElement& element = legal.elements[0];
  ASSERT_EQ(element.kind, LegalElement::Kind::interval) << legal.why;
  EXPECT_LT(element.low, element.high);
  for (const char* order : {"forward", "backward", "start_last", "pairwise", "blocks", "lanes", "reversed"}) {
    const double value = oracle::fold_in_order(order, items, 0, oracle::add_f32);
    EXPECT_LE(element.low.to_double(), value) << order;
    EXPECT_GE(element.high.to_double(), value) << order;
  }
}

TEST(LegalResults, OfLongNarrowSumsLieBetweenTheirEnds) {
  std::mt19937_64 random(legal_results_seed + 6);
  const Items items = random_items(random, 120, true);
  const auto legal = legal_of(ask(reduce_text("add", q8, items.size()), {items, {0}}), profile_with({{"stablehlo.reduce/order", "any"}}));
  const LegalElement& element = legal.elements[0];
  ASSERT_EQ(element.kind, LegalElement::Kind::interval) << legal.why;
  for (const char* order : {"forward", "backward", "start_last", "pairwise", "blocks"}) {
    const double value = oracle::fold_in_order(order, items, 0, oracle::saturating_add_i8);
    EXPECT_LE(element.low.to_double(), value) << order;
    EXPECT_GE(element.high.to_double(), value) << order;
  }
}

TEST(LegalResults, OfLongRowsWithoutAnOrderAreUnique) {
  const Items items(1000, 3);
  using enum LegalElement::Kind;
  const auto kind = [&](const std::string& op, const std::string& type, double start) {
    return legal_of(ask(reduce_text(op, type, items.size()), {items, {start}}), profile_with({{"stablehlo.reduce/order", "any"}}, "stablehlo-interpreter"))
        .elements[0]
        .kind;
  };
  EXPECT_EQ(kind("maximum", "i32", -5), unique);
  EXPECT_EQ(kind("maximum", "i32", 5), set) << "the start value may be left out";
  EXPECT_EQ(kind("add", "i32", 0), unique);
  EXPECT_EQ(kind("add", "i32", 1), unknown) << "and may be taken in any number of times";
  EXPECT_EQ(kind("minimum", "f32", 0.5), set);
  EXPECT_EQ(kind("subtract", "f32", 0), unknown);
}

TEST(LegalResults, SayWhereASelectionIsOpen) {
  const std::string text =
      "%r = \"stablehlo.select_and_scatter\"(%x, %u, %s) ({ ^bb0(%a: tensor<f32>, %b: tensor<f32>): %0 = \"stablehlo.compare\"(%a, %b) {comparison_direction = "
      "#stablehlo<comparison_direction GE>} : (tensor<f32>, tensor<f32>) -> tensor<i1> \"stablehlo.return\"(%0) : (tensor<i1>) -> () }, " +
      body_text("add", "f32").substr(1) + " {window_dimensions = array<i64: 3>} : (tensor<3xf32>, tensor<1xf32>, tensor<f32>) -> tensor<3xf32>";
  const double nan = std::nan("");
  const auto kind = [&](const Items& operand) {
    return legal_of(ask(text, {operand, {4}, {0}}), profile_with({{"stablehlo.select_and_scatter/order", "any"}})).elements[0].kind;
  };
  EXPECT_EQ(kind({1, 3, 2}), LegalElement::Kind::unique);
  EXPECT_EQ(kind({3, nan, 2}), LegalElement::Kind::unknown) << "the nan gives way to 2 alone, and 3 gives way to the nan, or stays";
}

}  // namespace
}  // namespace tiebreak
