// SPDX-License-Identifier: Apache-2.0
// Arrays as other programs keep them in files: NumPy's .npy and .npz, ONNX's .pb, exchange files, and bytes whose type only the reader knows.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "interpreter/tensor/tensor.hpp"

namespace tiebreak {

/// One array of a file. Either `tensor` is there, or `raw` has bytes of which the file does not say what they mean.
struct ArrayOfFile {
  std::string name;                ///< as the file has it: the member of an archive, the tensor's own name, else the file's name without its ending
  std::string origin;              ///< the file, and the member behind a colon
  std::optional<Tensor> tensor{};  ///< row-major, without quantization parameters
  std::vector<std::byte> raw{};    ///< row-major, little-endian
  std::optional<Shape> shape{};    ///< of `raw`, where the file states it
  std::string stated{};            ///< of `raw`: how the file calls its type, "" where it says nothing
};

/// What a file holds, by the ending of its name: .npy, .npz, .pb, .h5 (the outputs of its first case), .raw and .bin. Errc::usage for another ending; Errc::io,
/// Errc::corrupt and Errc::limit with the file, and the member of an archive.
Result<std::vector<ArrayOfFile>> read_array_file(const std::string& path);
/// Whether read_array_file knows the ending.
bool is_array_file(const std::string& path);

/// The array as a tensor of this type. Its numbers are those of the array: where the array's own element type is another, each number must be one of the
/// type's, and for a quantized type floats may be what the codes stand for. Dimensions of extent 1 may be there or not. Errc::type names the first element that
/// does not fit.
Result<Tensor> tensor_of(const ArrayOfFile& array, const TensorType& type);
/// The array as it is: Errc::type where the file does not state its type.
Result<Tensor> tensor_of(const ArrayOfFile& array);
/// The dimensions in another order: dimension i of the result is dimension `order[i]` of the array.
Result<ArrayOfFile> transposed(const ArrayOfFile& array, const std::vector<std::int64_t>& order);

}  // namespace tiebreak
