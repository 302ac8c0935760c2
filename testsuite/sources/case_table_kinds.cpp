// SPDX-License-Identifier: Apache-2.0
// A table of what compilers derive and fold: quantized constants, types of ranges, scales of weights and biases, fixed ranges. Each kind of row
// is a call of a page of quant, and what it expects belongs to the profile of the compiler that the kind is from.
#include "testsuite/sources/case_table_row.hpp"

namespace tiebreak {
namespace {

constexpr const char* folded_profile = "mlir-const";
constexpr const char* converter = "litert-converter";
constexpr const char* weights = "litert-converter-weights";

Status quantize_constant(const Library& library, const JsonValue& row, Case& test) {
  return RowCall(row, "quant.quantize")
      .operand("x", "f32", "input")
      .operand("scale", "f64", "attrs/scale")
      .operand("zero_point", "i32", "attrs/zero_point")
      .type("output_dtype", word_at(row, "attrs/storage"))
      .attribute("least", "attrs/storage_min")
      .attribute("greatest", "attrs/storage_max")
      .expect(folded_profile, "code", "expected")
      .build(library, test);
}

Status quantize_constant_per_axis(const Library& library, const JsonValue& row, Case& test) {
  return RowCall(row, "quant.quantize")
      .operand("x", "f32", "input")
      .operand("scale", "f64", "attrs/scales")
      .operand("zero_point", "i32", "attrs/zero_points")
      .type("output_dtype", word_at(row, "attrs/storage"))
      .attribute("axis", "attrs/axis")
      .expect(folded_profile, "code", "expected")
      .build(library, test);
}

/// The row's ranges are of f32, and so is what the op takes.
Status fake_quantize_type(const Library& library, const JsonValue& row, const std::string& profile, Case& test) {
  TIEBREAK_TRY(is_signed, value_at(row, "attrs/is_signed"));
  TIEBREAK_TRY(bits, value_at(row, "attrs/num_bits"));
  TIEBREAK_TRY(narrow, value_at(row, "attrs/narrow_range"));
  return RowCall(row, "quant.parameters")
      .operand("low", "f32", "attrs/min")
      .operand("high", "f32", "attrs/max")
      .type("storage", (is_signed->truth ? "i" : "u") + bits->text)
      .attribute("narrow", Attribute{narrow->truth})
      .expect(profile, "scale", "expected/scale")
      .expect(profile, "zero_point", "expected/zero_point")
      .build(library, test);
}

/// Weights are symmetric about zero, so that any range with this largest magnitude will do.
Status weight_scale(const Library& library, const JsonValue& row, Case& test) {
  TIEBREAK_TRY(magnitude, number_at(row, "attrs/max_abs"));
  TIEBREAK_TRY(storage, word_at(row, "attrs/storage"));
  return RowCall(row, "quant.parameters")
      .operand("low", "f32", Result<Real>(-magnitude))
      .operand("high", "f32", Result<Real>(magnitude / Real(2)))
      .type("storage", storage.substr(0, storage.find('<')))
      .attribute("narrow", Attribute{true})
      .expect(weights, "scale", "expected/scale")
      .expect(weights, "zero_point", "expected/zero_point")
      .build(library, test);
}

Status bias_scale(const Library& library, const JsonValue& row, Case& test) {
  return RowCall(row, "quant.bias")
      .operand("value", "f32", Result<Real>(0))
      .operand("x_scale", "f64", "attrs/input_scale")
      .operand("w_scale", "f64", "attrs/weight_scale")
      .expect(converter, "scale", "expected/scale")
      .build(library, test);
}

Status fixed_range(const Library& library, const JsonValue& row, const JsonValue& one, Case& test) {
  TIEBREAK_TRY(function, word_at(one, "op"));
  TIEBREAK_TRY(is_signed, value_at(one, "signed"));
  TIEBREAK_TRY(bits, value_at(one, "bits"));
  test.description = text_or_empty(row, "source");
  return RowCall(one, "quant.fixed_range")
      .operand("x", "f32", Result<Real>(0))
      .attribute("function", Attribute{function.substr(function.find('.') + 1)})
      .type("storage", (is_signed->truth ? "i" : "u") + bits->text)
      .expect(converter, "scale", "scale")
      .expect(converter, "zero_point", "zero_point")
      .build(library, test);
}

/// Where a row has no bound, there is none.
Result<Real> bound_at(const JsonValue& one, const std::string& place, bool negative) {
  TIEBREAK_TRY(value, value_at(one, place));
  if (value->is(JsonValue::Kind::null)) return Real::infinity(negative);
  return number_at(one, place);
}

Status activation_range(const Library& library, const JsonValue& row, const JsonValue& one, Case& test) {
  return RowCall(one, "quant.activation_range")
      .operand("least", "f32", bound_at(one, "rmin", true))
      .operand("greatest", "f32", bound_at(one, "rmax", false))
      .operand("scale", "f64", number_at(row, "scale"))
      .operand("zero_point", "i32", "zero_point")
      .expect(converter, "low", "qmin")
      .expect(converter, "high", "qmax")
      .build(library, test);
}

/// A number and what several systems make of it: a column each.
Status quantize_by_column(const Library& library, const JsonValue& one, const Result<std::string>& storage, const std::map<std::string, std::string>& profiles,
                          Case& test) {
  RowCall call(one, "quant.quantize");
  call.operand("x", "f32", "x").operand("scale", "f64", "scale").operand("zero_point", "i32", "zero_point").type("output_dtype", storage);
  for (const auto& [column, profile] : profiles) call.expect(profile, "code", column);
  return call.build(library, test);
}

Status lowering(const Library& library, const JsonValue&, const JsonValue& one, Case& test) {
  return quantize_by_column(library, one, std::string("i8"),
                            {{"lower_quant_ops_truncation", "mlir-lower-quant-ops"},
                             {"half_away_then_zp", "armnn-cpuref"},
                             {"rne_then_zp", "coreml"},
                             {"half_away_after_zp", "tvm-0.8"}},
                            test);
}

Status two_paths(const Library& library, const JsonValue&, const JsonValue& one, Case& test) {
  return quantize_by_column(library, one, word_at(one, "storage"), {{"generic_apfloat_path", "mlir-const-generic"}, {"fast_8bit_f32_path", "mlir-const-8bit"}},
                            test);
}

Status bisected(const Library&, const JsonValue&, const JsonValue&, Case&) { return fail(Errc::unsupported, "parameters found by bisection have no page"); }

Status bisected_bias(const Library& library, const JsonValue& example, Case& test) {
  return RowCall(example, "quant.bias")
      .operand("value", "f32", "values")
      .operand("x_scale", "f64", "scale")
      .operand("w_scale", "f64", Result<Real>(1))
      .expect(converter, "code", "expected")
      .build(library, test);
}

const std::map<std::string, ReadRow>& rows_of_one_call() {
  static const std::map<std::string, ReadRow> kinds{
      {"quantize_const", quantize_constant},
      {"quantize_const_per_axis", quantize_constant_per_axis},
      {"fake_quant_to_type", [](const Library& library, const JsonValue& row, Case& test) { return fake_quantize_type(library, row, folded_profile, test); }},
      {"fake_quant_low_bits", [](const Library& library, const JsonValue& row, Case& test) { return fake_quantize_type(library, row, converter, test); }},
      {"fake_quant_near_zero", [](const Library& library, const JsonValue& row, Case& test) { return fake_quantize_type(library, row, converter, test); }},
      {"symmetric_weight_scale", weight_scale},
      {"bias_scale", bias_scale},
  };
  return kinds;
}

/// Rows that hold a list of calls in "expected".
using ReadPart = std::function<Status(const Library&, const JsonValue& row, const JsonValue& one, Case&)>;
const std::map<std::string, ReadPart>& rows_of_many_calls() {
  static const std::map<std::string, ReadPart> kinds{{"fixed_output_range", fixed_range},
                                                     {"activation_range", activation_range},
                                                     {"qcast_lowering_derived", lowering},
                                                     {"uniform_support_derived", two_paths},
                                                     {"historical_solver", bisected}};
  return kinds;
}

Status add_row(const Library& library, const JsonValue& row, TableCases& cases) {
  TIEBREAK_TRY(id, text_at(row, "id"));
  TIEBREAK_TRY(kind, text_at(row, "kind"));
  const std::string source = text_or_empty(row, "source");
  if (const auto many = rows_of_many_calls().find(kind); many != rows_of_many_calls().end()) {
    TIEBREAK_TRY(parts, array_at(row, "expected"));
    for (std::size_t i = 0; i < parts->items.size(); ++i)
      cases.add(id + "/" + std::to_string(i), source, [&](Case& test) { return many->second(library, row, parts->items[i], test); });
    if (const JsonValue* bias = row.find("bias_example")) cases.add(id + "/bias", source, [&](Case& test) { return bisected_bias(library, *bias, test); });
    return {};
  }
  const auto one = rows_of_one_call().find(kind);
  cases.add(id, source, [&](Case& test) {
    return one == rows_of_one_call().end() ? fail(Errc::unsupported, "rows of the kind '" + kind + "' have no page", row.where)
                                           : one->second(library, row, test);
  });
  return {};
}

}  // namespace

bool is_kind_table(const JsonValue& root) { return text_or_empty(root, "schema") == "mlir-quant/1" && root.find("cases") != nullptr; }

Result<CaseList> read_kind_table(const Library& library, const JsonValue& root, const std::string& path, const CaseFilter& wanted) {
  TIEBREAK_TRY(rows, array_at(root, "cases"));
  TableCases cases(path, wanted);
  for (const JsonValue& row : rows->items) TIEBREAK_CHECK(add_row(library, row, cases));
  return cases.take();
}

}  // namespace tiebreak
