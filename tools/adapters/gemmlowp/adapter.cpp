// SPDX-License-Identifier: Apache-2.0
// The backend `gemmlowp`: matrix products and 1x1 convolutions as one GEMM with an output stage, on one thread. What is the adapter's: codes
// with a sign are moved by 128, with their offset; the factor is f64(f64(x_scale * w_scale) / y_scale), its mantissa of 31 digits rounded
// half away, as gemmlowp's own example makes it.
#include <cmath>

#include "tools/adapters/gemmlowp/gemm.hpp"
#include "tools/adapters/single_op/linear_ops.hpp"
#include "tools/adapters/single_op/op_calls.hpp"

namespace tiebreak::gemmlowp_calls {
namespace {

/// Offsets of several codes go with the left matrix alone.
Matrix matrix(const Codes& codes, int rows, int columns) {
  Matrix result{codes.bytes, rows, columns, {}};
  const std::int32_t moved = codes.as.is_signed ? 128 : 0;
  if (moved != 0) {
    for (std::uint8_t& code : result.codes) code ^= 0x80U;
  }
  for (std::int32_t zero_point : codes.as.zero_points) result.offsets.push_back(-zero_point - moved);
  return result;
}

/// The transposed matrix: the library's factors belong to rows of the result, and those of a matrix product to columns.
Matrix turned(const Codes& codes, int rows, int columns) {
  Matrix result = matrix(codes, columns, rows);
  result.codes = permuted(result.codes, {rows, columns}, {1, 0});
  return result;
}

Status add_factor(double x_scale, double w_scale, double y_scale, Finish& finish) {
  const double product = x_scale * w_scale;
  const double factor = product / y_scale;
  if (!std::isfinite(factor) || factor <= 0) return fail(Errc::unsupported, "the factor is no positive number");
  int exponent = 0;
  auto mantissa = static_cast<std::int64_t>(std::round(std::ldexp(std::frexp(factor, &exponent), 31)));
  if (mantissa == std::int64_t{1} << 31) {
    mantissa /= 2;
    ++exponent;
  }
  if (exponent > 31 || exponent < -31) return fail(Errc::unsupported, "the factor's exponent is beyond the shifts of an int32");
  if (finish.by_shift && exponent > 0) return fail(Errc::unsupported, "QuantizeDownInt32ByFixedPoint takes no factor from 1 up");
  finish.mantissas.push_back(static_cast<std::int32_t>(mantissa));
  finish.exponents.push_back(exponent);
  return {};
}

Result<Finish> finish_of(const Quantization& x, const Quantization& w, const Quantization& y, bool by_shift) {
  TIEBREAK_CHECK(one_scale(y, "y"));
  Finish finish{{}, {}, y.zero_point(), {}, y.is_signed, by_shift};
  if (by_shift && w.per_channel()) return fail(Errc::unsupported, "QuantizeDownInt32ByFixedPoint takes one factor");
  for (float w_scale : w.scales) TIEBREAK_CHECK(add_factor(x.scale(), w_scale, y.scale(), finish));
  return finish;
}

Status fits(const Quantization& x) {
  if (x.zero_points.size() > 1 || x.per_channel()) return fail(Errc::unsupported, "scales or zero points of rows");
  return {};
}

/// y = a b as transposed(y) = transposed(b) transposed(a).
template <bool by_shift>
Result<OpAnswer> q_linear_mat_mul(const SingleOp& single) {
  TIEBREAK_TRY(op, matrix_op(single));
  TIEBREAK_CHECK(fits(op.a.as));
  TIEBREAK_TRY(finish, finish_of(op.a.as, op.b.as, op.y, by_shift));
  const int rows = static_cast<int>(op.rows), depth = static_cast<int>(op.depth), columns = static_cast<int>(op.columns);
  const auto y = codes(turned(op.b, depth, columns), turned(op.a, rows, depth), finish);
  return answer_of(permuted(y, {op.columns, op.rows}, {1, 0}), kernels());
}

Result<OpAnswer> mat_mul_integer(const SingleOp& single) {
  TIEBREAK_TRY(op, integer_matrix_op(single));
  TIEBREAK_CHECK(fits(op.a.as));
  const int rows = static_cast<int>(op.rows), depth = static_cast<int>(op.depth), columns = static_cast<int>(op.columns);
  const auto y = accumulators(turned(op.b, depth, columns), turned(op.a, rows, depth));
  return answer_of(permuted(y, {op.columns, op.rows}, {1, 0}), kernels());
}

Status is_one_matrix(const ImageOp& op) {
  bool plain = op.groups == 1;
  for (std::size_t axis = 0; axis < 2; ++axis) {
    plain = plain && op.w.shape[axis + 2] == 1 && op.strides[axis] == 1 && op.pads_begin[axis] == 0 && op.pads_end[axis] == 0;
  }
  if (!plain) return fail(Errc::unsupported, "only convolutions with a kernel, stride and group of 1 and no padding are one matrix product");
  return {};
}

template <bool by_shift>
Result<OpAnswer> q_linear_conv(const SingleOp& single) {
  TIEBREAK_TRY(op, image_op(single));
  TIEBREAK_CHECK(is_one_matrix(op));
  TIEBREAK_CHECK(one_scale(op.x.as, "x"));
  TIEBREAK_TRY(finish, finish_of(op.x.as, op.w.as, op.y, by_shift));
  finish.bias = op.bias;
  const int features = static_cast<int>(op.w.shape[0]), channels = static_cast<int>(op.x.shape[1]);
  const Matrix w = matrix(op.w, features, channels);
  const auto image = static_cast<std::size_t>(op.x.shape[1] * op.x.shape[2] * op.x.shape[3]);
  std::vector<std::uint8_t> y;
  for (std::size_t first = 0; first < op.x.bytes.size(); first += image) {
    const auto begin = op.x.bytes.begin() + static_cast<std::ptrdiff_t>(first);
    const Codes one{op.x.as, {}, {begin, begin + static_cast<std::ptrdiff_t>(image)}};
    const auto codes_of_image = codes(w, matrix(one, channels, static_cast<int>(image) / channels), finish);
    y.insert(y.end(), codes_of_image.begin(), codes_of_image.end());
  }
  return answer_of(y, kernels());
}

template <bool by_shift>
OpCalls calls() {
  return {{"onnx.MatMulInteger", mat_mul_integer}, {"onnx.QLinearConv", q_linear_conv<by_shift>}, {"onnx.QLinearMatMul", q_linear_mat_mul<by_shift>}};
}

/// The shift to the left saturates in plain C++ and wraps in NEON. The kernels of x86 were not met.
std::string profile_of(const std::string& isa) { return isa == "portable" ? "gemmlowp-portable" : isa == "neon" ? "gemmlowp" : ""; }

class GemmlowpAdapter : public Adapter {
 public:
  explicit GemmlowpAdapter(bool by_shift) : by_shift_(by_shift), table_(by_shift ? calls<true>() : calls<false>()) {}
  Result<BackendDescription> describe() override {
    BackendDescription description{"gemmlowp", TIEBREAK_PACKAGE_VERSION, profile_of(kernels()), names_of(table_), {}};
    description.details = {{"isa", kernels()},
                           {"layout", "rows of matrices"},
                           {"mapping", "i8 moved by 128; factor f64(f64(x_scale * w_scale) / y_scale), 31 digits, half away"},
                           {"stage", by_shift_ ? "QuantizeDownInt32ByFixedPoint" : "ScaleInt32ByFixedPointAndExponent"},
                           {"threads", "1"}};
    return description;
  }
  AdapterAnswer run(const ExchangeCase& request) override { return answer_by(table_, request); }

 private:
  bool by_shift_;
  OpCalls table_;
};

}  // namespace
}  // namespace tiebreak::gemmlowp_calls

int main(int argc, char** argv) {
  using namespace tiebreak;
  const std::vector<AdapterOption> options = {{"--stage", "the output stage: exponent (any factor) or shift (factors below 1)", "exponent"}};
  return adapter_main(argc, argv, options, [](const AdapterArguments& arguments) -> Result<std::unique_ptr<Adapter>> {
    const std::string& stage = arguments.at("--stage");
    if (stage != "exponent" && stage != "shift") return fail(Errc::unknown_name, "--stage " + stage + " is neither exponent nor shift");
    return std::make_unique<gemmlowp_calls::GemmlowpAdapter>(stage == "shift");
  });
}
