// SPDX-License-Identifier: Apache-2.0
// Protobuf messages by hand, for ONNX files that no writer of ours would make: cycles, short data, old and new data types.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tiebreak::wire {

inline std::string varint(std::uint64_t value) {
  std::string bytes;
  do {
    bytes += static_cast<char>((value & 0x7F) | (value > 0x7F ? 0x80 : 0));
    value >>= 7;
  } while (value != 0);
  return bytes;
}
inline std::string integer(int field, std::int64_t value) { return varint(static_cast<std::uint64_t>(field) << 3) + varint(static_cast<std::uint64_t>(value)); }
inline std::string block(int field, const std::string& bytes) { return varint((static_cast<std::uint64_t>(field) << 3) | 2) + varint(bytes.size()) + bytes; }

/// TensorProto; `data` is what stands behind dims and type: one of the fields below.
inline std::string tensor(const std::string& name, const std::vector<std::int64_t>& dims, int type, const std::string& data) {
  std::string bytes;
  for (std::int64_t dimension : dims) bytes += integer(1, dimension);
  return bytes + integer(2, type) + block(8, name) + data;
}
inline std::string raw(const std::string& bytes) { return block(9, bytes); }
inline std::string int32s(const std::vector<std::int64_t>& values) {
  std::string packed;
  for (std::int64_t value : values) packed += varint(static_cast<std::uint64_t>(value));
  return block(5, packed);
}

using Names = std::vector<std::string>;
/// NodeProto in the field of the message that has it: 1 of a graph, 7 of a function.
inline std::string node_in(int field, const std::string& op, const Names& inputs, const Names& outputs, const std::string& more) {
  std::string bytes;
  for (const std::string& name : inputs) bytes += block(1, name);
  for (const std::string& name : outputs) bytes += block(2, name);
  return block(field, bytes + block(3, op + "_node") + block(4, op) + more);
}
inline std::string node(const std::string& op, const Names& inputs, const Names& outputs, const std::string& more = {}) {
  return node_in(1, op, inputs, outputs, more);
}
inline std::string step(const std::string& op, const Names& inputs, const Names& outputs, const std::string& more = {}) {
  return node_in(7, op, inputs, outputs, more);
}
/// A function of the domain `d`, bound to opset 13.
inline std::string function(const std::string& name, const Names& inputs, const Names& outputs, const std::string& steps) {
  std::string bytes = block(1, name);
  for (const std::string& input : inputs) bytes += block(4, input);
  for (const std::string& output : outputs) bytes += block(5, output);
  return block(25, bytes + steps + block(9, block(1, "") + integer(2, 13)) + block(9, block(1, "d") + integer(2, 1)) + block(10, "d"));
}
inline std::string in_domain(const std::string& domain) { return block(7, domain); }
inline std::string imports(const std::string& domain, int opset) { return block(8, block(1, domain) + integer(2, opset)); }
inline std::string attribute(const std::string& name, const std::string& value) { return block(5, block(1, name) + value); }
inline std::string value_info(const std::string& name) { return block(1, name); }
inline std::string model(const std::string& graph, int opset = 21) { return integer(1, 10) + block(8, block(1, "") + integer(2, opset)) + block(7, graph); }

inline std::vector<std::byte> bytes(const std::string& text) {
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

}  // namespace tiebreak::wire
