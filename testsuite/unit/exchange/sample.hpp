// SPDX-License-Identifier: Apache-2.0
// Builders and files for the tests of this room and of backends. All but the two golden files are inline, for the sake of the other room.
#pragma once
#include <sys/wait.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <vector>

#include "testsuite/exchange/exchange.hpp"

namespace tiebreak::sample {

inline TensorType type_of(const std::string& word, Shape shape) { return {*ElementType::parse(word), std::move(shape)}; }

/// Codes 0, 1, 2 ... times `step`, within the element's width.
inline Tensor counted(const TensorType& type, std::uint64_t step = 1) {
  Tensor tensor = *Tensor::zeros(type);
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    tensor.set_code(i, type.element.is_boolean() ? static_cast<std::uint64_t>(i) % 2 : static_cast<std::uint64_t>(i) * step);
  }
  return tensor;
}

/// Raw float32 values.
inline Tensor floats(const std::vector<float>& values, Shape shape) {
  std::vector<std::byte> data(values.size() * sizeof(float));
  std::memcpy(data.data(), values.data(), data.size());
  return *Tensor::from_bytes(type_of("f32", std::move(shape)), std::move(data), "sample");
}

inline Tensor bytes(const std::string& word, const std::vector<int>& codes, Shape shape) {
  std::vector<std::byte> data;
  for (int code : codes) data.push_back(static_cast<std::byte>(code));
  return *Tensor::from_bytes(type_of(word, std::move(shape)), std::move(data), "sample");
}

inline ExchangeTensor named(const std::string& name, Tensor tensor) {
  ExchangeTensor result;
  result.name = name;
  result.tensor = std::move(tensor);
  return result;
}

/// One onnx.QuantizeLinear case: x f32, one scale, u8 zero point; `id` and the kind of file are the caller's.
inline ExchangeCase quantize_case(const std::string& id, const std::vector<float>& x, float scale, int zero_point) {
  const auto count = static_cast<std::int64_t>(x.size());
  ExchangeCase one;
  one.id = id;
  one.op = "onnx.QuantizeLinear";
  one.version = 21;
  one.attributes = {{"axis", {Real(1)}}};
  one.program = "%y = \"onnx.QuantizeLinear\"(%x, %y_scale, %y_zero_point)";
  one.profile = "onnx";
  one.inputs = {named("x", floats(x, {count})), named("y_scale", floats({scale}, {})), named("y_zero_point", bytes("u8", {zero_point}, {}))};
  one.outputs = {named("y", *Tensor::zeros(type_of("u8", {count})))};
  return one;
}

/// A golden file of two small cases.
ExchangeFile small_golden();
/// Every element type, quantized forms, every kind of attribute, companions, odd names, scalars, empty tensors.
ExchangeFile full_golden();

/// A folder that is removed at the end.
class Folder {
 public:
  Folder() {
    std::string path = (std::filesystem::temp_directory_path() / "tiebreak-test-XXXXXX").string();
    if (::mkdtemp(path.data()) != nullptr) path_ = path;
  }
  ~Folder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_{};
};

/// Exit status of a shell command.
inline int shell(const std::string& command) {
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// A Python that has h5py, "" if there is none.
inline std::string python_with_h5py() {
  for (const char* python : {"/usr/bin/python3", "python3"}) {
    if (shell(std::string(python) + " -c 'import h5py, numpy' 2>/dev/null") == 0) return python;
  }
  return "";
}

inline std::string read_text(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

inline void write_text(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

}  // namespace tiebreak::sample
