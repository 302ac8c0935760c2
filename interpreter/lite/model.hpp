// SPDX-License-Identifier: Apache-2.0
// A TensorFlow Lite model as plain values, and its file. Tensors, then operators over them.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "interpreter/error.hpp"
#include "interpreter/tensor/tensor.hpp"

namespace tiebreak::tflite {

/// value = (code - zero_point) * scale; several parameters run along `axis`.
struct Quantization {
  std::vector<float> scales{};
  std::vector<std::int64_t> zero_points{};
  int axis = 0;
};

struct ModelTensor {
  std::string name{};
  TensorType type{};
  std::optional<Quantization> quantization{};
  std::optional<Tensor> constant{};
  bool variable = false;  ///< kept by the runtime between calls; zero at first
  Shape signature{};      ///< the shape with open dimensions, where it has some
};

/// The numbers of the schema's BuiltinOperator.
enum class Builtin : int {
  add = 0,
  average_pool_2d = 1,
  conv_2d = 3,
  depthwise_conv_2d = 4,
  dequantize = 6,
  fully_connected = 9,
  max_pool_2d = 17,
  mul = 18,
  reshape = 22,
  custom = 32,
  cast = 53,
  quantize = 114,
  choose = 118,  ///< IF
  loop = 119,    ///< WHILE
  call_once = 129,
  bitcast = 159
};
std::string to_word(Builtin builtin);  ///< CONV_2D

/// A table of options: its number in the schema's union, and the fields that are not at their default.
struct OptionField {
  int number = 0;
  std::variant<std::int8_t, std::int32_t, float, std::vector<std::int32_t>> value{};
  bool operator==(const OptionField&) const = default;
};
struct Options {
  int table = 0;  ///< 0: none
  std::vector<OptionField> fields{};
  bool operator==(const Options&) const = default;
};

struct ModelOperator {
  Builtin builtin = Builtin::add;
  int version = 1;
  std::vector<int> inputs{};  ///< -1: an operand that is absent
  std::vector<int> outputs{};
  Options options{};
  std::string custom{};              ///< the name of an operator that is not builtin
  std::vector<int> intermediates{};  ///< tensors without data, whose parameters the kernel takes for values of its own
};

/// A graph: of the file the first, in which the others are kept that IF and WHILE run.
struct Model {
  std::vector<ModelTensor> tensors{};
  std::vector<ModelOperator> operators{};
  std::vector<int> inputs{};
  std::vector<int> outputs{};
  std::string name = "main";
  std::vector<Model> further{};  ///< subgraphs 1, 2 ...; they have none themselves

  int add(ModelTensor tensor);  ///< its index
};

/// The file. Errc::unsupported where an element type has no number there, or where this was built without FlatBuffers.
Result<std::vector<std::byte>> write_model(const Model& model);
/// Every offset, index and size is verified; what its operators mean is not looked at. Errc::corrupt, with the place in the file's own terms.
Result<Model> read_model(std::span<const std::byte> bytes, const std::string& file);
/// Built with FlatBuffers.
bool can_write();
/// One line an operator, for messages and reports: QUANTIZE v1 (x f32[4]) -> y i8[4] scale 0.5 zero point 3.
std::string model_text(const Model& model);

}  // namespace tiebreak::tflite
