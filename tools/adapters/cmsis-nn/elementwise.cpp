// SPDX-License-Identifier: Apache-2.0
// Sums and products of two tensors of codes, and requantization by itself. The parameters of the sum are those that TensorFlow Lite Micro makes: operands
// times 2^20, at twice the larger scale.
#include <arm_nnsupportfunctions.h>

#include <algorithm>
#include <limits>

#include "tools/adapters/cmsis-nn/kernels.hpp"

namespace tiebreak::cmsis_nn {
namespace {

constexpr std::int32_t places = 20;

/// The functions take as many elements of one operand as of the other.
struct Pair {
  std::vector<std::int8_t> a{}, b{}, y{};
};
Result<Pair> pair_of(const PairOp& op) {
  TIEBREAK_CHECK(one_scale(op.a.as, "a"));
  TIEBREAK_CHECK(one_scale(op.b.as, "b"));
  TIEBREAK_CHECK(one_scale(op.y, "y"));
  if (op.a.shape != op.b.shape) return fail(Errc::unsupported, "operands of two shapes");
  if (!op.y.is_signed) return fail(Errc::unsupported, "y of type u8: the functions give i8 alone");
  TIEBREAK_TRY(a, signed_codes(op.a, "a"));
  TIEBREAK_TRY(b, signed_codes(op.b, "b"));
  const std::size_t count = a.size();
  return Pair{std::move(a), std::move(b), std::vector<std::int8_t>(count)};
}

Result<OpAnswer> add(const SingleOp& single) {
  TIEBREAK_TRY(op, pair_op(single));
  TIEBREAK_TRY(pair, pair_of(op));
  const double a = static_cast<double>(op.a.as.scale()), b = static_cast<double>(op.b.as.scale()), twice = 2 * std::max(a, b);
  Factors factors;
  TIEBREAK_CHECK(add_factor(a / twice, factors));
  TIEBREAK_CHECK(add_factor(b / twice, factors));
  TIEBREAK_CHECK(add_factor(twice / (static_cast<double>(1 << places) * static_cast<double>(op.y.scale())), factors));
  const auto &m = factors.mantissas, &e = factors.exponents;
  const std::string name = "arm_elementwise_add_s8";
  TIEBREAK_CHECK(checked(arm_elementwise_add_s8(pair.a.data(), pair.b.data(), -op.a.as.zero_point(), m[0], e[0], -op.b.as.zero_point(), m[1], e[1], places,
                                                pair.y.data(), op.y.zero_point(), m[2], e[2], -128, 127, extent(static_cast<std::int64_t>(pair.y.size()))),
                         name));
  return answer_of(pair.y, name);
}

Result<OpAnswer> multiply(const SingleOp& single) {
  TIEBREAK_TRY(op, pair_op(single));
  TIEBREAK_TRY(pair, pair_of(op));
  const float product = op.a.as.scale() * op.b.as.scale();
  const float factor = product / op.y.scale();
  Factors factors;
  TIEBREAK_CHECK(add_factor(static_cast<double>(factor), factors));
  const std::string name = "arm_elementwise_mul_s8";
  TIEBREAK_CHECK(checked(arm_elementwise_mul_s8(pair.a.data(), pair.b.data(), -op.a.as.zero_point(), -op.b.as.zero_point(), pair.y.data(), op.y.zero_point(),
                                                factors.mantissas[0], factors.exponents[0], -128, 127, extent(static_cast<std::int64_t>(pair.y.size()))),
                         name));
  return answer_of(pair.y, name);
}

Result<std::int64_t> zero_point_of(const SingleOp& op, std::size_t index) {
  const Tensor* given = op.operand(index);
  if (given == nullptr) return std::int64_t{0};
  TIEBREAK_TRY(codes, codes_of(*given));
  if (codes.size() != 1) return fail(Errc::unsupported, "several zero points");
  return std::int64_t{codes[0]};
}

Result<std::vector<std::int32_t>> requantized_plain(const Tensor& acc, const Factors& factors) {
  TIEBREAK_TRY(values, codes_of(acc));
  for (std::int32_t& value : values) value = arm_nn_requantize(value, factors.mantissas[0], factors.exponents[0]);
  return values;
}

/// Sums of 64 bits, as kernels of i16 have them, and a mantissa of 15 digits. The function takes 48 bits of a sum, and shifts to the left by at most 7.
Result<std::vector<std::int32_t>> requantized_wide(const Tensor& acc, const Factors& factors) {
  constexpr std::int64_t limit = std::int64_t{1} << 47;
  if (factors.exponents[0] > 7) return fail(Errc::unsupported, "a factor from 2^7 up, of a sum of 64 bits");
  std::vector<std::int32_t> values;
  for (std::int64_t i = 0; i < acc.size(); ++i) {
    const auto value = static_cast<std::int64_t>(acc.code(i));
    if (value < -limit || value >= limit) return fail(Errc::unsupported, "a sum beyond 48 bits");
    values.push_back(arm_nn_requantize_s64(value, REDUCE_MULTIPLIER(factors.mantissas[0]), factors.exponents[0]));
  }
  return values;
}

template <class Code>
OpAnswer stored(const std::vector<std::int32_t>& values, std::int64_t zero_point, const std::string& kernel) {
  std::vector<Code> y;
  for (std::int32_t value : values) {
    const auto sum = static_cast<std::int32_t>(static_cast<std::uint32_t>(value) + static_cast<std::uint32_t>(zero_point));
    y.push_back(static_cast<Code>(std::clamp<std::int64_t>(sum, std::numeric_limits<Code>::min(), std::numeric_limits<Code>::max())));
  }
  return answer_of(y, kernel);
}

Result<OpAnswer> requantized(const SingleOp& op, const Factors& factors, std::int64_t zero_point, bool wide = false) {
  TIEBREAK_TRY(acc, op.required(0, "acc"));
  const bool is_wide = acc->element().name() == "i64";
  if (is_wide != wide) return fail(Errc::unsupported, wide ? "a sum of less than 64 bits, with --sums 64" : "a sum of 64 bits, without --sums 64");
  TIEBREAK_TRY(values, wide ? requantized_wide(*acc, factors) : requantized_plain(*acc, factors));
  const std::string kernel = wide ? "arm_nn_requantize_s64" : "arm_nn_requantize";
  TIEBREAK_TRY(type, op.output_type(0));
  const std::string name(type.element.name());
  if (name == "i8") return stored<std::int8_t>(values, zero_point, kernel);
  if (name == "u8") return stored<std::uint8_t>(values, zero_point, kernel);
  if (name == "i16") return stored<std::int16_t>(values, zero_point, kernel);
  if (name == "i32") return stored<std::int32_t>(values, zero_point, kernel);
  return fail(Errc::unsupported, "a result of type " + name);
}

Result<double> scale_at(const SingleOp& op, std::size_t index) {
  const Tensor* given = op.operand(index);
  if (given == nullptr) return 1.0;
  if (given->size() != 1) return fail(Errc::unsupported, "several scales");
  return given->value(0).to_double();
}

template <bool wide>
Result<OpAnswer> requantize(const SingleOp& op) {
  TIEBREAK_TRY(x, scale_at(op, 1));
  TIEBREAK_TRY(w, scale_at(op, 2));
  TIEBREAK_TRY(y, scale_at(op, 3));
  TIEBREAK_TRY(zero_point, zero_point_of(op, 4));
  Factors factors;
  const double product = x * w;
  TIEBREAK_CHECK(add_factor(product / y, factors));
  return requantized(op, factors, zero_point, wide);
}

Result<OpAnswer> requantize_integer(const SingleOp& op) {
  TIEBREAK_TRY(multiplier, op.required(1, "multiplier"));
  TIEBREAK_TRY(shift, op.required(2, "shift"));
  TIEBREAK_TRY(zero_point, zero_point_of(op, 3));
  TIEBREAK_TRY(mantissas, codes_of(*multiplier));
  TIEBREAK_TRY(exponents, codes_of(*shift));
  if (mantissas.size() != 1 || exponents.size() != 1) return fail(Errc::unsupported, "several factors");
  if (exponents[0] < -31 || exponents[0] > 30) return fail(Errc::unsupported, "a shift beyond those of an int32");
  return requantized(op, {mantissas, exponents}, zero_point);
}

}  // namespace

OpCalls elementwise_calls() {
  return {{"quant.add", add}, {"quant.mul", multiply}, {"quant.requantize", requantize<false>}, {"quant.requantize_integer", requantize_integer}};
}

OpCalls wide_calls() { return {{"quant.requantize", requantize<true>}}; }

}  // namespace tiebreak::cmsis_nn
