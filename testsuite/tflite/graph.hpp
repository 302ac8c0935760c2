// SPDX-License-Identifier: Apache-2.0
// What the lowerings share: parameters read from operands, and the model under construction.
#pragma once
#include "testsuite/tflite/lower.hpp"

namespace tiebreak::tflite {

constexpr int table_of_fully_connected = 8;
constexpr std::int8_t sign_bit = 5;  ///< an activation that kernels ignore and the delegate does not take

class Graph {
 public:
  explicit Graph(const LowerOptions& options) : options_(options) {}

  /// A tensor that the host gives; the index is that of the tensor which the operator reads.
  Result<int> input(const std::string& name, const Tensor& tensor, std::optional<Quantization> quantization);
  /// The same, but where the host has no such type the bytes come in as u8, and a BITCAST makes elements of them.
  Result<int> bytes(const std::string& name, const Tensor& tensor, std::optional<Quantization> quantization);
  int constant(const std::string& name, const Tensor& tensor, std::optional<Quantization> quantization);
  int value(const std::string& name, const TensorType& type, std::optional<Quantization> quantization);
  /// What the runtime keeps between calls.
  int variable(const std::string& name, const TensorType& type, std::optional<Quantization> quantization);
  void node(Builtin builtin, int version, std::vector<int> inputs, int output, Options options = {});
  void node(Builtin builtin, int version, std::vector<int> inputs, std::vector<int> outputs, Options options);
  /// The tensor becomes the model's result, moved to u8 where the host wants it.
  Result<Lowered> finish(int output, TensorType result, bool channels_last = false);
  /// The same for a result of any type: as bytes where the host has no such type.
  Result<Lowered> finish_bytes(int output, TensorType result);
  Result<Lowered> finish_bytes(const std::vector<int>& outputs, const std::vector<TensorType>& results);
  /// The tensor as a host takes it: its bytes, where the host has no such type.
  int as_bytes(int index);
  /// For models of many operators.
  Lowered& lowered() { return lowered_; }
  const std::vector<ModelTensor>& tensors() const { return lowered_.model.tensors; }
  const LowerOptions& options() const { return options_; }

 private:
  LowerOptions options_;
  Lowered lowered_{};
};

/// An operand that must be there.
Result<Tensor> operand(const OpCall& call, std::size_t index);
/// Parameters of a whole tensor, of operands `scale` and `scale + 1`; an absent zero point is 0. Scales must be positive and finite.
Result<Quantization> whole_parameters(const OpCall& call, std::size_t scale, std::size_t zero_point, const ElementType& element);
/// One or several scales, along `axis`.
Result<Quantization> parameters(const OpCall& call, std::size_t scale, std::size_t zero_point, const ElementType& element, int axis);
/// Symmetric parameters of int8 weights, as their type states them: one scale, or `count` along `axis`.
Result<Quantization> weight_parameters(const QuantizedType& type, int axis, std::int64_t count);
/// An attribute that is a list of whole numbers; `otherwise` where it is absent, or no such list.
std::vector<std::int64_t> numbers(const OpCall& call, const std::string& name, std::vector<std::int64_t> otherwise);
bool is_eight_bits(const ElementType& element);
/// The same elements in another order: result[index] = tensor[permuted index].
Result<Tensor> transposed(const Tensor& tensor, const std::vector<int>& order);
Result<Tensor> reshaped(const Tensor& tensor, const Shape& shape);

/// An operator of family `tflite`, whose page has its operands as the format has them.
Result<Lowered> lower_operator(const OpCall& call, const LowerOptions& options);
Result<Lowered> lower_quantize(const OpCall& call, const LowerOptions& options);
Result<Lowered> lower_dequantize(const OpCall& call, const LowerOptions& options);
Result<Lowered> lower_requantize(const OpCall& call, const LowerOptions& options);
Result<Lowered> lower_binary(const OpCall& call, const LowerOptions& options);
Result<Lowered> lower_matmul(const OpCall& call, const LowerOptions& options);
Result<Lowered> lower_convolution(const OpCall& call, const LowerOptions& options);
Result<Lowered> lower_hybrid_product(const OpCall& call, const LowerOptions& options);
Result<Lowered> lower_hybrid_convolution(const OpCall& call, const LowerOptions& options);
Result<Lowered> lower_average_pool(const OpCall& call, const LowerOptions& options);
Result<Lowered> lower_max_pool(const OpCall& call, const LowerOptions& options);

}  // namespace tiebreak::tflite
