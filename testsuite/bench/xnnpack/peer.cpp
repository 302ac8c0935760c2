// SPDX-License-Identifier: Apache-2.0
// XNNPACK of 2022, without a pool of threads.
#include "testsuite/bench/xnnpack/prepared_operator.hpp"

namespace tiebreak {
namespace xnnpack_bench {

std::vector<std::byte> permuted(std::span<const std::byte> bytes, const Shape& shape, const std::vector<std::size_t>& order, std::size_t width) {
  std::vector<std::size_t> strides(shape.size(), width), extents;
  for (std::size_t axis = shape.size(); axis-- > 1;) strides[axis - 1] = strides[axis] * static_cast<std::size_t>(shape[axis]);
  for (const std::size_t axis : order) extents.push_back(static_cast<std::size_t>(shape[axis]));
  std::vector<std::byte> result(bytes.size());
  std::byte* to = result.data();
  for (std::size_t i = 0; i < extents[0]; ++i)
    for (std::size_t j = 0; j < extents[1]; ++j)
      for (std::size_t k = 0; k < extents[2]; ++k)
        for (std::size_t l = 0; l < extents[3]; ++l, to += width)
          std::memcpy(to, bytes.data() + i * strides[order[0]] + j * strides[order[1]] + k * strides[order[2]] + l * strides[order[3]], width);
  return result;
}

PreparedOperator::PreparedOperator(const TensorType& result, Sources sources, bool is_image)
    : result_(result), sources_(std::move(sources)), is_image_(is_image) {
  std::size_t count = 1;
  for (const std::int64_t extent : result.shape) count *= static_cast<std::size_t>(extent);
  target_.resize(count * static_cast<std::size_t>(result.element.bits() / 8) + XNN_EXTRA_BYTES);
  for (auto& source : sources_) source.resize(source.size() + XNN_EXTRA_BYTES);
}

std::vector<std::byte> PreparedOperator::result() {
  const std::span<const std::byte> bytes(target_.data(), target_.size() - XNN_EXTRA_BYTES);
  if (!is_image_) return {bytes.begin(), bytes.end()};
  const Shape& shape = result_.shape;
  return permuted(bytes, {shape[0], shape[2], shape[3], shape[1]}, channels_first, static_cast<std::size_t>(result_.element.bits() / 8));
}

Status PreparedOperator::checked(xnn_status status, const char* step) {
  if (status == xnn_status_success) return {};
  return fail(Errc::unsupported, std::string("XNNPACK refuses it: status ") + std::to_string(status) + " of " + step);
}

}  // namespace xnnpack_bench

Result<std::unique_ptr<Peer>> xnnpack_peer(const OpCall& call, const TensorType& result) {
  static const xnn_status ready = xnn_initialize(nullptr);
  if (ready != xnn_status_success) return fail(Errc::unsupported, "XNNPACK does not run on this processor");
  if (call.op == "onnx.ConvInteger" || call.op == "onnx.MatMulInteger") return xnnpack_bench::no_kernel("its products of codes give codes");
  if (call.op == "onnx.Conv" || call.op == "onnx.QLinearConv") return xnnpack_bench::convolution(call, result);
  if (call.op == "onnx.MatMul" || call.op == "onnx.QLinearMatMul") return xnnpack_bench::matrices(call, result);
  if (call.op == "onnx.QuantizeLinear") return xnnpack_bench::quantization(call, result);
  if (call.op == "onnx.Add") return xnnpack_bench::sum_of_floats(call, result);
  if (call.op == "microsoft.QLinearAdd") return xnnpack_bench::sum_of_codes(call, result);
  return fail(Errc::unsupported, "XNNPACK is not asked for it");
}

}  // namespace tiebreak
