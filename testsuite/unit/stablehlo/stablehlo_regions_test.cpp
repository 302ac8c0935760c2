// SPDX-License-Identifier: Apache-2.0
// Ops with regions against plain loops, over random small shapes. The seed is printed.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <random>

#include "interpreter/program/program.hpp"
#include "testsuite/oracle/stablehlo/stablehlo_regions.hpp"
#include "testsuite/unit/helpers/variant_calls.hpp"

namespace tiebreak {
namespace {

using oracle::Extents;
using oracle::WholeNumbers;
constexpr unsigned regions_seed = 20230622;

std::string tensor_text(const Extents& shape) { return fmt::format("tensor<{}{}i64>", fmt::join(shape, "x"), shape.empty() ? "" : "x"); }
std::string list_text(const Extents& values) { return values.empty() ? "array<i64>" : fmt::format("array<i64: {}>", fmt::join(values, ", ")); }
std::string pads_text(const oracle::WindowShape& window) {
  std::string text;
  for (std::size_t d = 0; d < window.low.size(); ++d) text += fmt::format("{}[{}, {}]", d == 0 ? "" : ", ", window.low[d], window.high[d]);
  return fmt::format("dense<[{}]> : tensor<{}x2xi64>", text, window.low.size());
}

WholeNumbers whole_values(const Tensor& tensor) {
  WholeNumbers values;
  for (std::int64_t i = 0; i < tensor.size(); ++i) values.push_back(*tensor.value(i).to_int64());
  return values;
}

WholeNumbers random_values(std::mt19937_64& random, const Extents& shape, std::int64_t span) {
  std::int64_t count = 1;
  for (std::int64_t extent : shape) count *= extent;
  WholeNumbers values;
  for (std::int64_t i = 0; i < count; ++i) values.push_back(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(2 * span)) - span);
  return values;
}

std::vector<WholeNumbers> run_text(const std::string& text, const std::vector<Tensor>& inputs) {
  auto parsed = parse_mlir(text, "test.mlir");
  EXPECT_TRUE(parsed.has_value()) << (parsed ? "" : to_text(parsed.error())) << "\n" << text;
  if (!parsed) return {};
  auto library = spec_pages();
  auto profile = library->find_profile("stablehlo-spec");
  auto results = evaluate({*library, **profile}, parsed->functions.front(), inputs);
  EXPECT_TRUE(results.has_value()) << (results ? "" : to_text(results.error())) << "\n" << text;
  if (!results) return {};
  std::vector<WholeNumbers> values;
  for (const ResultTensor& result : *results) values.push_back(whole_values(result.tensor));
  return values;
}

constexpr const char* add_body = R"(({
  ^bb0(%p: tensor<i64>, %q: tensor<i64>):
    %s = "stablehlo.add"(%p, %q) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    "stablehlo.return"(%s) : (tensor<i64>) -> ()
}))";

std::string compare_body(const char* direction, const char* arguments) {
  return fmt::format(R"({{
  ^bb0({}):
    %c = "stablehlo.compare"(%p, %q) {{comparison_direction = #stablehlo<comparison_direction {}>}} : (tensor<i64>, tensor<i64>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
}})",
                     arguments, direction);
}

oracle::WindowShape random_window(std::mt19937_64& random, std::size_t rank, bool dilated) {
  oracle::WindowShape window;
  for (std::size_t d = 0; d < rank; ++d) {
    window.window.push_back(1 + static_cast<std::int64_t>(random() % 3));
    window.strides.push_back(1 + static_cast<std::int64_t>(random() % 3));
    window.base_dilations.push_back(dilated ? 1 + static_cast<std::int64_t>(random() % 3) : 1);
    window.window_dilations.push_back(dilated ? 1 + static_cast<std::int64_t>(random() % 2) : 1);
    window.low.push_back(static_cast<std::int64_t>(random() % 4) - 1);
    window.high.push_back(static_cast<std::int64_t>(random() % 4) - 1);
  }
  return window;
}

Extents random_shape(std::mt19937_64& random) {
  Extents shape;
  for (std::size_t rank = 1 + random() % 3; rank > 0; --rank) shape.push_back(1 + static_cast<std::int64_t>(random() % 5));
  return shape;
}

TEST(StablehloRegions, ReduceSumsTheNamedDimensions) {
  std::mt19937_64 random(regions_seed);
  for (int round = 0; round < 60; ++round) {
    const Extents shape = random_shape(random);
    std::vector<bool> reduced;
    Extents dimensions, kept;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      reduced.push_back(random() % 2 == 0);
      if (reduced.back()) dimensions.push_back(static_cast<std::int64_t>(d));
      else kept.push_back(shape[d]);
    }
    const WholeNumbers x = random_values(random, shape, 1000);
    const auto results = run_text(fmt::format("%r = \"stablehlo.reduce\"(%x, %start) {} {{dimensions = {}}} : ({}, tensor<i64>) -> {}", add_body,
                                              list_text(dimensions), tensor_text(shape), tensor_text(kept)),
                                  {codes_tensor("i64", shape, x), codes_tensor("i64", {}, {7})});
    ASSERT_EQ(results.size(), 1u) << "seed " << regions_seed;
    EXPECT_EQ(results[0], oracle::reduce_sum(x, shape, reduced, 7)) << "seed " << regions_seed << " round " << round;
  }
}

TEST(StablehloRegions, WindowsWithPadsAndDilations) {
  std::mt19937_64 random(regions_seed);
  for (int round = 0; round < 80; ++round) {
    const Extents shape = random_shape(random);
    const oracle::WindowShape window = random_window(random, shape.size(), true);
    const WholeNumbers x = random_values(random, shape, 1000);
    const auto results =
        run_text(fmt::format("%r = \"stablehlo.reduce_window\"(%x, %start) {} {{window_dimensions = {}, window_strides = {}, base_dilations = {}, "
                             "window_dilations = {}, padding = {}}} : ({}, tensor<i64>) -> {}",
                             add_body, list_text(window.window), list_text(window.strides), list_text(window.base_dilations),
                             list_text(window.window_dilations), pads_text(window), tensor_text(shape), tensor_text(oracle::window_counts(shape, window))),
                 {codes_tensor("i64", shape, x), codes_tensor("i64", {}, {3})});
    ASSERT_EQ(results.size(), 1u) << "seed " << regions_seed;
    EXPECT_EQ(results[0], oracle::window_sum(x, shape, window, 3)) << "seed " << regions_seed << " round " << round;
  }
}

TEST(StablehloRegions, SelectionKeepsTheFirstGreatest) {
  std::mt19937_64 random(regions_seed);
  for (int round = 0; round < 60; ++round) {
    const Extents shape = random_shape(random);
    const oracle::WindowShape window = random_window(random, shape.size(), false);
    const Extents counts = oracle::window_counts(shape, window);
    const WholeNumbers x = random_values(random, shape, 3);  // many ties
    const WholeNumbers source = random_values(random, counts, 1000);
    const std::string body = std::string(add_body);
    const auto results = run_text(fmt::format("%r = \"stablehlo.select_and_scatter\"(%x, %source, %start) ({}, {}) {{window_dimensions = {}, window_strides = "
                                              "{}, padding = {}}} : ({}, {}, tensor<i64>) -> {}",
                                              compare_body("GE", "%p: tensor<i64>, %q: tensor<i64>"), body.substr(1, body.size() - 2), list_text(window.window),
                                              list_text(window.strides), pads_text(window), tensor_text(shape), tensor_text(counts), tensor_text(shape)),
                                  {codes_tensor("i64", shape, x), codes_tensor("i64", counts, source), codes_tensor("i64", {}, {5})});
    ASSERT_EQ(results.size(), 1u) << "seed " << regions_seed;
    EXPECT_EQ(results[0], oracle::select_and_scatter(x, shape, window, source, 5)) << "seed " << regions_seed << " round " << round;
  }
}

TEST(StablehloRegions, SortIsStableAlongAnyDimension) {
  std::mt19937_64 random(regions_seed);
  for (int round = 0; round < 60; ++round) {
    Extents shape = random_shape(random);
    shape[0] += static_cast<std::int64_t>(random() % 30);
    const std::size_t dimension = random() % shape.size();
    const WholeNumbers x = random_values(random, shape, 4);  // many ties
    WholeNumbers places(x.size());
    std::int64_t stride = 1;
    for (std::size_t d = dimension + 1; d < shape.size(); ++d) stride *= shape[d];
    for (std::size_t i = 0; i < x.size(); ++i) places[i] = static_cast<std::int64_t>(i) / stride % shape[dimension];
    const std::string type = tensor_text(shape);
    const auto results =
        run_text(fmt::format("%a, %b = \"stablehlo.sort\"(%x, %places) ({}) {{dimension = {} : i64, is_stable = true}} : ({}, {}) -> ({}, {})",
                             compare_body("LT", "%p: tensor<i64>, %q: tensor<i64>, %r: tensor<i64>, %t: tensor<i64>"), dimension, type, type, type, type),
                 {codes_tensor("i64", shape, x), codes_tensor("i64", shape, places)});
    ASSERT_EQ(results.size(), 2u) << "seed " << regions_seed;
    EXPECT_EQ(results[1], oracle::stable_order(x, shape, dimension)) << "seed " << regions_seed << " round " << round;
  }
}

/// The region has a reduction of its own, so that it is not elementwise and is run element by element.
TEST(StablehloRegions, RegionsThatAreNotElementwiseRunOneByOne) {
  const auto results = run_text(R"(%r = "stablehlo.map"(%x) ({
  ^bb0(%p: tensor<i64>):
    %s = "stablehlo.reduce"(%row, %p) ({
      ^bb0(%a: tensor<i64>, %b: tensor<i64>):
        %t = "stablehlo.add"(%a, %b) : (tensor<i64>, tensor<i64>) -> tensor<i64>
        "stablehlo.return"(%t) : (tensor<i64>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<3xi64>, tensor<i64>) -> tensor<i64>
    "stablehlo.return"(%s) : (tensor<i64>) -> ()
}) {dimensions = array<i64: 0>} : (tensor<2xi64>) -> tensor<2xi64>)",
                                {codes_tensor("i64", {3}, {1, 2, 3}), codes_tensor("i64", {2}, {100, 200})});
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0], (WholeNumbers{106, 206}));
}

/// What one op leaves undefined stays so in the next.
TEST(StablehloRegions, UndefinedElementsPassThroughPrograms) {
  auto parsed = parse_mlir(R"(%q = "stablehlo.uniform_quantize"(%x) : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
%y = "stablehlo.add"(%q, %q) : (tensor<2x!quant.uniform<i8:f32, 0.5>>, tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>)",
                           "test.mlir");
  ASSERT_TRUE(parsed.has_value());
  auto library = spec_pages();
  auto results =
      evaluate({*library, **library->find_profile("stablehlo-spec")}, parsed->functions.front(), {vector_tensor<double>("f32", {std::nan(""), 1.0})});
  ASSERT_TRUE(results.has_value()) << to_text(results.error());
  EXPECT_EQ(integer_at(results->front(), 0), std::nullopt);
  EXPECT_EQ(integer_at(results->front(), 1), 4);
}

/// An undefined element stays undefined as a captured value, lane by lane or one by one, and beside other values.
TEST(StablehloRegions, UndefinedElementsReachRegions) {
  const std::string quantized = "tensor<!quant.uniform<i8:f32, 0.5>>", row = "tensor<2x!quant.uniform<i8:f32, 0.5>>";
  auto parsed = parse_mlir(fmt::format(R"(%q = "stablehlo.uniform_quantize"(%x) : (tensor<f32>) -> {0}
%one = "stablehlo.constant"() {{value = dense<1> : tensor<i8>}} : () -> {0}
%z:2 = "stablehlo.optimization_barrier"(%one, %q) : ({0}, {0}) -> ({0}, {0})
%row = "stablehlo.broadcast_in_dim"(%one) {{broadcast_dimensions = array<i64>}} : ({0}) -> {1}
%m = "stablehlo.map"(%row) ({{
  ^bb0(%p: {0}):
    %s = "stablehlo.add"(%p, %z#1) : ({0}, {0}) -> {0}
    "stablehlo.return"(%s) : ({0}) -> ()
}}) {{dimensions = array<i64: 0>}} : ({1}) -> {1}
%b = "stablehlo.if"(%held) ({{
    "stablehlo.return"(%z#1) : ({0}) -> ()
}}, {{
    "stablehlo.return"(%z#0) : ({0}) -> ()
}}) : (tensor<i1>) -> {0}
return %z#0, %z#1, %m, %b : {0}, {0}, {1}, {0})",
                                       quantized, row),
                           "test.mlir");
  ASSERT_TRUE(parsed.has_value()) << to_text(parsed.error());
  auto library = spec_pages();
  auto results =
      evaluate({*library, **library->find_profile("stablehlo-spec")}, parsed->functions.front(), {scalar_tensor("f32", std::nan("")), scalar_tensor("i1", 1)});
  ASSERT_TRUE(results.has_value()) << to_text(results.error());
  ASSERT_EQ(results->size(), 4u);
  EXPECT_EQ(integer_at((*results)[0], 0), 1);
  for (std::size_t r = 1; r < 4; ++r) EXPECT_EQ(integer_at((*results)[r], 0), std::nullopt) << (*results)[r].name;
}

/// A result of another type than the region gives.
TEST(StablehloRegions, TypesThatDoNotFitAreNamed) {
  auto parsed =
      parse_mlir(fmt::format("%r = \"stablehlo.reduce\"(%x, %start) {} {{dimensions = array<i64: 0>}} : (tensor<2xi32>, tensor<i32>) -> tensor<i32>", add_body),
                 "test.mlir");
  ASSERT_TRUE(parsed.has_value());
  auto library = spec_pages();
  auto results =
      evaluate({*library, **library->find_profile("stablehlo-spec")}, parsed->functions.front(), {vector_tensor<int>("i32", {1, 2}), scalar_tensor("i32", 0)});
  ASSERT_FALSE(results.has_value());
  EXPECT_NE(to_text(results.error()).find("its regions and operands give"), std::string::npos) << to_text(results.error());
}

}  // namespace
}  // namespace tiebreak
