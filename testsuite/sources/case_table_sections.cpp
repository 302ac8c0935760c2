// SPDX-License-Identifier: Apache-2.0
// A table with a section for each tested file: TensorFlow Lite's multipliers, row quantization and QUANTIZE, gemmlowp's data, blocks with a
// shared exponent, conversions to small floats. Every row is a call of a page under the profile of the system that its section is from.
#include <algorithm>

#include "testsuite/sources/case_table_row.hpp"

namespace tiebreak {
namespace {

Status without_page(const std::string& what) { return fail(Errc::unsupported, what + " is no op of a page"); }

Status multiplied(const Library& library, const JsonValue& row, const std::string& type, const std::string& profile, Case& test) {
  return RowCall(row, "quant.requantize")
      .operand("acc", type, "x")
      .operand("x_scale", "f64", "real")
      .type("output_dtype", std::string("int32"))
      .expect(profile, "y", "expected")
      .build(library, test);
}

/// The table counts shifts to the right.
Status inverse_root(const Library& library, const JsonValue& row, Case& test) {
  return RowCall(row, "quant.inverse_sqrt")
      .operand("x", "i32", "input")
      .attribute("reverse_shift", Attribute{Real(1)})
      .expect("", "multiplier", "multiplier")
      .expect("", "shift", "shift")
      .build(library, test);
}

Status input_radius(const Library& library, const JsonValue& row, Case& test) {
  return RowCall(row, "quant.input_radius")
      .operand("integer_bits", "i32", "int_bits")
      .operand("left_shift", "i32", "left_shift")
      .expect("", "radius", "expected")
      .build(library, test);
}

/// A number that the source prints with few digits: all that prints so.
Result<StatedOutput> printed(const std::string& output, const JsonValue& row, const std::string& place) {
  TIEBREAK_TRY(value, value_at(row, place));
  TIEBREAK_TRY(number, number_at(row, place));
  const std::size_t point = value->text.find('.');
  Real half = Real(1) / Real(2);
  for (std::size_t i = point; i != std::string::npos && i + 1 < value->text.size(); ++i) half = half / Real(10);
  return StatedOutput{output, {(number - half).to_string() + " .. " + (number + half).to_string()}, false, value->where};
}

Status u8_parameters(const Library& library, const JsonValue& row, Case& test) {
  return RowCall(row, "quant.parameters")
      .operand("low", "f32", "rmin")
      .operand("high", "f32", "rmax")
      .expect("tflite-quantize-ref", printed("scale", row, "scale"))
      .expect("tflite-quantize-ref", "zero_point", "zero_point")
      .build(library, test);
}

Status quantized_row(const Library& library, const JsonValue& row, const std::string& profile, Case& test) {
  RowCall call(row, "quant.dynamic");
  call.operand("x", "f32", "input").expect(profile, "codes", "expected");
  if (row.find("scaling_factor") != nullptr) call.expect(profile, "scale", "scaling_factor");
  if (row.find("offset") != nullptr) call.expect(profile, "zero_point", "offset");
  return call.build(library, test);
}

/// INT8 -> int8
Result<std::string> lower_case(Result<std::string> word) {
  if (word) std::ranges::transform(*word, word->begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return word;
}

Status quantized(const Library& library, const JsonValue& row, Case& test) {
  return RowCall(row, "quant.quantize")
      .operand("x", "f32", "input")
      .operand("scale", "f32", "output_scale")
      .operand("zero_point", "i32", "output_zp")
      .type("output_dtype", lower_case(word_at(row, "output_type")))
      .expect("tflite-quantize-ref", "code", "expected")
      .build(library, test);
}

/// The values are written flat, though the source's tensor has as many rows as scales.
Status quantized_by_channel(const Library& library, const JsonValue& row, Case& test) {
  TIEBREAK_TRY(values, numbers_at(row, "input"));
  TIEBREAK_TRY(scales, numbers_at(row, "scales"));
  if (scales.empty()) return fail(Errc::type, "there are no scales", row.where);
  const auto rows = static_cast<std::int64_t>(scales.size()), columns = static_cast<std::int64_t>(values.size()) / rows;
  return RowCall(row, "quant.quantize")
      .operand("x", tensor_of(values, "f32", {rows, columns}, row.where))
      .operand("scale", "f32", "scales")
      .operand("zero_point", "i32", "zero_points")
      .type("output_dtype", lower_case(word_at(row, "output_type")))
      .attribute("axis", "axis")
      .expect("tflite-quantize-ref", "code", "expected")
      .build(library, test);
}

/// Codes of the input are accumulators once its zero point is taken off.
Status requantized(const Library& library, const JsonValue& row, const std::string& profile, Case& test) {
  TIEBREAK_TRY(codes, numbers_at(row, "input"));
  TIEBREAK_TRY(zero_point, number_at(row, "input_zp"));
  for (Real& code : codes) code = code - zero_point;
  const auto count = static_cast<std::int64_t>(codes.size());
  return RowCall(row, "quant.requantize")
      .operand("acc", tensor_of(codes, "i32", {count}, row.where))
      .operand("x_scale", "f32", "input_scale")
      .operand("y_scale", "f32", "output_scale")
      .operand("y_zero_point", "i32", "output_zp")
      .type("output_dtype", lower_case(word_at(row, "output_type")))
      .expect(profile, "y", "expected")
      .build(library, test);
}

Status quantize_op(const Library& library, const JsonValue& row, const std::string& requantize_profile, Case& test) {
  TIEBREAK_TRY(op, text_at(row, "op"));
  if (op == "QUANTIZE") return quantized(library, row, test);
  if (op == "QUANTIZE_per_channel") return quantized_by_channel(library, row, test);
  return requantized(library, row, requantize_profile, test);
}

Status gemmlowp_data(const Library& library, const JsonValue& section, Case& test) {
  return RowCall(section, "quant.requantize_integer")
      .operand("acc", "i32", "acc")
      .operand("multiplier", "i32", Result<Real>(3401))
      .operand("shift", "i32", Result<Real>(31 - 21))
      .operand("y_zero_point", "i32", Result<Real>(74980))
      .type("output_dtype", std::string("uint8"))
      .expect("gemmlowp-legacy", "y", "expected")
      .build(library, test);
}

/// A block of codes: the scale's exponent, and the elements.
Status block(const JsonValue& row, const Library& library, const Result<Tensor>& values, const std::string& profile, const std::vector<Real>& codes,
             const Real& scale, Case& test) {
  return RowCall(row, "quant.mx")
      .operand("x", values)
      .type("value", std::string("float8e4m3fn"))
      .expect(profile, "y", tensor_of_codes(codes, "f8e4m3fn", row.where))
      .expect(profile, "s", tensor_of_codes({scale}, "f8e8m0", row.where))
      .build(library, test);
}

Result<std::string> short_type(const JsonValue& row) {
  TIEBREAK_TRY(word, text_at(row, "input_dtype"));
  TIEBREAK_TRY(type, table_type(word, row.where));
  return type.name();
}

/// A row whose block has no scale says in words that it is not a number, and so are its elements.
Status block_of_codes(const Library& library, const JsonValue& row, Case& test) {
  TIEBREAK_TRY(bits, numbers_at(row, "input_bits"));
  TIEBREAK_TRY(type, short_type(row));
  if (row.find("expected_scale") != nullptr)
    return block(row, library, tensor_of_codes(bits, type, row.where), "mx-rceil", std::vector<Real>(bits.size(), Real(0x7f)), Real(0xff), test);
  TIEBREAK_TRY(codes, numbers_at(row, "expected_codes"));
  TIEBREAK_TRY(scale, number_at(row, "expected_scale_e8m0"));
  return block(row, library, tensor_of_codes(bits, type, row.where), "mx-rceil", codes, scale, test);
}

/// Two values: the first once, the second 31 times.
Status block_of_two(const Library& library, const JsonValue& row, Case& test) {
  TIEBREAK_TRY(values, numbers_at(row, "input_hex"));
  TIEBREAK_TRY(codes, numbers_at(row, "expected_codes_first_two"));
  TIEBREAK_TRY(scale, number_at(row, "expected_scale_e8m0"));
  TIEBREAK_TRY(type, short_type(row));
  if (values.size() != 2 || codes.size() != 2) return fail(Errc::type, "two values and two codes are expected", row.where);
  values.resize(32, values[1]);
  codes.resize(32, codes[1]);
  return block(row, library, tensor_of(values, type, {32}, row.where), text_or_empty(row, "mode") == "floor" ? "mx-ocp-floor" : "mx-rceil", codes, scale, test);
}

/// A value and its negative, whose code has the sign bit set. Both saturate.
Status four_bits(const Library& library, const JsonValue& row, Case& test) {
  TIEBREAK_TRY(value, number_at(row, "x"));
  TIEBREAK_TRY(code, number_at(row, "code"));
  return RowCall(row, "onnx.Cast")
      .operand("input", tensor_of({value, -value}, "f32", {2}, row.where))
      .attribute("to", Attribute{*ElementType::parse("f4e2m1")})
      .expect("onnx", "output", tensor_of_codes({code, code + Real(8)}, "f4e2m1", row.where))
      .build(library, test);
}

Status six_bits(const Library& library, const JsonValue& row, Case& test) {
  TIEBREAK_TRY(value, number_at(row, "x"));
  TIEBREAK_TRY(code, number_at(row, "code"));
  return RowCall(row, "stablehlo.convert")
      .operand("operand", tensor_of({value, -value}, "f32", {2}, row.where))
      .result("f6e3m2", {2})
      .expect("stablehlo-spec", "result", tensor_of_codes({code, code + Real(32)}, "f6e3m2", row.where))
      .build(library, test);
}

/// float8_e4m3fn -> f8e4m3fn
std::string small_float(std::string word) {
  std::erase(word, '_');
  return word.starts_with("float") ? "f" + word.substr(5) : word;
}

/// Nearest even, by the format's own overflow, or saturating; what is cut has no op.
Status converted(const Library& library, const JsonValue& row, Case& test) {
  TIEBREAK_TRY(op, text_at(row, "op"));
  TIEBREAK_TRY(word, text_at(row, "type"));
  if (op.find("trunc=1") != std::string::npos) return without_page("a conversion that cuts");
  const std::string type = small_float(word);
  const bool by_bits = row.find("x_bits") != nullptr, saturates = op.find("sat=1") != std::string::npos;
  TIEBREAK_TRY(x, number_at(row, by_bits ? "x_bits" : "x_hex"));
  const Result<Tensor> operand = by_bits ? tensor_of_codes({x}, "f16", row.where) : tensor_of({x}, "f32", {1}, row.where);
  Result<Tensor> expected = tl::unexpected<Error>({Errc::syntax, "neither a code nor a value is expected", row.where});
  if (row.find("code") != nullptr) {
    TIEBREAK_TRY(code, number_at(row, "code"));
    expected = tensor_of_codes({code}, type, row.where);
  } else {
    TIEBREAK_TRY(value, number_at(row, "value_hex"));
    expected = tensor_of({value}, type, {1}, row.where);
  }
  if (!saturates)
    return RowCall(row, "stablehlo.convert").operand("operand", operand).result(type, {1}).expect("stablehlo-spec", "result", expected).build(library, test);
  const auto to = table_type(type, row.where);
  if (!to) return tl::unexpected<Error>(to.error());
  return RowCall(row, "onnx.Cast").operand("input", operand).attribute("to", Attribute{*to}).expect("onnx", "output", expected).build(library, test);
}

/// Lists of rows by their place in the table.
const std::vector<std::pair<std::string, ReadRow>>& lists_of_rows() {
  static const auto no_pair = [](const Library&, const JsonValue&, Case&) { return without_page("a multiplier with its shift"); };
  static const auto by = [](auto function, const auto&... words) {
    return [=](const Library& library, const JsonValue& row, Case& test) { return function(library, row, std::string(words)..., test); };
  };
  static const std::vector<std::pair<std::string, ReadRow>> lists{
      {"quantization_util/quantize_multiplier", no_pair},
      {"quantization_util/get_inv_sqrt_quantized_multiplier_exp/cases", inverse_root},
      {"quantization_util/multiply_by_quantized_multiplier_int32", by(multiplied, "i32", "tflite-ref-double")},
      {"quantization_util/multiply_by_quantized_multiplier_int64", by(multiplied, "i64", "tflite-int16x8-bias64")},
      {"quantization_util/preprocess_softmax_scaling/double_rounding", no_pair},
      {"quantization_util/preprocess_softmax_scaling/single_rounding", no_pair},
      {"quantization_util/calculate_input_radius", input_radius},
      {"quantization_util/choose_quantization_params_uint8", u8_parameters},
      {"tensor_utils/symmetric_quantize_floats", by(quantized_row, "tflite-hybrid-sym")},
      {"tensor_utils/asymmetric_quantize_floats", by(quantized_row, "tflite-hybrid-asym-portable")},
      {"litert_quantize_op/cases", by(quantize_op, "tflite-ref-double")},
      {"tflm_quantize_op/cases", by(quantize_op, "tflm-cmsis-nn")},
      {"torchao_mx/to_mx_rceil", block_of_codes},
      {"torchao_mx/mxfp8_semantic_cases", block_of_two},
      {"torchao_mx/f32_to_e8m0_rceil", [](const Library&, const JsonValue&, Case&) { return without_page("a conversion to a scale, rounded up,"); }},
      {"torchao_mx/f32_to_fp4_e2m1/cases", four_bits},
      {"torchao_mx/f32_to_fp6_e3m2/cases", six_bits},
      {"ml_dtypes/conversions", converted},
  };
  return lists;
}

constexpr const char* whole_section = "gemmlowp_real_data";  // one row

bool is_read(const std::string& place) {
  const auto begins = [&](const auto& list) { return list.first == place || list.first.starts_with(place + "/"); };
  return place.starts_with(whole_section) || std::ranges::any_of(lists_of_rows(), begins);
}

/// What a section has besides rows: facts of formats, rules in words. Each is counted, so that nothing is left out in silence.
void add_unread(const JsonValue& root, TableCases& cases) {
  for (std::size_t i = 0; i < root.keys.size(); ++i)
    for (std::size_t k = 0; root.keys[i] != "meta" && k < root.items[i].keys.size(); ++k) {
      const JsonValue& part = root.items[i].items[k];
      const std::string place = root.keys[i] + "/" + root.items[i].keys[k];
      const bool words = part.is(JsonValue::Kind::array) && !part.items.empty() && part.items.front().is(JsonValue::Kind::string);
      if (part.items.empty() || words || is_read(place)) continue;
      cases.add(place, "", [](Case&) { return fail(Errc::unsupported, "facts that are no rows of a call"); });
    }
}

}  // namespace

bool is_section_table(const JsonValue& root) {
  return root.find("meta") != nullptr && root.find("cases") == nullptr &&
         std::ranges::any_of(lists_of_rows(), [&](const auto& list) { return value_at(root, list.first).has_value(); });
}

Result<CaseList> read_section_table(const Library& library, const JsonValue& root, const std::string& path, const CaseFilter& wanted) {
  TableCases cases(path, wanted);
  for (const auto& entry : lists_of_rows()) {
    const std::string& place = entry.first;
    const ReadRow& read_row = entry.second;
    const Result<const JsonValue*> list = value_at(root, place);
    if (!list) continue;
    const std::string name = place.ends_with("/cases") ? place.substr(0, place.size() - 6) : place;
    for (std::size_t i = 0; i < (*list)->items.size(); ++i) {
      const JsonValue& row = (*list)->items[i];
      cases.add(name + "/" + std::to_string(i), text_or_empty(row, "test"), [&](Case& test) { return read_row(library, row, test); });
    }
  }
  if (const JsonValue* data = root.find(whole_section))
    cases.add(whole_section, text_or_empty(*data, "source"), [&](Case& test) { return gemmlowp_data(library, *data, test); });
  add_unread(root, cases);
  return cases.take();
}

}  // namespace tiebreak
