// SPDX-License-Identifier: Apache-2.0
// Quantization parameters of a program's tensors, and where each comes from: the JSON `tiebreak.parameters/1`.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "interpreter/error.hpp"
#include "interpreter/tensor/attribute.hpp"
#include "interpreter/tensor/tensor_type.hpp"

namespace tiebreak {

/// The least and greatest number that a tensor was seen to hold, or that its codes can stand for: finite, in order.
struct Range {
  Real low, high;
};

struct TensorParameters {
  std::string tensor;  ///< a value of the float program, by its name
  QuantizedType type;
  /// A provider's name, `given`, `fixed: softmax`, `bias: x * w`, `accumulator: x * w`, `same as: y`, `joined: x, y`, `recovered: ...`, `annotation: ...`
  std::string from;
  std::optional<Range> range{};
};

struct ParameterSet {
  std::string model;
  std::vector<TensorParameters> tensors;  ///< no two of one tensor
  const TensorParameters* find(const std::string& tensor) const;
};

/// Every fault with its place: a key that is not known, a tensor that stands twice, a type that is none or contradicts itself, a range
/// with one end, with an infinite one, or upside down.
Result<ParameterSet> parse_parameters(const std::string& text, const std::string& file);
Result<ParameterSet> read_parameters(const std::string& path);
/// Reads back to the same set, and is written the same again.
std::string parameters_json(const ParameterSet& set);

/// `!quant.uniform<i8:f32, 0.1:3>` alone, in MLIR's spelling. What depends on a tensor's extents (C12, C13) is not asked: there is none.
Result<QuantizedType> parse_quantized_type(const std::string& text, const std::string& where);
std::string to_text(const QuantizedType& type);
/// The type as what an annotation states: scale, zero_point, clip_min, clip_max, axis, storage, from. Empty of a type with blocks, which annotations cannot
/// say.
AttributeMap quantize_info_of(const QuantizedType& type, const std::string& from);
/// A number as the shortest text that reads back to the same one.
std::string exact_text(const Real& number);

}  // namespace tiebreak
