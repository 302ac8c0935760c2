// SPDX-License-Identifier: Apache-2.0
// Exchange files for tests: one small, one with every kind of thing that the layout has a place for.
// Values are small and odd on purpose: signed zeros, nan, codes at the ends of their range.
#include <limits>

#include "testsuite/unit/exchange/sample.hpp"

namespace tiebreak::sample {
namespace {

QuantizedType quantized(const std::string& storage, const std::vector<std::string>& scales, const std::vector<std::int64_t>& zero_points) {
  QuantizedType type;
  type.storage = *ElementType::parse(storage);
  type.storage_min = type.storage.min();
  type.storage_max = type.storage.max();
  type.expressed = *ElementType::parse("f32");
  for (const std::string& scale : scales) type.scales.push_back({*Real::parse(scale)});
  for (std::int64_t zero_point : zero_points) type.zero_points.push_back({Real(zero_point)});
  return type;
}

TensorType with(TensorType type, QuantizedType quantization) {
  type.quantized = std::move(quantization);
  return type;
}

AttributeMap every_attribute() {
  return {{"axis", {Real(-1)}},
          {"none", {}},
          {"truth", {true}},
          {"tenth", {*Real::parse("0.1")}},
          {"third", {*Real::parse("1/3")}},
          {"minus_zero", {Real::zero(true)}},
          {"infinite", {Real::infinity(true)}},
          {"not_a_number", {Real::nan()}},
          {"large", {Real::from_unsigned(std::numeric_limits<std::uint64_t>::max())}},
          {"mode", {std::string("round \"half\"\n\\ \xc3\xa9")}},
          {"zero byte", {std::string("a\0", 2)}},
          {"empty", {std::string()}},
          {"to", {*ElementType::parse("f8e4m3fn")}},
          {"pads", Attribute::integers({0, 1, -2})},
          {"no_pads", Attribute::integers({})},
          {"alphas", {AttributeList{{Real(1)}, {*Real::parse("0.5")}}}},
          {"words", {AttributeList{{std::string("same")}, {std::string("valid, or not")}}}},
          {"mixed", {AttributeList{{Real(1)}, {std::string("one")}, {counted(type_of("i8", {2}))}, {AttributeMap{{"k", {false}}}}}}},
          {"dictionary", {AttributeMap{{"a", {Real(1)}}, {"b c", {AttributeMap{}}}}}},
          {"value", {counted(type_of("f32", {2, 2}))}}};
}

}  // namespace

ExchangeFile small_golden() {
  ExchangeFile file;
  file.kind = "golden";
  file.context = {{"tool_version", "0.1.0"}, {"spec_hash", "ab12"}, {"seed", "1"}};
  file.cases = {quantize_case("onnx.QuantizeLinear/ties/2", {0.5F, 1.5F, 2.5F, -1}, 1, 3), quantize_case("onnx.QuantizeLinear/ties/1", {7}, 0.5F, 0)};
  file.cases[0].clauses = {"order=after", "tie=even"};
  ExchangeTensor& y = file.cases[0].outputs[0];
  y.tensor = bytes("u8", {3, 5, 5, 2}, {4});
  y.undefined = {0, 0, 0, 1};
  y.before = {{0.5, 0}, {1.5, 0}, {2.5, 1e-20}, {-1, 0}};
  y.distance = {0, 0, 0, std::numeric_limits<double>::quiet_NaN()};
  return file;
}

ExchangeFile full_golden() {
  ExchangeFile file = small_golden();
  ExchangeCase types;
  types.id = "types/all";
  types.constants = {{"constant_0", counted(type_of("i8", {3}))}};
  for (const char* word :
       {"bool",   "i1",     "u1",     "i2",    "u3",   "i4",  "u4",   "i8",     "u8",     "i12",    "i16",      "u16",        "i32",        "u32",
        "i64",    "u64",    "f64",    "f32",   "tf32", "f16", "bf16", "f8e5m2", "f8e4m3", "f8e3m4", "f8e4m3fn", "f8e4m3fnuz", "f8e5m2fnuz", "f8e4m3b11fnuz",
        "f6e3m2", "f6e2m3", "f4e2m1", "f8e8m0"}) {
    types.inputs.push_back(named(word, counted(type_of(word, {2, 3}), 37)));
  }
  types.inputs.push_back(named("", counted(type_of("u8", {}))));
  types.inputs.push_back(named(".", counted(type_of("u8", {0, 4}))));
  types.inputs.push_back(named("layer/1:0 %", counted(type_of("i8", {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2}))));
  QuantizedType narrow = quantized("i8", {"1/3"}, {-7});
  narrow.storage_min = Real(-127);
  QuantizedType axis = quantized("u4", {"0.1", "0x1.8p-30", "3"}, {0, 15, 8});
  axis.dimensions = {{1, 1}};
  axis.parameter_shape = {3};
  QuantizedType blocks = quantized("i8", {"1", "2", "3", "4"}, {0, 1, 2, 3});
  blocks.dimensions = {{0, 1}, {1, 2}};
  blocks.parameter_shape = {2, 2};
  types.inputs.push_back(named("narrow", counted(with(type_of("i8", {2, 3}), narrow))));
  types.inputs.push_back(named("axis", counted(with(type_of("u4", {2, 3}), axis))));
  types.inputs.push_back(named("blocks", counted(with(type_of("i8", {2, 4}), blocks))));
  types.attributes = every_attribute();
  types.attributes["quantized"] = {counted(with(type_of("i8", {2, 3}), narrow))};
  types.outputs = {named("scalar", floats({-0.0F}, {}))};
  types.outputs[0].before = {{0.25, 0}};
  types.outputs[0].distance = {-0.25};
  types.outputs[0].undefined = {1};
  file.cases.push_back(types);
  return file;
}

}  // namespace tiebreak::sample
