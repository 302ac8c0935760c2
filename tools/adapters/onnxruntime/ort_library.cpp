// SPDX-License-Identifier: Apache-2.0
// Loading, sessions and runs over the function table. Every handle is released on every path.
#include "tools/adapters/onnxruntime/ort_library.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>

#include "tools/adapters/onnxruntime/find_library.hpp"

namespace tiebreak::ort {
namespace {

constexpr int not_implemented = 9;
constexpr int log_fatal = 4;  // warnings of the library would mix into the adapter's own messages

template <class Release, class Handle>
class Owned {
 public:
  explicit Owned(const c::Api& api) : api_(api) {}
  ~Owned() {
    if (handle_ != nullptr) api_.get<Release>()(handle_);
  }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  Handle** out() { return &handle_; }
  Handle* get() const { return handle_; }
  Handle* release() { return std::exchange(handle_, nullptr); }

 private:
  const c::Api& api_;
  Handle* handle_ = nullptr;
};

std::vector<const char*> pointers(const std::vector<std::string>& names) {
  std::vector<const char*> result;
  for (const std::string& name : names) result.push_back(name.c_str());
  return result;
}

struct Values {
  Values(const c::Api& table, std::size_t count) : api(table), list(count, nullptr) {}
  ~Values() {
    for (c::Value* value : list) {
      if (value != nullptr) api.get<c::ReleaseValue>()(value);
    }
  }
  Values(const Values&) = delete;
  Values& operator=(const Values&) = delete;
  const c::Api& api;
  std::vector<c::Value*> list;
};

/// The 2-bit types and f8e8m0 have two numberings in 1.30.0: tensors are made with ONNX's (24 f8e8m0, 25 u2, 26 i2), but an answer's
/// type is reported in another order (24 u2, 25 i2, 26 f8e8m0). What the model states decides; without it, what was observed.
int settle(int reported, int stated) {
  const auto ambiguous = [](int number) { return number >= 24 && number <= 26; };
  if (!ambiguous(reported)) return reported;
  if (ambiguous(stated)) return stated;
  return reported == 26 ? 24 : reported + 1;
}

Result<RawTensor> read_value(const Library& library, c::Value* value, int stated_type) {
  const c::Api& api = library.api();
  Owned<c::ReleaseShapeInfo, c::ShapeInfo> info(api);
  TIEBREAK_CHECK(library.check(api.get<c::TensorTypeAndShape>()(value, info.out()), Errc::backend));
  RawTensor tensor;
  TIEBREAK_CHECK(library.check(api.get<c::TensorElementType>()(info.get(), &tensor.element_type), Errc::backend));
  tensor.element_type = settle(tensor.element_type, stated_type);
  std::size_t rank = 0;
  TIEBREAK_CHECK(library.check(api.get<c::DimensionCount>()(info.get(), &rank), Errc::backend));
  tensor.shape.resize(rank);
  TIEBREAK_CHECK(library.check(api.get<c::Dimensions>()(info.get(), tensor.shape.data(), rank), Errc::backend));
  std::int64_t count = 1;
  for (std::int64_t extent : tensor.shape) count *= extent;
  std::size_t size = packed_bytes(tensor.element_type, count);
  if (size == 0 && count != 0) return fail(Errc::backend, "the library answered with element type number " + std::to_string(tensor.element_type));
  void* data = nullptr;
  TIEBREAK_CHECK(library.check(api.get<c::TensorData>()(value, &data), Errc::backend));
  tensor.bytes.resize(size);
  if (size != 0) std::memcpy(tensor.bytes.data(), data, size);
  return tensor;
}

using NameOf = c::Status* (*)(const c::Session*, std::size_t, c::Allocator*, char**);
using CountOf = c::Status* (*)(const c::Session*, std::size_t*);

Result<std::vector<std::string>> names_of(const Library& library, const c::Session* session, CountOf count_of, NameOf name_of) {
  const c::Api& api = library.api();
  c::Allocator* allocator = nullptr;
  TIEBREAK_CHECK(library.check(api.get<c::DefaultAllocator>()(&allocator), Errc::backend));
  std::size_t count = 0;
  TIEBREAK_CHECK(library.check(count_of(session, &count), Errc::backend));
  std::vector<std::string> names;
  for (std::size_t index = 0; index < count; ++index) {
    char* name = nullptr;
    TIEBREAK_CHECK(library.check(name_of(session, index, allocator, &name), Errc::backend));
    names.emplace_back(name);
    TIEBREAK_CHECK(library.check(api.get<c::AllocatorFree>()(allocator, name), Errc::backend));
  }
  return names;
}

Status apply(const Library& library, c::SessionOptions* options, const SessionSettings& settings) {
  const c::Api& api = library.api();
  TIEBREAK_CHECK(library.check(api.get<c::SetGraphLevel>()(options, settings.graph_level), Errc::usage));
  TIEBREAK_CHECK(library.check(api.get<c::SetIntraOpThreads>()(options, 1), Errc::usage));
  TIEBREAK_CHECK(library.check(api.get<c::SetInterOpThreads>()(options, 1), Errc::usage));
  TIEBREAK_CHECK(library.check(api.get<c::SetExecutionMode>()(options, 0), Errc::usage));
  TIEBREAK_CHECK(library.check(api.get<c::SetLogSeverity>()(options, log_fatal), Errc::usage));
  for (const auto& [key, value] : settings.config) {
    TIEBREAK_CHECK(library.check(api.get<c::AddSessionConfig>()(options, key.c_str(), value.c_str()), Errc::usage));
  }
  if (!settings.optimized_model_path.empty()) {
    TIEBREAK_CHECK(library.check(api.get<c::SetOptimizedModelPath>()(options, settings.optimized_model_path.c_str()), Errc::usage));
  }
  return {};
}

}  // namespace

std::size_t packed_bytes(int element_type, std::int64_t elements) {
  const auto count = static_cast<std::size_t>(elements);
  switch (element_type) {
    case 2:
    case 3:
    case 9:
    case 17:
    case 18:
    case 19:
    case 20:
    case 24: return count;  // u8 i8 bool f8... f8e8m0
    case 4:
    case 5:
    case 10:
    case 16: return 2 * count;  // u16 i16 f16 bf16
    case 1:
    case 6:
    case 12: return 4 * count;  // f32 i32 u32
    case 7:
    case 11:
    case 13: return 8 * count;  // i64 f64 u64
    case 21:
    case 22:
    case 23: return (count + 1) / 2;  // u4 i4 f4e2m1
    case 25:
    case 26: return (count + 3) / 4;  // u2 i2
    default: return 0;
  }
}

Status Library::check(c::Status* status, Errc code) const {
  if (status == nullptr) return {};
  const int number = api_.get<c::ErrorCode>()(status);
  std::string text = api_.get<c::ErrorMessage>()(status);
  api_.get<c::ReleaseStatus>()(status);
  if (number == not_implemented) code = Errc::unsupported;
  return fail(code, "ONNX Runtime error " + std::to_string(number) + ": " + text);
}

Result<std::unique_ptr<Library>> Library::open(const std::string& path) {
  // Creating an environment otherwise writes a device id and a database below the user's home.
  setenv("ORT_DISABLE_TELEMETRY", "1", 1);
  const std::string hint = install_hint();
  std::unique_ptr<Library> library(new Library());
  library->handle_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library->handle_ == nullptr) return fail(Errc::io, std::string("cannot load ONNX Runtime: ") + dlerror(), {}, hint);
  auto base = reinterpret_cast<const c::ApiBase* (*)()>(dlsym(library->handle_, "OrtGetApiBase"));
  if (base == nullptr) return fail(Errc::io, "not an ONNX Runtime library: it exports no OrtGetApiBase", path, hint);
  const void* const* table = base()->get_api(c::interface_version);
  if (table == nullptr) return fail(Errc::io, std::string("ONNX Runtime ") + base()->version_string() + " is older than 1.14", path, hint);
  library->api_ = c::Api(table);
  library->version_ = base()->version_string();
  library->path_ = path;
  TIEBREAK_CHECK(library->check(library->api_.get<c::CreateEnv>()(log_fatal, "tiebreak", &library->env_), Errc::backend));
  return library;
}

Library::~Library() {
  if (env_ != nullptr) api_.get<c::ReleaseEnv>()(env_);
  // The library itself stays loaded: it keeps threads and thread-local state that do not survive dlclose.
}

Result<std::unique_ptr<Session>> Library::load(std::span<const std::byte> model, const SessionSettings& settings) const {
  Owned<c::ReleaseSessionOptions, c::SessionOptions> options(api_);
  TIEBREAK_CHECK(check(api_.get<c::CreateSessionOptions>()(options.out()), Errc::backend));
  TIEBREAK_CHECK(apply(*this, options.get(), settings));
  std::unique_ptr<Session> session(new Session(*this));
  TIEBREAK_CHECK(check(api_.get<c::CreateSessionFromArray>()(env_, model.data(), model.size(), options.get(), &session->session_), Errc::unsupported));
  TIEBREAK_TRY(inputs, names_of(*this, session->session_, api_.get<c::SessionInputCount>(), api_.get<c::SessionInputName>()));
  TIEBREAK_TRY(outputs, names_of(*this, session->session_, api_.get<c::SessionOutputCount>(), api_.get<c::SessionOutputName>()));
  session->inputs_ = inputs;
  session->outputs_ = outputs;
  return session;
}

Session::~Session() {
  if (session_ != nullptr) library_.api().get<c::ReleaseSession>()(session_);
}

Status Session::compute(std::vector<RawTensor>& inputs, c::Value** results) const {
  const c::Api& api = library_.api();
  if (inputs.size() != inputs_.size()) return fail(Errc::backend, "the model has " + std::to_string(inputs_.size()) + " inputs");
  Owned<c::ReleaseMemoryInfo, c::MemoryInfo> memory(api);
  TIEBREAK_CHECK(library_.check(api.get<c::CreateCpuMemoryInfo>()(0, 0, memory.out()), Errc::backend));
  Values arguments(api, inputs.size());
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    RawTensor& tensor = inputs[index];
    TIEBREAK_CHECK(library_.check(api.get<c::CreateTensor>()(memory.get(), tensor.bytes.data(), tensor.bytes.size(), tensor.shape.data(), tensor.shape.size(),
                                                             tensor.element_type, &arguments.list[index]),
                                  Errc::unsupported));
  }
  const auto input_names = pointers(inputs_);
  const auto output_names = pointers(outputs_);
  // Cases are well-formed by the page before they are sent: a status from Run is a refusal (a zero point per row, say), not an answer.
  return library_.check(
      api.get<c::Run>()(session_, nullptr, input_names.data(), arguments.list.data(), inputs.size(), output_names.data(), outputs_.size(), results),
      Errc::unsupported);
}

Status Session::compute(std::vector<RawTensor>& inputs) const {
  Values results(library_.api(), outputs_.size());
  return compute(inputs, results.list.data());
}

Result<std::vector<RawTensor>> Session::run(std::vector<RawTensor>& inputs, const std::vector<int>& stated_types) const {
  Values results(library_.api(), outputs_.size());
  TIEBREAK_CHECK(compute(inputs, results.list.data()));
  std::vector<RawTensor> answers;
  for (std::size_t index = 0; index < results.list.size(); ++index) {
    const int stated = index < stated_types.size() ? stated_types[index] : 0;
    TIEBREAK_TRY(answer, read_value(library_, results.list[index], stated));
    answers.push_back(std::move(answer));
  }
  return answers;
}

}  // namespace tiebreak::ort
