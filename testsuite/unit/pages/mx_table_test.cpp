// SPDX-License-Identifier: Apache-2.0
// Literal values of torchao's and ml_dtypes' own tests for conversions to floats of 8, 6 and 4 bits, by the exact roundings themselves. Blocks with a
// shared exponent are read as cases.
#include <cmath>
#include <limits>

#include "testsuite/unit/helpers/variant_calls.hpp"

namespace tiebreak {
namespace {

class MxTable : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(table_path("tflite_cases.json"))) GTEST_SKIP() << "the table of small floats is not beside this checkout";
    table = read_table("tflite_cases.json");
  }
  json table;
};

const FloatFormat& format(const std::string& name) { return *find_float_format(name); }

/// The code of a value in a format; -0 and nan have their own.
std::uint64_t code_in_format(const Real& v, const std::string& name, Rounding rounding = Rounding::nearest_even, Overflow overflow = Overflow::format) {
  return *encode(*round_to(v, format(name), rounding, overflow), format(name));
}

Real f32_of_bits(std::uint32_t bits) { return decode(bits, format("f32")); }

/// C's hexadecimal floats, or inf and nan.
Real hexadecimal(const std::string& text) { return Real::from_double(std::stod(text)); }

TEST_F(MxTable, Conversions) {
  int count = 0;
  for (const json& entry : table["torchao_mx"]["f32_to_e8m0_rceil"]) {
    const Real v = f32_of_bits(entry["f32_bits"]);
    const bool number = !v.is_nan() && !v.is_infinite();
    EXPECT_EQ(number ? code_in_format(v, "f8e8m0", Rounding::up) : 255u, entry["e8m0"].get<std::uint64_t>()) << entry;
    ++count;
  }
  for (const json& entry : table["torchao_mx"]["f32_to_fp4_e2m1"]["cases"])
    for (double sign : {1.0, -1.0}) {
      const Real v = Real::from_double(std::copysign(static_cast<double>(entry["x"].get<float>()), sign));
      EXPECT_EQ(code_in_format(v, "f4e2m1", Rounding::nearest_even, Overflow::saturate), entry["code"].get<std::uint64_t>() + (sign < 0 ? 8 : 0)) << entry;
      ++count;
    }
  for (const json& entry : table["torchao_mx"]["f32_to_fp6_e3m2"]["cases"])
    for (double sign : {1.0, -1.0}) {
      const Real v = Real::from_double(sign * static_cast<double>(entry["x"].get<float>()));
      EXPECT_EQ(code_in_format(v, "f6e3m2", Rounding::nearest_even, Overflow::saturate), entry["code"].get<std::uint64_t>() + (sign < 0 ? 32 : 0)) << entry;
      ++count;
    }
  std::printf("  %d conversions\n", count);
  EXPECT_EQ(count, 18 + 60 + 10);
}

/// float8_e4m3fn -> f8e4m3fn
std::string notation_word(const std::string& type) {
  const std::size_t number = type.find_first_of("468"), underscore = type.find('_');
  std::string word = "f" + type.substr(number, underscore - number) + type.substr(underscore + 1);
  if (word.starts_with("f4") || word.starts_with("f6")) word.resize(word.size() - 2);  // ml_dtypes says fn of all finite formats
  if (word == "f8e8m0fnu") word = "f8e8m0";
  return word;
}

TEST_F(MxTable, MlDtypes) {
  const json& section = table["ml_dtypes"];
  int count = 0;
  for (const json& entry : section["conversions"]) {
    const std::string word = notation_word(entry["type"]), op = entry["op"];
    const Real x = entry.contains("x_bits") ? decode(std::stoull(entry["x_bits"].get<std::string>(), nullptr, 16), format("f16")) : hexadecimal(entry["x_hex"]);
    const Rounding rounding = op.find("trunc=1") != std::string::npos ? Rounding::toward_zero : Rounding::nearest_even;
    const Overflow overflow = op.find("sat=1") != std::string::npos ? Overflow::saturate : Overflow::format;
    if (x.is_nan()) {  // the payload and sign of nan are the library's own; that it is nan is what counts here
      EXPECT_TRUE(decode(entry["code"].get<std::uint64_t>(), format(word)).is_nan()) << entry;
      EXPECT_TRUE(round_to(x, format(word))->is_nan()) << entry;
    } else if (entry.contains("code")) {
      EXPECT_EQ(code_in_format(x, word, rounding, overflow), entry["code"].get<std::uint64_t>()) << entry;
    } else {
      EXPECT_EQ(*round_to(x, format(word), rounding, overflow), hexadecimal(entry["value_hex"])) << entry;
    }
    ++count;
  }
  EXPECT_EQ(count, 26);
  for (const auto& [type, limits] : section["min_normal_and_max"].items()) {
    const FloatFormat& small = format(notation_word(type));
    const Real largest = hexadecimal(limits[1]);
    EXPECT_EQ(*round_to(Real::infinity(), small, Rounding::nearest_even, Overflow::saturate), largest) << type;
    EXPECT_EQ(*round_to(hexadecimal(limits[0]), small), hexadecimal(limits[0])) << type;
  }
  // A double must not pass through f32: 1 + 2^-digits + 2^-24 is above the tie, and f32 loses what puts it there.
  for (const auto& [word, digits] :
       std::map<std::string, int>{{"f8e4m3fn", 4}, {"f8e4m3", 4}, {"f8e5m2", 3}, {"f8e3m4", 5}, {"f8e4m3fnuz", 4}, {"f8e5m2fnuz", 3}, {"f8e4m3b11fnuz", 4}}) {
    const Real probe = Real::from_double(1 + std::ldexp(1, -digits) + 0x1p-24);
    EXPECT_EQ(*round_to(probe, format(word)), Real::from_double(1 + std::ldexp(1, 1 - digits))) << word;
    EXPECT_EQ(*round_to(*round_to(probe, format("f32")), format(word)), Real::from_double(1)) << word;
  }
}

}  // namespace
}  // namespace tiebreak
