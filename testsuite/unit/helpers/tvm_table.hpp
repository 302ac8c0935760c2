// SPDX-License-Identifier: Apache-2.0
// The published cases of TVM's quantized ops as calls of the pages: a case is a list of nodes, and the pages' operands have the table's names.
#pragma once
#include <algorithm>
#include <map>

#include "testsuite/unit/helpers/published_tables.hpp"

namespace tiebreak::tvm {

/// int8, uint16, float32 ... as the notation spells them.
inline std::string element_word(const std::string& dtype) {
  const std::size_t digits = dtype.find_first_of("0123456789");
  if (digits == std::string::npos) return dtype;
  return (dtype.starts_with("uint") ? "u" : dtype.starts_with("int") ? "i" : "f") + dtype.substr(digits);
}

/// Flat data, one number for a scalar, or one number for all.
inline Tensor tensor_of(const json& entry) {
  const Shape shape = entry["shape"].get<Shape>();
  std::int64_t size = 1;
  for (std::int64_t extent : shape) size *= extent;
  json data = entry.contains("fill") ? json::array() : entry["data"];
  if (entry.contains("fill")) data.insert(data.end(), static_cast<std::size_t>(size), entry["fill"]);
  if (!data.is_array()) data = json::array({data});
  return table_tensor(element_word(entry["dtype"]), shape, data);
}

inline Attribute attribute_of(const json& value) {
  if (value.is_number_float()) return Attribute{Real::from_double(value.get<double>())};
  if (!value.is_string()) return table_attribute(value);
  const std::string text = value.get<std::string>();
  if (text == "None") return Attribute{};
  if (auto type = ElementType::parse(element_word(text))) return Attribute{*type};
  return Attribute{text};
}

inline Result<Tensor> first_of(Result<std::vector<ResultTensor>> results) {
  if (!results) return tl::unexpected<Error>(results.error());
  if (!results->front().undefined.empty() && std::ranges::count(results->front().undefined, 1) > 0)
    return fail(Errc::internal, "a result that should be defined is undefined", "");
  return std::move(results->front().tensor);
}

/// Ops of Relay itself have pages in the family qnn.
inline std::string page_op(const std::string& op) {
  if (op == "nn.bias_add") return "qnn.bias_add";
  return op == "fixed_point_multiply" ? "qnn.fixed_point_multiply" : op;
}

using Values = std::map<std::string, Tensor>;

/// Operands by the names of the page's header, from the node's inputs and tensor attributes; what is left are attributes.
inline Result<Tensor> run_node(const Semantics& semantics, const json& node, const Values& values) {
  OpCall call{.op = page_op(node["op"]), .where = node["output"].get<std::string>()};
  TIEBREAK_TRY(place, semantics.library.find_op(call.op));
  for (const notation::Operand& operand : place.op->operands) {
    if (node["inputs"].contains(operand.name)) call.operands.emplace_back(values.at(node["inputs"][operand.name]));
    else if (node["attrs"].contains(operand.name)) call.operands.emplace_back(tensor_of(node["attrs"][operand.name]));
    else call.operands.emplace_back();
  }
  for (const auto& [name, value] : node["attrs"].items())
    if (!value.is_object()) call.attributes[name] = attribute_of(value);
  return first_of(evaluate(semantics, call));
}

inline Result<Tensor> split(const Tensor& whole, std::int64_t sections, std::int64_t index) {
  TensorType type = whole.type();
  type.shape[0] /= sections;
  const auto part = static_cast<std::ptrdiff_t>(whole.bytes().size()) / sections;
  const auto first = whole.bytes().begin() + index * part;
  return Tensor::from_bytes(type, {first, first + part}, "split");
}

/// Tuples of tensors, scales and zero points in the table, triples behind the result's parameters on the page.
inline Result<Tensor> concatenate(const Semantics& semantics, const json& node, const Values& values) {
  const json& names = node["inputs"]["data"];
  const json& attributes = node["attrs"];
  OpCall call{.op = "qnn.concatenate",
              .operands = {tensor_of(attributes["output_scale"]), tensor_of(attributes["output_zero_point"])},
              .attributes = {{"axis", attribute_of(attributes["axis"])}}};
  for (std::size_t i = 0; i < names.size(); ++i)
    call.operands.insert(call.operands.end(), {values.at(names[i]), tensor_of(attributes["input_scales"][i]), tensor_of(attributes["input_zero_points"][i])});
  return first_of(evaluate(semantics, call));
}

/// All nodes of a case in order; the last one's value.
inline Result<Tensor> run_case(const Semantics& semantics, const json& entry) {
  Values values;
  for (const auto& [name, input] : entry["inputs"].items()) values[name] = tensor_of(input);
  Tensor last;
  for (const json& node : entry["program"]) {
    const std::string op = node["op"];
    TIEBREAK_TRY(value, op == "qnn.concatenate" ? concatenate(semantics, node, values)
                        : op == "split_get"     ? split(values.at(node["inputs"]["data"]), node["attrs"]["sections"], node["attrs"]["index"])
                                                : run_node(semantics, node, values));
    values[node["output"]] = value;
    last = std::move(value);
  }
  return last;
}

/// Elements that differ by more than `tolerance`; every element where type or shape differ.
inline std::int64_t differing(const Tensor& actual, const Tensor& expected, const Real& tolerance) {
  if (actual.shape() != expected.shape() || !(actual.element() == expected.element())) return std::max<std::int64_t>(1, expected.size());
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < expected.size(); ++i) count += abs(actual.value(i) - expected.value(i)) <= tolerance ? 0 : 1;
  return count;
}

}  // namespace tiebreak::tvm
