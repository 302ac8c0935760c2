// SPDX-License-Identifier: Apache-2.0
// Small models, built node by node. The same calls give the same file on every machine.
#pragma once
#include <string>
#include <vector>

#include "interpreter/program/program.hpp"
#include "testsuite/generate/pseudo_random.hpp"

namespace tiebreak::models {

/// Scale and zero point of a tensor, by the names of their constants.
struct Quantization {
  ValueId scale = -1, zero_point = -1;
};

class ModelBuilder {
 public:
  ModelBuilder(const std::string& name, int opset, std::uint64_t seed) : opset_(opset), random_(seed) { program_.name = program_.file = name; }

  ValueId input(const std::string& name, const char* type, Shape shape);
  ValueId floats(const std::string& name, Shape shape, const std::vector<double>& values);  ///< f32; one value stands for all
  ValueId whole(const std::string& name, const char* type, Shape shape, const std::vector<std::int64_t>& values);
  /// Drawn evenly from least .. greatest.
  ValueId drawn(const std::string& name, const char* type, Shape shape, std::int64_t least, std::int64_t greatest);
  ValueId drawn_floats(const std::string& name, Shape shape, double least, double greatest);
  Quantization quantization(const std::string& name, double scale, const char* type, std::int64_t zero_point);

  /// A node of ONNX, or of com.microsoft where `op` begins with `microsoft.`; its first result is called `name`.
  ValueId add(const std::string& op, const std::string& name, std::vector<ValueId> operands, AttributeMap attributes = {});
  std::vector<ValueId> add_several(const std::string& op, const std::vector<std::string>& names, std::vector<ValueId> operands, AttributeMap attributes = {});
  /// QuantizeLinear and DequantizeLinear behind a value.
  ValueId quantized_and_back(const std::string& name, ValueId value, const Quantization& quantization);

  Program finish(std::vector<ValueId> outputs);

 private:
  ValueId define(const std::string& name, std::optional<TensorType> type, std::optional<Tensor> constant = std::nullopt);

  int opset_;
  PseudoRandom random_;
  Program program_{};
};

Attribute number(std::int64_t value);
Attribute numbers(const std::vector<std::int64_t>& values);

}  // namespace tiebreak::models
