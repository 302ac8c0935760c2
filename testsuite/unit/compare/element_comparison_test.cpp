// SPDX-License-Identifier: Apache-2.0
// compare() passes over equal bytes and counts in ascending order; here the same is said of one element after another, each by itself, as docs/policies.md
// has it, over random tensors of every width. The seed is printed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "testsuite/compare/compare.hpp"
#include "testsuite/compare/difference.hpp"
#include "testsuite/compare/differing_elements.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

constexpr unsigned comparison_seed = 20261128;

/// What a latitude says of an element: some of each standing.
Standing standing_of_index(std::int64_t i) { return i % 5 == 0 ? Standing::right : i % 7 == 0 ? Standing::open : Standing::wrong; }

bool excuses(const Policy& policy, const ResultTensor& expected, const Tensor& actual, std::int64_t i, double distance) {
  const ElementType& type = actual.element();
  const Real from = expected.tensor.value(i), to = actual.value(i);
  using enum Policy::Kind;
  if (policy.kind == lsb) return type.is_integer() && abs(to - from) <= policy.bound;
  if (!type.is_float() || policy.kind == exact) return false;
  if (policy.kind == steps) return std::isfinite(distance) && Real::from_double(std::abs(distance)) <= policy.bound;
  if (!from.is_finite() || !to.is_finite()) return false;
  return abs(to - from) <= (policy.kind == ulp ? policy.bound * ulp_at(from, type.floating()) : policy.bound);
}

/// Element by element, without anything known from one to the next.
Comparison one_by_one(const ResultTensor& expected, const Tensor& actual, const Policy& policy, std::size_t keep, bool with_latitude) {
  Comparison found;
  const ElementType& type = actual.element();
  found.places = places_of(actual.shape());
  std::vector<Mismatch> wrong, excused;
  for (std::int64_t i = 0; i < actual.size(); ++i) {
    if (expected.is_undefined(i)) {
      ++found.undefined;
      continue;
    }
    ++found.compared;
    if (same_element(expected.tensor, actual, i)) continue;
    ++found.different;
    note_place(found.places, i);
    const double distance = difference(expected.tensor.code(i), actual.code(i), type);
    ++found.histogram[histogram_bucket(distance)];
    const Standing standing = with_latitude ? standing_of_index(i) : Standing::wrong;
    if (standing != Standing::right && (!found.worst_index || size_of_difference(distance) > size_of_difference(found.worst))) {
      found.worst_index = i;
      found.worst = distance;
    }
    const bool within = excuses(policy, expected, actual, i, distance);
    found.right += standing == Standing::right ? 1 : 0;
    found.open += standing == Standing::open && !within ? 1 : 0;
    const bool is_excused = within || standing == Standing::right;
    found.excused += is_excused ? 1 : 0;
    Mismatch mismatch;
    mismatch.index = i;
    mismatch.expected_bits = bits_text(expected.tensor, i);
    mismatch.actual_bits = bits_text(actual, i);
    mismatch.difference = distance;
    mismatch.excused = is_excused;
    (is_excused ? excused : wrong).push_back(mismatch);
  }
  found.conforms = found.different == found.excused;
  wrong.insert(wrong.end(), excused.begin(), excused.end());
  wrong.resize(std::min(keep, wrong.size()));
  found.first = std::move(wrong);
  return found;
}

/// nan is equal to nan here.
bool same_number(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

void expect_same(const Comparison& found, const Comparison& wanted, const std::string& where) {
  EXPECT_EQ(found.compared, wanted.compared) << where;
  EXPECT_EQ(found.undefined, wanted.undefined) << where;
  EXPECT_EQ(found.different, wanted.different) << where;
  EXPECT_EQ(found.excused, wanted.excused) << where;
  EXPECT_EQ(found.right, wanted.right) << where;
  EXPECT_EQ(found.open, wanted.open) << where;
  EXPECT_EQ(found.conforms, wanted.conforms) << where;
  EXPECT_EQ(found.histogram, wanted.histogram) << where;
  EXPECT_EQ(found.worst_index, wanted.worst_index) << where;
  EXPECT_TRUE(same_number(found.worst, wanted.worst)) << where << ": " << found.worst << " " << wanted.worst;
  EXPECT_EQ(found.places.counts, wanted.places.counts) << where;
  ASSERT_EQ(found.first.size(), wanted.first.size()) << where;
  for (std::size_t m = 0; m < found.first.size(); ++m) {
    EXPECT_EQ(found.first[m].index, wanted.first[m].index) << where;
    EXPECT_EQ(found.first[m].expected_bits, wanted.first[m].expected_bits) << where;
    EXPECT_EQ(found.first[m].actual_bits, wanted.first[m].actual_bits) << where;
    EXPECT_EQ(found.first[m].excused, wanted.first[m].excused) << where;
    EXPECT_TRUE(same_number(found.first[m].difference, wanted.first[m].difference)) << where;
  }
}

class RandomPair {
 public:
  explicit RandomPair(const std::string& type) : type_(*ElementType::parse(type)) {
    if (!type_.is_float()) return;
    for (const Real& special : {Real::zero(false), Real::zero(true), Real::infinity(false), Real::infinity(true), Real::nan(), type_.max(), type_.min()})
      if (const auto code = type_.encode(special)) specials_.push_back(*code);
  }

  /// Stretches that are equal, stretches that differ by a step or two, and codes that have nothing to do with one another.
  std::pair<ResultTensor, Tensor> draw(std::mt19937_64& random, const Shape& shape) const {
    ResultTensor expected{.name = "y", .tensor = *Tensor::zeros({type_, shape, {}})};
    Tensor actual = expected.tensor;
    std::uint64_t way = 0;
    for (std::int64_t i = 0; i < actual.size(); ++i) {
      if (random() % 97 == 0) way = random() % 4;
      const std::uint64_t code = any_code(random);
      expected.tensor.set_code(i, code);
      actual.set_code(i, way < 2 ? code : way == 2 ? code + random() % 3 : any_code(random));
    }
    if (random() % 2 == 0) expected.undefined.resize(static_cast<std::size_t>(actual.size()));
    for (std::uint8_t& flag : expected.undefined) flag = random() % 9 == 0 ? 1 : 0;
    return {std::move(expected), std::move(actual)};
  }

 private:
  std::uint64_t any_code(std::mt19937_64& random) const {
    if (!specials_.empty() && random() % 8 == 0) return specials_[random() % specials_.size()];
    return random() & (type_.bits() == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << type_.bits()) - 1);
  }

  ElementType type_;
  std::vector<std::uint64_t> specials_{};
};

TEST(ElementComparison, OfAllTogetherIsThatOfOneAfterAnother) {
  std::mt19937_64 random(comparison_seed);
  const Latitude latitude{standing_of_index, [](std::int64_t) { return std::string("some"); }};
  std::size_t round = 0;
  for (const char* type : {"f32", "f64", "f16", "bf16", "f8e4m3fn", "f8e5m2", "f8e4m3fnuz", "f8e8m0", "f4e2m1", "i4",
                           "u4",  "i8",  "u8",  "i16",  "u16",      "i32",    "u32",        "i64",    "u64",    "bool"}) {
    const RandomPair pairs(type);
    for (const Shape& shape : {Shape{}, Shape{129}, Shape{3, 5, 7}, Shape{2, 400, 1}, Shape{9, 131}}) {
      for (const char* text : {"exact", "lsb:1", "ulp:2", "steps:1", "absolute:0.5"}) {
        const auto [expected, actual] = pairs.draw(random, shape);
        const Policy policy = *parse_policy(text);
        const bool with_latitude = round++ % 2 == 0;
        const std::string where = fmt::format("{} {} {} round {} seed {}", type, to_text(shape), text, round, comparison_seed);
        const Comparison wanted = one_by_one(expected, actual, policy, 4, with_latitude);
        expect_same(compare(expected, actual, policy, 4, with_latitude ? &latitude : nullptr), wanted, where);
        EXPECT_EQ(any_different(expected, actual), wanted.different > 0) << where;
        if (actual.size() == 0) continue;
        Tensor one = expected.tensor;
        one.set_code(actual.size() - 1, actual.code(actual.size() - 1));
        EXPECT_EQ(any_different(expected, one), one_by_one(expected, one, policy, 0, false).different > 0) << where;
      }
    }
  }
}

TEST(ElementComparison, ManyDifferencesOfATypeAreThoseOfEachPair) {
  for (const char* name : {"f8e4m3fn", "f8e5m2", "f8e4m3fnuz", "f8e4m3", "f8e8m0", "f6e3m2", "f4e2m1", "i8", "u8", "i4", "u4", "bool"}) {
    const ElementType type = *ElementType::parse(name);
    const Differences differences(type);
    const std::uint64_t codes = std::uint64_t{1} << type.bits();
    for (std::uint64_t a = 0; a < codes; ++a)
      for (std::uint64_t b = 0; b < codes; ++b) ASSERT_TRUE(same_number(differences(a, b), difference(a, b, type))) << name << " " << a << " " << b;
  }
}

TEST(ElementComparison, PlacesCountedInOrderAreThoseOfEachIndex) {
  std::mt19937_64 random(comparison_seed + 1);
  for (const Shape& shape : {Shape{}, Shape{1}, Shape{63}, Shape{64}, Shape{65}, Shape{1000}, Shape{7, 130}, Shape{8, 64}, Shape{50, 3}, Shape{3, 4, 200, 1}}) {
    for (const std::uint64_t rarity : {1, 3, 150}) {
      Places in_order = places_of(shape), each = in_order;
      PlaceCounter counter(in_order);
      for (std::int64_t i = 0; i < in_order.outer * in_order.inner; ++i) {
        if (random() % rarity != 0) continue;
        counter.add(i);
        note_place(each, i);
      }
      EXPECT_EQ(in_order.counts, each.counts) << to_text(shape) << " seed " << comparison_seed + 1;
    }
  }
}

}  // namespace
}  // namespace tiebreak
