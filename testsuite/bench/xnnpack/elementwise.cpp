// SPDX-License-Identifier: Apache-2.0
// From floats to u8, and sums of two operands.
#include "testsuite/bench/xnnpack/prepared_operator.hpp"

namespace tiebreak::xnnpack_bench {
namespace {

std::vector<std::byte> copied(const Tensor& tensor) { return {tensor.bytes().begin(), tensor.bytes().end()}; }

template <class Element, class Function>
auto setup_of_two(Function function, PreparedOperator& peer, const std::size_t& count) {
  return [function, &peer, &count](xnn_operator_t made) {
    return function(made, 1, &count, 1, &count, peer.source<Element>(0), peer.source<Element>(1), peer.target<Element>(), nullptr);
  };
}

}  // namespace

MadePeer quantization(const OpCall& call, const TensorType& result) {
  if (result.element.name() != "u8") return no_kernel("of what is asked here it quantizes to u8");
  auto peer = std::make_unique<PreparedOperator>(result, Sources{copied(operand(call, 0))}, false);
  const auto create = [&](xnn_operator_t* out) {
    return xnn_create_convert_nc_f32_qu8(1, 1, 1, number(call, 1), static_cast<std::uint8_t>(whole(call, 2)), 0, 255, 0, out);
  };
  TIEBREAK_CHECK(peer->make(create, [&](xnn_operator_t made) {
    return xnn_setup_convert_nc_f32_qu8(made, static_cast<std::size_t>(operand(call, 0).size()), peer->source<float>(0), peer->target<std::uint8_t>(), nullptr);
  }));
  return peer;
}

MadePeer sum_of_floats(const OpCall& call, const TensorType& result) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  auto peer = std::make_unique<PreparedOperator>(result, Sources{copied(operand(call, 0)), copied(operand(call, 1))}, false);
  const auto count = static_cast<std::size_t>(operand(call, 0).size());
  TIEBREAK_CHECK(peer->make([](xnn_operator_t* out) { return xnn_create_add_nd_f32(-infinity, infinity, 0, out); },
                            setup_of_two<float>(xnn_setup_add_nd_f32, *peer, count)));
  return peer;
}

MadePeer sum_of_codes(const OpCall& call, const TensorType& result) {
  if (!has_type(call, 0, "u8")) return no_kernel("of what is asked here it adds u8");
  auto peer = std::make_unique<PreparedOperator>(result, Sources{copied(operand(call, 0)), copied(operand(call, 3))}, false);
  const auto count = static_cast<std::size_t>(operand(call, 0).size());
  const auto code = [&call](std::size_t index) { return static_cast<std::uint8_t>(whole(call, index)); };
  const auto create = [&](xnn_operator_t* out) {
    return xnn_create_add_nd_qu8(code(2), number(call, 1), code(5), number(call, 4), code(7), number(call, 6), 0, 255, 0, out);
  };
  TIEBREAK_CHECK(peer->make(create, setup_of_two<std::uint8_t>(xnn_setup_add_nd_qu8, *peer, count)));
  return peer;
}

}  // namespace tiebreak::xnnpack_bench
