// SPDX-License-Identifier: Apache-2.0
// Conversions between f32 and 8 bits, and the elementwise add and multiply.
#include "tools/adapters/xnnpack/kernels.hpp"

namespace tiebreak::xnnpack {
namespace {

template <class Code, class Create, class Setup>
Result<OpAnswer> to_codes(const std::string& name, const QuantizeOp& op, Create create, Setup setup) {
  const auto x = with_room(op.x);
  std::vector<Code> y(op.x.size() + XNN_EXTRA_BYTES);
  TIEBREAK_CHECK(run_operator(
      name,
      [&](xnn_operator_t* out) {
        return create(1, 1, 1, op.y.scale(), static_cast<Code>(op.y.zero_point()), static_cast<Code>(op.y.least()), static_cast<Code>(op.y.greatest()), 0, out);
      },
      [&](xnn_operator_t made) { return setup(made, op.x.size(), x.data(), y.data(), nullptr); }));
  y.resize(op.x.size());
  return answer_of(y, name);
}

Result<OpAnswer> quantize_linear(const SingleOp& single) {
  TIEBREAK_TRY(op, quantize_op(single));
  TIEBREAK_CHECK(one_scale(op.y, "y"));
  if (op.y.is_signed) return to_codes<std::int8_t>("convert_nc_f32_qs8", op, xnn_create_convert_nc_f32_qs8, xnn_setup_convert_nc_f32_qs8);
  return to_codes<std::uint8_t>("convert_nc_f32_qu8", op, xnn_create_convert_nc_f32_qu8, xnn_setup_convert_nc_f32_qu8);
}

template <class Code, class Create, class Setup>
Result<OpAnswer> to_floats(const std::string& name, const Codes& codes, Create create, Setup setup) {
  const auto bytes = with_room(codes.bytes);
  std::vector<float> y(codes.bytes.size());
  TIEBREAK_CHECK(run_operator(
      name, [&](xnn_operator_t* out) { return create(1, 1, 1, codes.as.scale(), static_cast<Code>(codes.as.zero_point()), 0, out); },
      [&](xnn_operator_t made) { return setup(made, y.size(), reinterpret_cast<const Code*>(bytes.data()), y.data(), nullptr); }));
  return answer_of(y, name);
}

Result<OpAnswer> dequantize_linear(const SingleOp& single) {
  TIEBREAK_TRY(op, dequantize_op(single));
  TIEBREAK_CHECK(one_scale(op.x.as, "x"));
  if (op.x.as.is_signed) {
    return to_floats<std::int8_t>("convert_nc_qs8_f32", op.x, xnn_create_convert_nc_qs8_f32, xnn_setup_convert_nc_qs8_f32);
  }
  return to_floats<std::uint8_t>("convert_nc_qu8_f32", op.x, xnn_create_convert_nc_qu8_f32, xnn_setup_convert_nc_qu8_f32);
}

std::vector<std::size_t> extents(const Shape& shape) {
  std::vector<std::size_t> result;
  for (std::int64_t extent : shape) result.push_back(static_cast<std::size_t>(extent));
  return result;
}

template <class Code, class Create, class Setup>
Result<OpAnswer> combined(const std::string& name, const PairOp& op, Create create, Setup setup) {
  const auto a = with_room(op.a.bytes), b = with_room(op.b.bytes);
  const auto a_shape = extents(op.a.shape), b_shape = extents(op.b.shape);
  std::size_t count = 1;
  for (std::int64_t extent : op.result) count *= static_cast<std::size_t>(extent);
  std::vector<Code> y(count);
  TIEBREAK_CHECK(run_operator(
      name,
      [&](xnn_operator_t* out) {
        return create(static_cast<Code>(op.a.as.zero_point()), op.a.as.scale(), static_cast<Code>(op.b.as.zero_point()), op.b.as.scale(),
                      static_cast<Code>(op.y.zero_point()), op.y.scale(), static_cast<Code>(op.y.least()), static_cast<Code>(op.y.greatest()), 0, out);
      },
      [&](xnn_operator_t made) {
        return setup(made, a_shape.size(), a_shape.data(), b_shape.size(), b_shape.data(), reinterpret_cast<const Code*>(a.data()),
                     reinterpret_cast<const Code*>(b.data()), y.data(), nullptr);
      }));
  return answer_of(y, name);
}

Result<PairOp> pair_of(const SingleOp& single) {
  TIEBREAK_TRY(op, pair_op(single));
  TIEBREAK_CHECK(one_scale(op.a.as, "a"));
  TIEBREAK_CHECK(one_scale(op.b.as, "b"));
  TIEBREAK_CHECK(one_scale(op.y, "y"));
  return op;
}

Result<OpAnswer> add(const SingleOp& single) {
  TIEBREAK_TRY(op, pair_of(single));
  if (op.y.is_signed) return combined<std::int8_t>("add_nd_qs8", op, xnn_create_add_nd_qs8, xnn_setup_add_nd_qs8);
  return combined<std::uint8_t>("add_nd_qu8", op, xnn_create_add_nd_qu8, xnn_setup_add_nd_qu8);
}

Result<OpAnswer> multiply(const SingleOp& single) {
  TIEBREAK_TRY(op, pair_of(single));
  if (op.y.is_signed) return combined<std::int8_t>("multiply_nd_qs8", op, xnn_create_multiply_nd_qs8, xnn_setup_multiply_nd_qs8);
  return combined<std::uint8_t>("multiply_nd_qu8", op, xnn_create_multiply_nd_qu8, xnn_setup_multiply_nd_qu8);
}

}  // namespace

OpCalls elementwise_calls() {
  return {{"microsoft.QLinearAdd", add},
          {"microsoft.QLinearMul", multiply},
          {"onnx.DequantizeLinear", dequantize_linear},
          {"onnx.QuantizeLinear", quantize_linear},
          {"quant.add", add},
          {"quant.mul", multiply}};
}

}  // namespace tiebreak::xnnpack
