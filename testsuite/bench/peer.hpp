// SPDX-License-Identifier: Apache-2.0
// The same computation by another library, to be timed beside Tiebreak's in one run.
#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "interpreter/evaluate/evaluate.hpp"

namespace tiebreak {

/// A call made ready in the other library: its primitive made, operands in the layout that it asks for, memory for the result. What is timed is run() alone.
class Peer {
 public:
  virtual ~Peer() = default;
  virtual void run() = 0;
  /// Row-major, in the type of the page's result.
  virtual std::vector<std::byte> result() = 0;
  /// Whose values its own are held against: the text's, but for products that a processor adds otherwise (pairs of them saturate in AVX2).
  virtual std::string profile() const { return "onnx"; }
};

/// Each on one thread. Errc::unsupported where the library has no kernel for the call, or refuses it; Errc::io where it is not there.
///
/// oneDNN: sums of convolutions and matrices of codes and floats, quantization, addition of floats.
Result<std::unique_ptr<Peer>> onednn_peer(const OpCall& call, const TensorType& result);
/// XNNPACK: convolutions and matrices of floats and from codes to codes, quantization, addition of floats and codes. It has no integer sums as results.
Result<std::unique_ptr<Peer>> xnnpack_peer(const OpCall& call, const TensorType& result);
/// ONNX Runtime: a model of the one operator, in which all operands are constants but the first, and of an addition both.
Result<std::unique_ptr<Peer>> onnxruntime_peer(const OpCall& call, const TensorType& result);

}  // namespace tiebreak
