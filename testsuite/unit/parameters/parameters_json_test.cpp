// SPDX-License-Identifier: Apache-2.0
// Parameters as JSON: what is read back, and the place of every fault.
#include <gtest/gtest.h>

#include "testsuite/parameters/parameters.hpp"

namespace tiebreak {
namespace {

std::string with_tensors(const std::string& tensors) { return R"({"schema": "tiebreak.parameters/1", "model": "m.onnx", "tensors": [)" + tensors + "]}"; }

std::string error_of(const std::string& text) {
  const auto set = parse_parameters(text, "p.json");
  return set ? std::string() : to_text(set.error());
}

TEST(Parameters, AreReadAsTheyAreWritten) {
  const std::string text = with_tensors(
      R"({"tensor": "x", "type": "!quant.uniform<i8:f32, 0.1:3>", "from": "min_max", "low": "-1.5", "high": "2"},
         {"tensor": "w", "type": "!quant.uniform<i8<-127:127>:f32:3, {0.5, 0.25:-1, 3.0}>", "from": "given"},
         {"tensor": "b", "type": "!quant.uniform<u4:f16:{0:1, 1:32}, {{0x1p-3:8, 1/3}}>", "from": "given", "low": "-1/3", "high": "0x1.8p-40"})");
  const auto set = parse_parameters(text, "p.json");
  ASSERT_TRUE(set) << to_text(set.error());
  ASSERT_EQ(set->tensors.size(), 3u);
  const TensorParameters* x = set->find("x");
  ASSERT_NE(x, nullptr);
  EXPECT_EQ(set->find("y"), nullptr);
  EXPECT_TRUE(x->type.scales[0].value.identical(Real::from_double(0.1)));
  EXPECT_EQ(x->type.zero_points[0].value, Real(3));
  EXPECT_EQ(x->range->low, Real(-3) / Real(2));
  EXPECT_EQ(set->find("w")->type.storage_min, Real(-127));
  EXPECT_EQ(set->find("w")->type.dimensions[0].axis, 3);
  EXPECT_EQ(set->find("w")->type.zero_points[1].value, Real(-1));
  EXPECT_EQ(set->find("b")->type.scales[1].value, Real(1) / Real(3));
  EXPECT_EQ(set->find("b")->type.dimensions[1].block, 32);

  const std::string written = parameters_json(*set);
  const auto again = parse_parameters(written, "again.json");
  ASSERT_TRUE(again) << to_text(again.error()) << written;
  EXPECT_EQ(parameters_json(*again), written);
  EXPECT_EQ(to_text(again->find("w")->type), "!quant.uniform<i8<-127:127>:f32:3, {0.5, 0.25:-1, 3.0}>");
  EXPECT_EQ(again->find("b")->range->low, Real(-1) / Real(3));
  EXPECT_TRUE(again->find("b")->range->high.identical(Real::dyadic(3, -41)));
}

TEST(Parameters, ARangeIsExactAsText) {
  for (const Real& number : {Real(0), Real(-12), Real::from_double(0.1), Real::dyadic(1, -149), Real(1) / Real(3), Real::zero(true), Real::power_of_two(130)}) {
    const auto again = Real::parse(exact_text(number));
    ASSERT_TRUE(again) << exact_text(number);
    EXPECT_TRUE(again->identical(number)) << exact_text(number);
  }
  EXPECT_EQ(exact_text(Real(-3) / Real(2)), "-1.5");
}

struct Fault {
  const char* tensors;
  const char* what;
  const char* place;
};

TEST(Parameters, EachFaultHasItsPlace) {
  const Fault faults[] = {
      {R"({"tensor": "x", "type": "!quant.uniform<i8:f32, 0.1>", "form": "given"})", "did you mean 'from'?", "p.json:/tensors/0/form"},
      {R"({"tensor": "x", "type": "!quant.uniform<i8:f32, 0.1>"})", "key 'from' is missing", "p.json:/tensors/0"},
      {R"({"tensor": "", "type": "!quant.uniform<i8:f32, 0.1>", "from": "given"})", "'tensor' is empty", "p.json:/tensors/0/tensor"},
      {R"({"tensor": "x", "type": "!quant.uniform<i8:f32, 0.1>", "from": 3})", "a string is expected", "p.json:/tensors/0/from"},
      {R"({"tensor": "x", "type": "!quant.uniform<i8:f32, 0.1>", "from": "a"}, {"tensor": "x", "type": "!quant.uniform<i8:f32, 0.1>", "from": "b"})",
       "stands twice", "p.json:/tensors/1/tensor"},
      {R"({"tensor": "x", "type": "i8", "from": "given"})", "not a quantized type", "p.json:/tensors/0/type"},
      {R"({"tensor": "x", "type": "!quant.any<i8:f32>", "from": "given"})", "not a quantized type", "p.json:/tensors/0/type"},
      {R"({"tensor": "x", "type": "!quant.uniform<i9x:f32, 0.1>", "from": "given"})", "unknown storage type 'i9x'", "p.json:/tensors/0/type"},
      {R"({"tensor": "x", "type": "!quant.uniform<i8:f32, 0.1", "from": "given"})", "not a quantized type", "p.json:/tensors/0/type"},
      {R"({"tensor": "x", "type": "!quant.uniform<i8:f32, 0.1>>, %y: tensor<f32>", "from": "given"})", "not a quantized type", "p.json:/tensors/0/type"},
      {R"({"tensor": "x", "type": "!quant.uniform<i8:f32, -0.1>", "from": "given"})", "C5", "p.json:/tensors/0/type"},
      {R"({"tensor": "x", "type": "!quant.uniform<i8:f32, nan>", "from": "given"})", "not a quantized type", "p.json:/tensors/0/type"},
      {R"({"tensor": "x", "type": "!quant.uniform<i8:f32, 0.1:128>", "from": "given"})", "C7", "p.json:/tensors/0/type"},
      {R"({"tensor": "x", "type": "!quant.uniform<i8<5:-5>:f32, 0.1>", "from": "given"})", "C3", "p.json:/tensors/0/type"},
      {R"({"tensor": "x", "type": "!quant.uniform<i8:f32, 0.1>", "from": "given", "low": "2", "high": "-1.5"})", "low 2 is above high -1.5",
       "p.json:/tensors/0/low"},
      {R"({"tensor": "x", "type": "!quant.uniform<i8:f32, 0.1>", "from": "given", "low": "nan", "high": "1"})", "finite", "p.json:/tensors/0/low"},
      {R"({"tensor": "x", "type": "!quant.uniform<i8:f32, 0.1>", "from": "given", "low": "0", "high": "inf"})", "finite", "p.json:/tensors/0/high"},
      {R"({"tensor": "x", "type": "!quant.uniform<i8:f32, 0.1>", "from": "given", "low": "0,5", "high": "1"})", "not a number", "p.json:/tensors/0/low"},
      {R"({"tensor": "x", "type": "!quant.uniform<i8:f32, 0.1>", "from": "given", "low": "0"})", "'low' stands without 'high'", "p.json:/tensors/0"},
      {R"(3)", "an object {...} is expected", "p.json:/tensors/0"},
  };
  for (const Fault& fault : faults) {
    const std::string error = error_of(with_tensors(fault.tensors));
    EXPECT_NE(error.find(fault.what), std::string::npos) << fault.tensors << ": " << error;
    EXPECT_NE(error.find(std::string("(") + fault.place + ")"), std::string::npos) << fault.tensors << ": " << error;
  }
  EXPECT_NE(error_of(R"({"schema": "tiebreak.parameter/1", "model": "", "tensors": []})").find("(p.json:/schema)"), std::string::npos);
  EXPECT_NE(error_of(R"({"schema": "tiebreak.parameters/1", "tensors": []})").find("key 'model' is missing"), std::string::npos);
  EXPECT_NE(error_of(R"({"schema": "tiebreak.parameters/1", "model": "m", "tensors": {}})").find("(p.json:/tensors)"), std::string::npos);
  EXPECT_EQ(error_of(with_tensors("")), "");
  EXPECT_EQ(read_parameters("/nowhere/p.json").error().code, Errc::io);
}

}  // namespace
}  // namespace tiebreak
