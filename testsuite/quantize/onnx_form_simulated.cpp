// SPDX-License-Identifier: Apache-2.0
// Contractions of codes carried in f32, the terms of the zero points written out:
//   sum((x - zx) * (w - zw)) = sum(x * w) - zx * sum(w) - zw * sum(x) + zx * zw * n
// Each term is a sum in f32, so that a sum beyond 2^24 may differ from the one in integers.
#include "testsuite/quantize/onnx_contraction.hpp"

namespace tiebreak {
namespace {

/// How many products a sum has, 0 where that is not known.
std::int64_t summed_products(const Shape& shape, bool is_conv, bool turned) {
  if (shape.empty()) return 0;
  if (!is_conv) return turned ? shape[1] : shape[shape.size() - 2];
  std::int64_t count = 1;
  for (std::size_t d = 1; d < shape.size(); ++d) count *= shape[d];
  return count;
}

bool pads_by_itself(const AttributeMap& attributes) {
  const auto found = attributes.find("auto_pad");
  if (found == attributes.end()) return false;
  const auto word = found->second.as_string();
  return word && *word != "NOTSET" && *word != "VALID";
}

}  // namespace

/// Codes with a border of zero points in place of the convolution's own padding, which would put the code 0 there.
Result<ValueId> OnnxFormWriter::padded(const Contraction& c, ValueId codes, AttributeMap& attributes) {
  const auto found = attributes.find("pads");
  const auto pads = found == attributes.end() ? std::nullopt : found->second.as_integers();
  if (!pads || std::ranges::all_of(*pads, [](std::int64_t pad) { return pad == 0; })) return codes;
  attributes.erase("pads");
  const std::size_t half_count = pads->size() / 2;
  std::vector<std::int64_t> amounts(2 * half_count + 4, 0);
  for (std::size_t d = 0; d < half_count; ++d) {
    amounts[2 + d] = (*pads)[d];
    amounts[4 + half_count + d] = (*pads)[half_count + d];
  }
  return out_.add("onnx.Pad", name(c.x) + ".q.padded", {codes, out_.constant(c.stem + ".pads", list_tensor(amounts)), c.x_zero_point});
}

Status OnnxFormWriter::simulated_contraction(Contraction& c) {
  const auto axes = [&](const std::string& word, std::vector<std::int64_t> values) { return out_.constant(word, list_tensor(values)); };
  if (c.dynamic()) {
    c.x_codes = out_.add("onnx.Cast", name(c.x) + ".q.f32", {c.x_codes}, {{"to", Attribute{f32_type()}}});
    c.x_zero_point = out_.add("onnx.Cast", name(c.x) + ".zero_point.f32", {c.x_zero_point}, {{"to", Attribute{f32_type()}}});
  } else {
    TIEBREAK_TRY(x, codes(c.x));
    c.x_codes = x;
    c.x_zero_point = zero_point_of(name(c.x), *type(c.x), f32_type());
  }
  TIEBREAK_TRY(w, weight_codes(c));
  bool x_moves = c.dynamic() || has_zero_point(*type(c.x));
  const bool w_moves = has_zero_point(*c.w_type);
  const std::int64_t products = summed_products(c.w_shape, c.is_conv, c.turned);
  AttributeMap attributes = c.operation.attributes;
  ValueId x = c.x_codes;
  if (x_moves && (pads_by_itself(attributes) || (w_moves && products == 0))) {  // the border, or n, is not known here
    x = out_.add("onnx.Sub", c.stem + ".whole", {x, c.x_zero_point});
    x_moves = false;
  }
  if (c.is_conv && x_moves) {
    TIEBREAK_TRY(wide, padded(c, x, attributes));
    x = wide;
  }
  struct Term {
    const char* op;
    ValueId value;
  };
  std::vector<Term> terms;
  const auto channels = static_cast<std::int64_t>(c.w_type->scales.size());
  const Shape beside = c.w_type->is_per_tensor() ? Shape{} : c.beside_result(channels);
  ValueId w_zero_point = -1;
  if (w_moves) {
    std::vector<Real> zero_points;
    for (const ZeroPoint& zero_point : c.w_type->zero_points) zero_points.push_back(zero_point.value);
    w_zero_point = out_.constant(name(c.w) + ".zero_point", f32_tensor(zero_points, beside));
  }
  if (x_moves) {
    ValueId sums = -1;
    if (c.is_conv) {
      std::vector<std::int64_t> inner;
      for (std::size_t d = 1; d < c.w_shape.size(); ++d) inner.push_back(static_cast<std::int64_t>(d));
      const ValueId flat = out_.add("onnx.ReduceSum", name(c.w) + ".q.flat_sums", {w, axes(c.stem + ".axes", inner)}, {{"keepdims", Attribute{Real(0)}}});
      const Shape shape = c.beside_result(c.w_shape[0]);
      sums = out_.add("onnx.Reshape", name(c.w) + ".q.sums", {flat, axes(c.stem + ".channels", {shape.begin(), shape.end()})});
    } else {
      sums = out_.add("onnx.ReduceSum", name(c.w) + ".q.sums", {w, axes(c.stem + ".axes", {c.turned ? 1 : -2})},
                      {{"keepdims", Attribute{Real(c.operation.op == "onnx.MatMul" ? 1 : 0)}}});
    }
    terms.push_back({"onnx.Sub", out_.add("onnx.Mul", c.stem + ".x_term", {c.x_zero_point, sums})});
  }
  if (w_moves) {
    ValueId sums = -1;
    if (c.is_conv) {
      const auto count = static_cast<std::size_t>(products * c.w_shape[0]);
      const ValueId ones = out_.constant(name(c.w) + ".ones", f32_tensor(std::vector<Real>(count, Real(1)), c.w_shape));
      sums = out_.add("onnx.Conv", c.stem + ".x_sums", {x, ones}, attributes);
    } else {
      sums = out_.add("onnx.ReduceSum", c.stem + ".x_sums", {x, axes(c.stem + ".x_axes", {-1})}, {{"keepdims", Attribute{Real(1)}}});
    }
    terms.push_back({"onnx.Sub", out_.add("onnx.Mul", c.stem + ".w_term", {w_zero_point, sums})});
  }
  if (x_moves && w_moves) {
    const ValueId both = out_.add("onnx.Mul", c.stem + ".zero_points", {c.x_zero_point, w_zero_point});
    terms.push_back({"onnx.Add", out_.add("onnx.Mul", c.stem + ".both_term", {both, number(c.stem + ".products", Real(products))})});
  }
  if (c.has_bias_codes()) {
    TIEBREAK_TRY(bias, bias_codes(semantics_, *source(c.b).constant, *type(c.x), *c.w_type, c.operation.where));
    std::vector<Real> numbers;
    for (std::int64_t i = 0; i < bias.codes.size(); ++i) numbers.push_back(bias.codes.value(i));
    terms.push_back({"onnx.Add", out_.constant(name(c.b) + ".q", f32_tensor(numbers, c.beside_result(bias.codes.size())))});
  }
  ValueId sum = out_.add(c.operation.op, terms.empty() ? c.stem + ".acc" : c.stem + ".dot", {x, w}, attributes);
  for (std::size_t t = 0; t < terms.size(); ++t)
    sum = out_.add(terms[t].op, c.stem + (t + 1 == terms.size() ? ".acc" : ".acc" + std::to_string(t)), {sum, terms[t].value});
  return from_accumulator(c, sum);
}

}  // namespace tiebreak
