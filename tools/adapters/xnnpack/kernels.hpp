// SPDX-License-Identifier: Apache-2.0
// Which XNNPACK operator stands for which op, and how one is created, set up, run and deleted.
#pragma once
#include <xnnpack.h>

#include <string>
#include <vector>

#include "tools/adapters/single_op/linear_ops.hpp"
#include "tools/adapters/single_op/op_calls.hpp"

namespace tiebreak::xnnpack {

OpCalls contraction_calls();  ///< matrix products and convolutions
OpCalls elementwise_calls();  ///< conversions from and to f32, add, multiply
OpCalls pooling_calls();      ///< the greatest codes and the means of windows, the mean of an image

/// Extents as the library takes them.
inline std::size_t size(std::int64_t extent) { return static_cast<std::size_t>(extent); }
inline std::uint32_t word(std::int64_t extent) { return static_cast<std::uint32_t>(extent); }

/// A parameter that the operator does not take is unsupported, with the library's word for it; anything else a failure of the backend.
Status checked(xnn_status status, const std::string& step);

/// Kernels read up to this many bytes beyond their operands.
template <class Number>
std::vector<Number> with_room(std::vector<Number> values) {
  values.resize(values.size() + XNN_EXTRA_BYTES / sizeof(Number));
  return values;
}
std::vector<std::int8_t> as_signed(const std::vector<std::uint8_t>& bytes);

/// An operator with its life: `create` fills it, `setup` binds it to data, then it runs on this thread.
template <class Create, class Setup>
Status run_operator(const std::string& name, Create&& create, Setup&& setup) {
  xnn_operator_t raw = nullptr;
  TIEBREAK_CHECK(checked(create(&raw), "xnn_create_" + name));
  Status done = checked(setup(raw), "xnn_setup_" + name);
  if (done) done = checked(xnn_run_operator(raw, nullptr), "xnn_run_operator, " + name);
  xnn_delete_operator(raw);
  return done;
}

}  // namespace tiebreak::xnnpack
