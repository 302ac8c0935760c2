// SPDX-License-Identifier: Apache-2.0
// ONNX bytes and files: parsing and serialisation, with protobuf's failures turned into errors.
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include "interpreter/program/file_bytes.hpp"
#include "interpreter/program/onnx_input_shapes.hpp"
#include "interpreter/program/onnx_proto.hpp"
#include "interpreter/program/onnx_tensor_file.hpp"

namespace tiebreak {
namespace {

template <class Message>
Status parse(std::span<const std::byte> bytes, Message& message, const std::string& file) {
  if (bytes.size() >= onnx_format::file_limit) return fail(Errc::limit, "a file of 2 GiB or more", file);
  if (bytes.empty()) return fail(Errc::corrupt, "the file is empty", file);
  try {
    if (message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return {};
  } catch (const std::exception& error) {
    return fail(Errc::corrupt, std::string("not a readable ONNX file: ") + error.what(), file);
  }
  return fail(Errc::corrupt, "not a readable ONNX file", file);
}

/// The same bytes for the same message.
template <class Message>
Result<std::vector<std::byte>> serialised(const Message& message, const std::string& place) {
  if (message.ByteSizeLong() >= onnx_format::file_limit) return fail(Errc::limit, "the file would take 2 GiB or more", place);
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    if (!message.SerializeToCodedStream(&coded)) return fail(Errc::internal, "the file cannot be serialised", place);
  }
  const auto* first = reinterpret_cast<const std::byte*>(bytes.data());
  return std::vector<std::byte>(first, first + bytes.size());
}

}  // namespace

Result<Program> read_onnx(std::span<const std::byte> bytes, const std::string& file) {
  onnx::ModelProto model;
  TIEBREAK_CHECK(parse(bytes, model, file));
  return onnx_format::read_model(model, file);
}

Result<Program> read_onnx_file(const std::string& path) {
  TIEBREAK_TRY(bytes, file_bytes(path));
  return read_onnx(bytes, path);
}

Result<std::map<std::string, Shape>> onnx_input_shapes(const std::string& path) {
  TIEBREAK_TRY(bytes, file_bytes(path));
  onnx::ModelProto model;
  TIEBREAK_CHECK(parse(bytes, model, path));
  std::map<std::string, Shape> shapes;
  for (const auto& input : model.graph().input()) {
    if (!input.type().has_tensor_type() || !input.type().tensor_type().has_shape()) continue;
    Shape& shape = shapes[input.name()];
    for (const auto& dimension : input.type().tensor_type().shape().dim())
      shape.push_back(dimension.has_dim_value() && dimension.dim_value() >= 0 ? dimension.dim_value() : open_dimension);
  }
  return shapes;
}

Result<Tensor> read_onnx_tensor_file(const std::string& path, std::string* name) {
  TIEBREAK_TRY(bytes, file_bytes(path));
  onnx::TensorProto proto;
  TIEBREAK_CHECK(parse(bytes, proto, path));
  if (name) *name = proto.name();
  return onnx_format::read_tensor(proto, path);
}

Result<std::vector<std::byte>> write_onnx_model(const Program& program) {
  onnx::ModelProto model;
  TIEBREAK_CHECK(onnx_format::write_model(program, model));
  return serialised(model, program.file);
}

Result<std::vector<std::byte>> write_onnx_tensor(const Tensor& tensor, const std::string& name) {
  onnx::TensorProto proto;
  TIEBREAK_CHECK(onnx_format::write_tensor(tensor, name, proto, name));
  return serialised(proto, name);
}

}  // namespace tiebreak
