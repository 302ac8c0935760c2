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
};

/// oneDNN on one thread, of a convolution, a product of matrices, a quantization or a sum as the ONNX operators have them. Errc::unsupported with the
/// reason where it refuses the call, or where this build is without it.
Result<std::unique_ptr<Peer>> onednn_peer(const OpCall& call, const TensorType& result);

}  // namespace tiebreak
