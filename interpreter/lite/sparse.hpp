// SPDX-License-Identifier: Apache-2.0
// Weights of which a file keeps some elements only: levels of dimensions, each dense or with the places that are there, as the format nests them.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "interpreter/tensor/tensor.hpp"

namespace tiebreak::tflite {

struct SparseLevel {
  bool dense = true;
  std::int64_t size = 0;                 ///< of a dense level
  std::vector<std::int64_t> segments{};  ///< where the places of each position of the level before begin, and the end
  std::vector<std::int64_t> indices{};
};

struct Sparsity {
  std::vector<std::int64_t> order{};   ///< which dimension each level runs along; those behind the tensor's are places within a block
  std::vector<std::int64_t> blocks{};  ///< which dimension each of these cuts into blocks
  std::vector<SparseLevel> levels{};
};

/// All elements, zeros where nothing is kept. `kept` has a tensor's bytes for each element in the order of the levels.
Result<Tensor> densified(const Sparsity& sparsity, const TensorType& type, std::span<const std::byte> kept, const std::string& where);

}  // namespace tiebreak::tflite
