// SPDX-License-Identifier: Apache-2.0
#include "tools/adapters/gemmlowp/gemm.hpp"

#include <public/gemmlowp.h>

#include <tuple>

namespace tiebreak::gemmlowp_calls {
namespace {

using gemmlowp::MapOrder;
using gemmlowp::VectorShape;
using Column = gemmlowp::VectorMap<const std::int32_t, VectorShape::Col>;
using Row = gemmlowp::VectorDup<const std::int32_t, VectorShape::Row>;

/// One value a row of the result, repeated where there is one for all.
std::vector<std::int32_t> spread(const std::vector<std::int32_t>& values, int rows) {
  return values.size() == 1 ? std::vector<std::int32_t>(static_cast<std::size_t>(rows), values[0]) : values;
}

template <class Result, class Pipeline>
void multiply(const Matrix& left, const Matrix& right, std::vector<Result>& result, const Pipeline& pipeline) {
  gemmlowp::GemmContext context;
  context.set_max_num_threads(1);
  const gemmlowp::MatrixMap<const std::uint8_t, MapOrder::RowMajor> a(left.codes.data(), left.rows, left.columns);
  const gemmlowp::MatrixMap<const std::uint8_t, MapOrder::RowMajor> b(right.codes.data(), right.rows, right.columns);
  gemmlowp::MatrixMap<Result, MapOrder::RowMajor> y(result.data(), left.rows, right.columns);
  const std::vector<std::int32_t> offsets = spread(left.offsets, left.rows);
  const Column left_offset(offsets.data(), left.rows);
  const Row right_offset(right.offsets[0], right.columns);
  gemmlowp::GemmWithOutputPipelinePC<std::uint8_t, Result, gemmlowp::DefaultL8R8BitDepthParams>(&context, a, b, &y, left_offset, right_offset, pipeline);
}

template <class Result, class Cast>
std::vector<std::uint8_t> finished(const Matrix& left, const Matrix& right, const Finish& finish, const Cast& cast) {
  std::vector<Result> result(static_cast<std::size_t>(left.rows) * static_cast<std::size_t>(right.columns));
  const std::vector<std::int32_t> bias = finish.bias.empty() ? std::vector<std::int32_t>(static_cast<std::size_t>(left.rows), 0) : finish.bias;
  gemmlowp::OutputStageBiasAddition<Column> add{};
  add.bias_vector = Column(bias.data(), left.rows);
  if (finish.by_shift) {
    gemmlowp::OutputStageQuantizeDownInt32ByFixedPoint down{};
    down.result_fixedpoint_multiplier = finish.mantissas[0];
    down.result_shift = -finish.exponents[0];
    down.result_offset_after_shift = finish.offset;
    multiply(left, right, result, std::make_tuple(add, down, cast));
  } else {
    const std::vector<std::int32_t> mantissas = spread(finish.mantissas, left.rows), exponents = spread(finish.exponents, left.rows);
    gemmlowp::OutputStageScaleInt32ByFixedPointAndExponentPC<VectorShape::Col> scale{};
    scale.result_fixedpoint_multiplier = Column(mantissas.data(), left.rows);
    scale.result_exponent = Column(exponents.data(), left.rows);
    scale.result_offset_after_shift = finish.offset;
    multiply(left, right, result, std::make_tuple(add, scale, cast));
  }
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(result.data());
  return {bytes, bytes + result.size()};
}

}  // namespace

std::string kernels() {
#if defined(GEMMLOWP_AVX2)
  return "avx2";
#elif defined(GEMMLOWP_SSE4)
  return "sse4.1";
#elif defined(GEMMLOWP_NEON)
  return "neon";
#else
  return "portable";
#endif
}

std::vector<std::int32_t> accumulators(const Matrix& left, const Matrix& right) {
  std::vector<std::int32_t> result(static_cast<std::size_t>(left.rows) * static_cast<std::size_t>(right.columns));
  multiply(left, right, result, std::make_tuple());
  return result;
}

std::vector<std::uint8_t> codes(const Matrix& left, const Matrix& right, const Finish& finish) {
  if (finish.to_signed) return finished<std::int8_t>(left, right, finish, gemmlowp::OutputStageSaturatingCastToInt8{});
  return finished<std::uint8_t>(left, right, finish, gemmlowp::OutputStageSaturatingCastToUint8{});
}

}  // namespace tiebreak::gemmlowp_calls
