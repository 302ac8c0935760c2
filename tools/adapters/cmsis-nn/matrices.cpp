// SPDX-License-Identifier: Apache-2.0
// Matrix products: the right matrix lies transposed, as weights of a fully connected layer do.
#include <algorithm>

#include "tools/adapters/cmsis-nn/kernels.hpp"

namespace tiebreak::cmsis_nn {
namespace {

struct Product {
  std::vector<std::int8_t> left{}, right{}, result{};
  std::int32_t rows = 0, depth = 0, columns = 0;
  Factors factors{};
  cmsis_nn_fc_params params{};
};

Result<Product> product_of(const MatrixOp& op) {
  if (!op.y.is_signed) return fail(Errc::unsupported, "y of type u8: the functions give i8 alone");
  if (op.a.as.per_channel() || op.a.as.zero_points.size() > 1) return fail(Errc::unsupported, "scales or zero points of rows");
  if (std::ranges::any_of(op.b.as.zero_points, [&](std::int32_t code) { return code != op.b.as.zero_point(); }))
    return fail(Errc::unsupported, "zero points of columns");
  TIEBREAK_TRY(left, signed_codes(op.a, "a"));
  TIEBREAK_TRY(right, signed_codes(op.b, "b"));
  TIEBREAK_TRY(factors, factors_of(op.a.as, op.b.as, op.y));
  Product product{std::move(left),
                  permuted(right, {op.depth, op.columns}, {1, 0}),
                  std::vector<std::int8_t>(static_cast<std::size_t>(op.rows * op.columns)),
                  extent(op.rows),
                  extent(op.depth),
                  extent(op.columns),
                  std::move(factors),
                  {-op.a.as.zero_point(), -op.b.as.zero_point(), op.y.zero_point(), {-128, 127}}};
  return product;
}

Status fully_connected(Product& p, std::string& name) {
  const cmsis_nn_dims x{p.rows, 1, 1, p.depth}, w{p.depth, 1, 1, p.columns}, bias{1, 1, 1, p.columns}, y{p.rows, 1, 1, p.columns};
  const std::vector<std::int32_t> biases(static_cast<std::size_t>(p.columns), 0);
  std::vector<std::int8_t> room(static_cast<std::size_t>(std::max(0, arm_fully_connected_s8_get_buffer_size(&w))) + 16);
  const cmsis_nn_context context{room.data(), static_cast<std::int32_t>(room.size())};
  const cmsis_nn_per_tensor_quant_params one{p.factors.mantissas[0], p.factors.exponents[0]};
  if (options().small_weights) {
    name = "arm_fully_connected_s4";
    if (p.factors.mantissas.size() > 1) return fail(Errc::unsupported, "scales of columns, with weights of 4 bits");
    if (p.params.filter_offset != 0) return fail(Errc::unsupported, "a zero point of weights of 4 bits");
    TIEBREAK_TRY(halves, packed(p.right));
    return checked(arm_fully_connected_s4(&context, &p.params, &one, &x, p.left.data(), &w, halves.data(), &bias, biases.data(), &y, p.result.data()), name);
  }
  if (p.factors.mantissas.size() > 1) {
    name = "arm_fully_connected_per_channel_s8";
    const cmsis_nn_per_channel_quant_params each{p.factors.mantissas.data(), p.factors.exponents.data()};
    return checked(
        arm_fully_connected_per_channel_s8(&context, &p.params, &each, &x, p.left.data(), &w, p.right.data(), &bias, biases.data(), &y, p.result.data()), name);
  }
  name = "arm_fully_connected_s8";
  return checked(arm_fully_connected_s8(&context, &p.params, &one, &x, p.left.data(), &w, p.right.data(), &bias, biases.data(), &y, p.result.data()), name);
}

Status batch_matmul(Product& p, std::string& name) {
  name = "arm_batch_matmul_s8";
  if (p.factors.mantissas.size() > 1) return fail(Errc::unsupported, "scales of columns");
  const cmsis_nn_bmm_params params{false, false, p.params};
  const cmsis_nn_dims left{1, 1, p.rows, p.depth}, right{1, 1, p.columns, p.depth}, y{1, 1, p.rows, p.columns};
  const cmsis_nn_per_tensor_quant_params one{p.factors.mantissas[0], p.factors.exponents[0]};
  const cmsis_nn_context context{nullptr, 0};
  return checked(arm_batch_matmul_s8(&context, &params, &one, &left, p.left.data(), &right, p.right.data(), &y, p.result.data()), name);
}

Result<OpAnswer> q_linear_mat_mul(const SingleOp& single) {
  TIEBREAK_TRY(op, matrix_op(single));
  TIEBREAK_TRY(product, product_of(op));
  std::string name;
  TIEBREAK_CHECK(options().batch_matmul ? batch_matmul(product, name) : fully_connected(product, name));
  return answer_of(product.result, name);
}

}  // namespace

OpCalls matrix_calls() { return {{"onnx.QLinearMatMul", q_linear_mat_mul}}; }

}  // namespace tiebreak::cmsis_nn
