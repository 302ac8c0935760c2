// SPDX-License-Identifier: Apache-2.0
// ONNX Runtime loaded at run time: models in, raw tensors out, every refusal as an Error.
#pragma once
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "interpreter/error.hpp"
#include "tools/adapters/onnxruntime/ort_api.hpp"

namespace tiebreak::ort {

/// Bytes as the library has them: sub-byte elements packed, lowest bits first.
struct RawTensor {
  int element_type = 0;  ///< number of ONNX TensorProto.DataType
  std::vector<std::int64_t> shape{};
  std::vector<std::byte> bytes{};
};

struct SessionSettings {
  int graph_level = 99;  ///< 0 off, 1 basic, 2 extended, 99 all
  std::map<std::string, std::string> config{};
  std::string optimized_model_path{};  ///< writes the graph after the optimizer there
};

class Library;

class Session {
 public:
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  const std::vector<std::string>& inputs() const { return inputs_; }
  const std::vector<std::string>& outputs() const { return outputs_; }
  /// Inputs in the order of inputs(), results in the order of outputs(). `stated_types` are the results' types by the model, 0 where
  /// unknown. Errc::backend with the library's text where it refuses.
  Result<std::vector<RawTensor>> run(std::vector<RawTensor>& inputs, const std::vector<int>& stated_types = {}) const;
  /// The same without a look at the results: what is timed.
  Status compute(std::vector<RawTensor>& inputs) const;

 private:
  Status compute(std::vector<RawTensor>& inputs, c::Value** results) const;
  friend class Library;
  explicit Session(const Library& library) : library_(library) {}
  const Library& library_;
  c::Session* session_ = nullptr;
  std::vector<std::string> inputs_{}, outputs_{};
};

class Library {
 public:
  /// Errc::io where no such library can be loaded; the hint says how to install one.
  static Result<std::unique_ptr<Library>> open(const std::string& path);
  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  const std::string& version() const { return version_; }
  const std::string& path() const { return path_; }
  /// Errc::unsupported with the library's text where it takes no such model.
  Result<std::unique_ptr<Session>> load(std::span<const std::byte> model, const SessionSettings& settings) const;
  const c::Api& api() const { return api_; }
  /// nullptr is success; otherwise the status is read, released and returned as an error of this kind.
  Status check(c::Status* status, Errc code) const;

 private:
  Library() = default;
  c::Api api_{};
  void* handle_ = nullptr;
  c::Env* env_ = nullptr;
  std::string version_{}, path_{};
};

/// Bytes that a tensor of n elements takes in the library, 0 for a type number it does not know.
std::size_t packed_bytes(int element_type, std::int64_t elements);

}  // namespace tiebreak::ort
