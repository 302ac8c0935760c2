// SPDX-License-Identifier: Apache-2.0
// ONNX models around one quantized op as OpenCV's importer wants them: floats go in and come out, and a tensor of codes is named NAME_quantized,
// with NAME_scale and NAME_zero_point beside it.
#pragma once
#include <string>
#include <vector>

#include "interpreter/program/program.hpp"
#include "tools/adapters/single_op/linear_ops.hpp"

namespace tiebreak::opencv {

/// A model under construction. Values are known by name.
class QuantizedModel {
 public:
  QuantizedModel();
  void input(const std::string& name, const Shape& shape);
  Status floats(const std::string& name, const Shape& shape, const std::vector<float>& values);
  Status codes(const std::string& name, const std::string& type, const Shape& shape, const std::vector<std::int32_t>& values);
  /// NAME_scale and NAME_zero_point.
  Status quantization(const std::string& name, const Quantization& quantization);
  void operation(const std::string& op, const std::vector<std::string>& operands, const std::string& result, AttributeMap attributes = {});
  /// The bytes of the model whose one result is `name`, of f32.
  Result<std::vector<std::byte>> finish(const std::string& name, const Shape& shape);

 private:
  ValueId value(const std::string& name);
  Status constant(const std::string& name, const std::string& type, const Shape& shape, std::vector<std::byte> bytes);
  Program program_{};
};

}  // namespace tiebreak::opencv
