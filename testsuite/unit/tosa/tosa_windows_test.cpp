// SPDX-License-Identifier: Apache-2.0
// TOSA's pools and RESIZE against the loops of its text: random windows, paddings, scales, offsets and borders.
#include "testsuite/oracle/tosa/tosa_windows.hpp"

#include "testsuite/unit/helpers/tosa_calls.hpp"

namespace tiebreak::tosa_test {
namespace {

namespace twin = oracle::tosa;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();

Shape shape_of(const twin::Image& image) { return Shape(image.extents.begin(), image.extents.end()); }

template <class Value>
twin::Image drawn_image(std::array<std::int64_t, 4> extents, const Value& value) {
  twin::Image image{extents, {}};
  for (std::int64_t i = 0; i < extents[0] * extents[1] * extents[2] * extents[3]; ++i) image.values.push_back(static_cast<double>(value()));
  return image;
}

/// A window whose stride divides what it moves over; nothing where none is found.
std::optional<twin::Pool> drawn_pool(Draws& draws, const std::array<std::int64_t, 4>& extents) {
  twin::Pool pool;
  for (std::size_t s = 0; s < 2; ++s) {
    bool fits = false;
    for (int attempt = 0; attempt < 60 && !fits; ++attempt) {
      pool.kernel[s] = draws.between(1, 4);
      pool.stride[s] = draws.between(1, 3);
      pool.before[s] = draws.between(0, pool.kernel[s] - 1);
      pool.behind[s] = draws.between(0, pool.kernel[s] - 1);
      const std::int64_t room = extents[s + 1] + pool.before[s] + pool.behind[s] - pool.kernel[s];
      fits = room >= 0 && room % pool.stride[s] == 0;
    }
    if (!fits) return std::nullopt;
  }
  return pool;
}

AttributeMap attributes_of(const twin::Pool& pool) {
  return {{"kernel", Attribute::integers({pool.kernel[0], pool.kernel[1]})},
          {"stride", Attribute::integers({pool.stride[0], pool.stride[1]})},
          {"pad", Attribute::integers({pool.before[0], pool.behind[0], pool.before[1], pool.behind[1]})}};
}

TEST(TosaWindows, MeansOfCodes) {
  Draws draws(seed + 20);
  int elements = 0;
  for (int round = 0; round < 150 && !HasFailure(); ++round) {
    const int bits = round % 3 == 2 ? 16 : 8;
    const std::string type = bits == 8 ? "i8" : "i16";
    const twin::Image input =
        drawn_image({draws.between(1, 2), draws.between(1, 7), draws.between(1, 7), draws.between(1, 3)}, [&] { return draws.code(bits); });
    const auto pool = drawn_pool(draws, input.extents);
    if (!pool) continue;
    twin::AverageOf rule{.low = -(std::int64_t{1} << (bits - 1)), .high = (std::int64_t{1} << (bits - 1)) - 1};
    if (bits == 8) rule.input_zero_point = draws.code(8), rule.output_zero_point = draws.code(8);
    OpCall call{.op = "tosa.AVG_POOL2D",
                .operands = {tensor_of(type, shape_of(input), input.values), one(type, static_cast<double>(rule.input_zero_point)),
                             one(type, static_cast<double>(rule.output_zero_point))},
                .attributes = attributes_of(*pool)};
    call.attributes["acc_type"] = Attribute{*ElementType::parse("i32")};
    const twin::Image expected = twin::average(input, *pool, rule);
    elements += static_cast<int>(expected.values.size());
    EXPECT_EQ(wrong(given_result(call), shape_of(expected), expected.values, "round " + std::to_string(round)), 0);
  }
  EXPECT_GT(elements, 2000);
}

TEST(TosaWindows, Maxima) {
  Draws draws(seed + 21);
  const double specials[] = {0.0, -0.0, not_a_number, not_a_number, -infinity, infinity, 1.5, -2.0};
  for (int round = 0; round < 150 && !HasFailure(); ++round) {
    const bool floats = round % 3 == 2, ignore = draws.once_in(2);
    const twin::Image input = drawn_image({draws.between(1, 2), draws.between(1, 6), draws.between(1, 6), draws.between(1, 2)},
                                          [&] { return floats ? specials[draws.between(0, 7)] : static_cast<double>(draws.code(8)); });
    const auto pool = drawn_pool(draws, input.extents);
    if (!pool) continue;
    OpCall call{.op = "tosa.MAX_POOL2D", .operands = {tensor_of(floats ? "f32" : "i8", shape_of(input), input.values)}, .attributes = attributes_of(*pool)};
    call.attributes["nan_mode"] = Attribute{std::string(ignore ? "IGNORE" : "PROPAGATE")};
    const twin::Image expected = twin::maximum(input, *pool, floats && ignore ? twin::Nan::ignore : twin::Nan::propagate, floats ? -infinity : -128);
    EXPECT_EQ(wrong(given_result(call), shape_of(expected), expected.values, "round " + std::to_string(round)), 0);
  }
}

/// A scale, offset and border that the text allows for these extents, with a result that is not too large.
std::optional<twin::Scaling> drawn_scaling(Draws& draws, const std::array<std::int64_t, 4>& extents) {
  twin::Scaling scaling;
  for (std::size_t s = 0; s < 2; ++s) {
    const std::int64_t n = draws.once_in(6) ? draws.between(2040, 2048) : draws.between(1, 9),
                       d = draws.between(std::max<std::int64_t>(1, n / 4), std::min(16 * n - 1, 3 * n));
    scaling.numerator[s] = n;
    scaling.denominator[s] = d;
    scaling.offset[s] = draws.between(-n, std::min(16 * n - 1, (extents[s + 1] - 1) * n + n - 1));
    const std::int64_t room = (extents[s + 1] - 1) * n - scaling.offset[s];
    const std::int64_t place = room + draws.between(-3 * n, n - 1);  // the border brings the last place to a multiple of d
    scaling.border[s] = (place >= 0 ? place / d * d : 0) - room;
    if (scaling.border[s] < -16 * n || scaling.border[s] >= n) return std::nullopt;
    if (twin::resized(extents[s + 1], scaling, s).value_or(0) < 1 || *twin::resized(extents[s + 1], scaling, s) > 40) return std::nullopt;
  }
  return scaling;
}

TEST(TosaWindows, Resizes) {
  Draws draws(seed + 22);
  int calls = 0;
  for (int round = 0; round < 260 && !HasFailure(); ++round) {
    const bool nearest = round % 2 == 0, wide = draws.once_in(2);
    const std::string type = wide ? "i16" : "i8", output = nearest ? type : wide ? "i48" : "i32";
    const twin::Image input =
        drawn_image({draws.between(1, 2), draws.between(1, 6), draws.between(1, 6), draws.between(1, 2)}, [&] { return draws.code(wide ? 16 : 8); });
    const auto scaling = drawn_scaling(draws, input.extents);
    if (!scaling) continue;
    const twin::Image expected = nearest ? twin::nearest(input, *scaling) : twin::bilinear(input, *scaling);
    const OpCall call{.op = "tosa.RESIZE",
                      .operands = {tensor_of(type, shape_of(input), input.values),
                                   numbers({scaling->numerator[0], scaling->denominator[0], scaling->numerator[1], scaling->denominator[1]}),
                                   numbers({scaling->offset[0], scaling->offset[1]}), numbers({scaling->border[0], scaling->border[1]})},
                      .attributes = {{"mode", Attribute{std::string(nearest ? "NEAREST" : "BILINEAR")}}},
                      .result_types = type_of(output, shape_of(expected))};
    EXPECT_EQ(wrong(given_result(call), shape_of(expected), expected.values, "round " + std::to_string(round)), 0);
    ++calls;
  }
  std::printf("  %d calls\n", calls);
  EXPECT_GT(calls, 120);
}

}  // namespace
}  // namespace tiebreak::tosa_test
