// SPDX-License-Identifier: Apache-2.0
// Every accumulator of quant.dot against the oracle's loop of the same name: every width from 2 to 64, every length from 1 to 69, extreme
// and pseudo-random codes.
#include "testsuite/oracle/quantized/accumulator_variants.hpp"

#include "testsuite/unit/helpers/variant_calls.hpp"

namespace tiebreak {
namespace {

struct TypePair {
  const char* a;
  const char* b;
};
constexpr TypePair type_pairs[] = {{"u8", "i8"}, {"i8", "i8"}, {"i16", "i16"}};
constexpr std::int64_t row_count = 6, column_count = 4;

/// Half of the codes are the ends of the type, so that sums leave narrow accumulators.
std::vector<std::int32_t> drawn_codes(const std::string& type, std::int64_t count, std::uint64_t& state) {
  const ElementType element = *ElementType::parse(type);
  const std::int64_t bits = element.bits(), low = element.integer().is_signed ? -(std::int64_t{1} << (bits - 1)) : 0, range = std::int64_t{1} << bits;
  std::vector<std::int32_t> codes;
  for (std::int64_t i = 0; i < count; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const auto random = static_cast<std::int64_t>(state >> 33);
    codes.push_back(static_cast<std::int32_t>(random % 4 == 0 ? low + range - 1 : random % 4 == 1 ? low : low + (random >> 3) % range));
  }
  return codes;
}

Result<std::vector<ResultTensor>> run_alternative(const OpCall& call, const std::string& alternative) {
  auto library = spec_pages();
  TIEBREAK_TRY(reference, library->find_profile("reference"));
  Profile profile = *reference;
  profile.choices["quant.dot/accumulator"].alternative = alternative;
  return evaluate({*library, profile}, call);
}

struct Trial {
  TypePair types;
  std::int64_t length;
  int width;
  std::int32_t a_zero_point, b_zero_point;
};

std::int64_t compare_dots(const oracle::DotVariant& variant, const Trial& trial, std::uint64_t& state) {
  const std::vector<std::int32_t> a = drawn_codes(trial.types.a, row_count * trial.length, state),
                                  b = drawn_codes(trial.types.b, column_count * trial.length, state);
  std::vector<std::int32_t> columns_of_b(b.size());
  for (std::int64_t k = 0; k < trial.length; ++k)
    for (std::int64_t c = 0; c < column_count; ++c)
      columns_of_b[static_cast<std::size_t>(k * column_count + c)] = b[static_cast<std::size_t>(c * trial.length + k)];
  OpCall call{
      .op = "quant.dot",
      .operands = {codes32_tensor(trial.types.a, {row_count, trial.length}, a), codes32_tensor(trial.types.b, {trial.length, column_count}, columns_of_b),
                   scalar_tensor("i32", trial.a_zero_point), scalar_tensor("i32", trial.b_zero_point)}};
  call.attributes["width"] = Attribute{Real(trial.width)};
  auto results = run_alternative(call, variant.name);
  EXPECT_TRUE(results) << variant.name << " " << (results ? "" : to_text(results.error()));
  if (!results) return 0;
  int wrong = 0;
  for (std::int64_t r = 0; r < row_count; ++r)
    for (std::int64_t c = 0; c < column_count; ++c) {
      const auto length = static_cast<std::size_t>(trial.length);
      const oracle::DotArguments arguments{std::span(a).subspan(static_cast<std::size_t>(r) * length, length),
                                           std::span(b).subspan(static_cast<std::size_t>(c) * length, length),
                                           trial.a_zero_point,
                                           trial.b_zero_point,
                                           trial.width,
                                           trial.types.a[0] == 'u'};
      const auto actual = integer_at(results->front(), r * column_count + c), expected = variant.function(arguments);
      if (actual != expected && ++wrong <= 2)
        ADD_FAILURE() << variant.name << " " << trial.types.a << " x " << trial.types.b << " length " << trial.length << " width " << trial.width << ": "
                      << text_of(actual) << ", oracle " << text_of(expected);
    }
  EXPECT_EQ(wrong, 0) << variant.name;
  return row_count * column_count;
}

TEST(AccumulatorVariants, EveryWidthAndEveryTail) {
  std::uint64_t state = 20260102;
  std::int64_t points = 0;
  for (const oracle::DotVariant& variant : oracle::dot_variants())
    for (const TypePair& pair : type_pairs) {
      for (int width = 2; width <= 64; ++width) points += compare_dots(variant, {pair, 9 + width % 5, width, 0, 0}, state);
      for (std::int64_t length = 1; length <= 69; ++length)
        points += compare_dots(variant, {pair, length, 14 + static_cast<int>(length) % 19, length % 3 == 0 ? 0 : 3, length % 2 == 0 ? 0 : -1}, state);
    }
  std::printf("  %lld dot products, %zu accumulators\n", static_cast<long long>(points), oracle::dot_variants().size());
}

}  // namespace
}  // namespace tiebreak
