// SPDX-License-Identifier: Apache-2.0
// Between the ONNX messages and the program. Included by onnx_*.cpp only, which alone see protobuf.
// The installed message classes know data types up to bfloat16 (16); newer ones are plain numbers here, as in the files.
#pragma once
// The installed library was built with these two.
#ifndef ONNX_ML
#define ONNX_ML 1
#endif
#ifndef ONNX_NAMESPACE
#define ONNX_NAMESPACE onnx
#endif
#include <onnx/onnx_pb.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/program/program.hpp"

namespace tiebreak::onnx_format {

inline constexpr std::uint64_t file_limit = std::uint64_t{2} << 30;

/// The element type of a TensorProto data type; nothing for 0, strings, complex numbers and unknown numbers.
std::optional<ElementType> element_of(std::int64_t data_type);
/// The TensorProto data type, 0 where ONNX has none.
int data_type_of(const ElementType& element);
/// A name from a file, fit for a message: printable and short.
std::string shown(const std::string& name);

Result<Tensor> read_tensor(const onnx::TensorProto& proto, const std::string& where);
Status write_tensor(const Tensor& tensor, const std::string& name, onnx::TensorProto& proto, const std::string& where);
/// `output_dtype`, `precision`, `to` and `dtype` hold element types: 0 becomes none.
/// `name`: that of the attribute, which the value of a function's attribute takes where it is read.
Result<Attribute> read_attribute(const onnx::AttributeProto& proto, const std::string& name, const std::string& where);
/// `op` and `name` decide whether ONNX has whole numbers or floats there.
Status write_attribute(const std::string& op, const std::string& name, const Attribute& attribute, onnx::AttributeProto& proto, const std::string& where);
/// The attributes of an operator that hold graphs, in the order of its regions.
std::vector<std::string> graph_attributes(const std::string& op);
/// quantization_annotation, as what is stated of values; `names` has the values of the program.
Status read_annotations(const onnx::GraphProto& graph, const std::map<std::string, ValueId>& names, Program& program);
/// The same back; `names` has a name for each value.
Status write_annotations(const Program& program, const std::vector<std::string>& names, onnx::GraphProto& graph);
/// What a Constant node holds, from its attributes.
Result<Tensor> constant_of(AttributeMap& attributes, const std::string& where);
/// The domain of ONNX's own operators, which has two names, is "".
std::string own_domain(const std::string& domain);
/// The newest opset of each domain that a model or a function imports.
using Opsets = std::map<std::string, int>;
Result<Opsets> imported_opsets(const google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto>& imports, const std::string& where);
/// The type of a tensor with a fixed shape. Other kinds of values and open shapes have none.
std::optional<TensorType> fixed_type(const onnx::ValueInfoProto& info);
/// Takes the functions out of the model.
Result<Program> read_model(onnx::ModelProto& model, const std::string& file);
Status write_model(const Program& program, onnx::ModelProto& model);

}  // namespace tiebreak::onnx_format
