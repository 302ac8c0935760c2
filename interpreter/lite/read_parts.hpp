// SPDX-License-Identifier: Apache-2.0
// Parts of a file as plain values. Included by the reader alone.
#pragma once
#include "interpreter/lite/flat_table.hpp"
#include "interpreter/lite/model.hpp"

namespace tiebreak::tflite {

/// The data of a file: buffers by their numbers, and how many bytes of them constants have taken.
class Buffers {
 public:
  Buffers(std::span<const std::byte> file, FlatTables tables) : file_(file), tables_(std::move(tables)) {}
  /// Nothing for a buffer without data. `where` is the tensor's.
  Result<std::span<const std::byte>> data(std::uint32_t buffer, const std::string& where);

 private:
  std::span<const std::byte> file_;
  FlatTables tables_;
  std::uint64_t taken_ = 0;
};

Result<ModelTensor> read_tensor(const FlatTable& table, Buffers& buffers);
Result<Options> read_options(const FlatTable& table, Builtin builtin);

}  // namespace tiebreak::tflite
