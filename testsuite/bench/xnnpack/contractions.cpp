// SPDX-License-Identifier: Apache-2.0
// Convolutions and matrices of floats, of u8 (qu8) and of i8 (qs8). The library packs weights when an operator is created.
#include "testsuite/bench/xnnpack/prepared_operator.hpp"

namespace tiebreak::xnnpack_bench {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

// Operands of QLinearConv and QLinearMatMul.
constexpr std::size_t x_scale = 1, x_zero = 2, w = 3, w_scale = 4, w_zero = 5, y_scale = 6, y_zero = 7;

std::size_t weights_of(const OpCall& call) { return call.op.starts_with("onnx.QLinear") ? w : 1; }

std::vector<std::byte> as_it_is(const Tensor& tensor) { return {tensor.bytes().begin(), tensor.bytes().end()}; }

std::vector<std::byte> image_of(const Tensor& tensor) {
  return permuted(tensor.bytes(), tensor.shape(), channels_last, static_cast<std::size_t>(tensor.element().bits() / 8));
}

/// The two kinds of codes that have kernels, both operands and the result of one of them.
Status one_type(const OpCall& call, const TensorType& result, const char* name) {
  if (has_type(call, w, name) && result.element.name() == name) return {};
  return no_kernel("operands and result have one type");
}

struct Convolution {
  explicit Convolution(const OpCall& call) : weights(operand(call, weights_of(call))), x_shape(operand(call, 0).shape()) {
    pads = integers(call, "pads", {0, 0, 0, 0});
    strides = integers(call, "strides", {1, 1});
    kernel = image_of(weights);
  }
  template <class Function, class... Rest>
  xnn_status create(Function function, Rest... rest) const {
    const auto extent = [this](std::size_t axis) { return static_cast<std::uint32_t>(weights.shape()[axis]); };
    const auto pad = [this](std::size_t side) { return static_cast<std::uint32_t>(pads[side]); };
    return function(pad(0), pad(3), pad(2), pad(1), extent(2), extent(3), static_cast<std::uint32_t>(strides[0]), static_cast<std::uint32_t>(strides[1]), 1U,
                    1U, 1U, extent(1), extent(0), extent(1), extent(0), rest...);
  }
  template <class Element, class Function>
  auto setup(Function function, PreparedOperator& peer) const {
    return [this, function, &peer](xnn_operator_t made) {
      const auto extent = [this](std::size_t axis) { return static_cast<std::size_t>(x_shape[axis]); };
      return function(made, extent(0), extent(2), extent(3), peer.source<Element>(0), peer.target<Element>(), nullptr);
    };
  }
  template <class Element>
  const Element* packed() const {
    return reinterpret_cast<const Element*>(kernel.data());
  }

  const Tensor& weights;
  Shape x_shape;
  std::vector<std::int64_t> pads{}, strides{};
  std::vector<std::byte> kernel{};
};

struct Matrices {
  explicit Matrices(const OpCall& call) : a(operand(call, 0)), b(operand(call, weights_of(call))) {}
  template <class Function, class... Rest>
  xnn_status create(Function function, Rest... rest) const {
    const auto depth = static_cast<std::size_t>(b.shape()[0]), columns = static_cast<std::size_t>(b.shape()[1]);
    return function(depth, columns, depth, columns, rest...);
  }
  template <class Element, class Function>
  auto setup(Function function, PreparedOperator& peer) const {
    return [this, function, &peer](xnn_operator_t made) {
      return function(made, static_cast<std::size_t>(a.shape()[0]), peer.source<Element>(0), peer.target<Element>(), nullptr);
    };
  }
  template <class Element>
  const Element* packed() const {
    return reinterpret_cast<const Element*>(b.bytes().data());
  }

  const Tensor &a, &b;
};

/// i8: the zero point of the weights is 0, and no argument.
template <class Parts, class Create, class Setup>
Status make_i8(const OpCall& call, const Parts& parts, PreparedOperator& peer, std::uint32_t flags, Create create, Setup setup) {
  if (whole(call, w_zero) != 0) return no_kernel("weights of i8 have no zero point");
  const auto made = [&](xnn_operator_t* out) {
    return parts.create(create, static_cast<std::int8_t>(whole(call, x_zero)), number(call, x_scale), number(call, w_scale),
                        parts.template packed<std::int8_t>(), nullptr, static_cast<std::int8_t>(whole(call, y_zero)), number(call, y_scale), std::int8_t{-128},
                        std::int8_t{127}, flags, out);
  };
  return peer.make(made, parts.template setup<std::int8_t>(setup, peer));
}

template <class Parts, class Create, class Setup>
Status make_u8(const OpCall& call, const Parts& parts, PreparedOperator& peer, std::uint32_t flags, Create create, Setup setup) {
  const auto code = [&call](std::size_t index) { return static_cast<std::uint8_t>(whole(call, index)); };
  const auto made = [&](xnn_operator_t* out) {
    return parts.create(create, code(x_zero), number(call, x_scale), code(w_zero), number(call, w_scale), parts.template packed<std::uint8_t>(), nullptr,
                        code(y_zero), number(call, y_scale), std::uint8_t{0}, std::uint8_t{255}, flags, out);
  };
  return peer.make(made, parts.template setup<std::uint8_t>(setup, peer));
}

template <class Parts, class Create, class Setup>
Status make_f32(const Parts& parts, PreparedOperator& peer, std::uint32_t flags, Create create, Setup setup) {
  const auto made = [&](xnn_operator_t* out) { return parts.create(create, parts.template packed<float>(), nullptr, -infinity, infinity, flags, out); };
  return peer.make(made, parts.template setup<float>(setup, peer));
}

}  // namespace

MadePeer convolution(const OpCall& call, const TensorType& result) {
  const Convolution parts(call);
  auto peer = std::make_unique<PreparedOperator>(result, Sources{image_of(operand(call, 0))}, true);
  if (has_type(call, 0, "f32")) {
    TIEBREAK_CHECK(make_f32(parts, *peer, 0, xnn_create_convolution2d_nhwc_f32, xnn_setup_convolution2d_nhwc_f32));
  } else if (has_type(call, 0, "i8")) {
    TIEBREAK_CHECK(one_type(call, result, "i8"));
    TIEBREAK_CHECK(make_i8(call, parts, *peer, 0, xnn_create_convolution2d_nhwc_qs8, xnn_setup_convolution2d_nhwc_qs8));
  } else {
    TIEBREAK_CHECK(one_type(call, result, "u8"));
    TIEBREAK_CHECK(make_u8(call, parts, *peer, 0, xnn_create_convolution2d_nhwc_qu8, xnn_setup_convolution2d_nhwc_qu8));
  }
  return peer;
}

MadePeer matrices(const OpCall& call, const TensorType& result) {
  const Matrices parts(call);
  constexpr std::uint32_t flags = XNN_FLAG_TRANSPOSE_WEIGHTS;  // rows of inputs, as a matrix on the right has them
  auto peer = std::make_unique<PreparedOperator>(result, Sources{as_it_is(parts.a)}, false);
  if (has_type(call, 0, "f32")) {
    TIEBREAK_CHECK(make_f32(parts, *peer, flags, xnn_create_fully_connected_nc_f32, xnn_setup_fully_connected_nc_f32));
  } else if (has_type(call, 0, "i8")) {
    TIEBREAK_CHECK(one_type(call, result, "i8"));
    TIEBREAK_CHECK(make_i8(call, parts, *peer, flags, xnn_create_fully_connected_nc_qs8, xnn_setup_fully_connected_nc_qs8));
  } else {
    TIEBREAK_CHECK(one_type(call, result, "u8"));
    TIEBREAK_CHECK(make_u8(call, parts, *peer, flags, xnn_create_fully_connected_nc_qu8, xnn_setup_fully_connected_nc_qu8));
  }
  return peer;
}

}  // namespace tiebreak::xnnpack_bench
