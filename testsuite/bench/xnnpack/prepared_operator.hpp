// SPDX-License-Identifier: Apache-2.0
// An operator of XNNPACK, created and bound to memory once, then run as often as it is timed.
#pragma once
#include <xnnpack.h>

#include <cstring>
#include <limits>

#include "testsuite/bench/call_parameters.hpp"
#include "testsuite/bench/peer.hpp"

namespace tiebreak::xnnpack_bench {

/// Row-major bytes with the axes in another order: result axis k is source axis order[k].
std::vector<std::byte> permuted(std::span<const std::byte> bytes, const Shape& shape, const std::vector<std::size_t>& order, std::size_t width);

/// The order of axes in which the library has images, and back.
inline const std::vector<std::size_t> channels_last{0, 2, 3, 1}, channels_first{0, 3, 1, 2};

using Sources = std::vector<std::vector<std::byte>>;

class PreparedOperator : public Peer {
 public:
  /// `sources`: operands that are read at each run, in the library's layout. An image's result is turned back to that of the page.
  PreparedOperator(const TensorType& result, Sources sources, bool is_image);
  ~PreparedOperator() override { xnn_delete_operator(made_); }
  PreparedOperator(const PreparedOperator&) = delete;
  PreparedOperator& operator=(const PreparedOperator&) = delete;

  /// Creates the operator and binds it to the memory. Errc::unsupported with the step and the library's status where it refuses.
  template <class Create, class Setup>
  Status make(const Create& create, const Setup& setup) {
    TIEBREAK_CHECK(checked(create(&made_), "create"));
    TIEBREAK_CHECK(checked(setup(made_), "setup"));
    return checked(xnn_run_operator(made_, nullptr), "run");
  }
  template <class Element>
  const Element* source(std::size_t index) const {
    return reinterpret_cast<const Element*>(sources_[index].data());
  }
  template <class Element>
  Element* target() {
    return reinterpret_cast<Element*>(target_.data());
  }

  void run() override { xnn_run_operator(made_, nullptr); }
  std::vector<std::byte> result() override;

 private:
  static Status checked(xnn_status status, const char* step);

  TensorType result_;
  Sources sources_;  ///< with room behind them: kernels read beyond their operands
  std::vector<std::byte> target_;
  bool is_image_;
  xnn_operator_t made_ = nullptr;
};

inline tl::unexpected<Error> no_kernel(const std::string& what) { return fail(Errc::unsupported, "XNNPACK has no such kernel: " + what); }

using MadePeer = Result<std::unique_ptr<Peer>>;
MadePeer convolution(const OpCall& call, const TensorType& result);
MadePeer matrices(const OpCall& call, const TensorType& result);
MadePeer quantization(const OpCall& call, const TensorType& result);
MadePeer sum_of_floats(const OpCall& call, const TensorType& result);
MadePeer sum_of_codes(const OpCall& call, const TensorType& result);

}  // namespace tiebreak::xnnpack_bench
