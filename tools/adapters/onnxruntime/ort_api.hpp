// SPDX-License-Identifier: Apache-2.0
// The few functions of ONNX Runtime's C interface that the adapter calls, by their place in the function table. The table only
// grows from version to version, so version 14 of the interface serves every library since 1.14 and no vendor header is needed.
#pragma once
#include <cstddef>
#include <cstdint>

namespace tiebreak::ort::c {

inline constexpr std::uint32_t interface_version = 14;

// Opaque handles of the library.
struct Status;
struct Env;
struct SessionOptions;
struct Session;
struct RunOptions;
struct Value;
struct MemoryInfo;
struct ShapeInfo;
struct Allocator;

/// What `OrtGetApiBase` returns.
struct ApiBase {
  const void* const* (*get_api)(std::uint32_t version);
  const char* (*version_string)();
};

/// A function's number in the table and its signature.
template <std::size_t number, class Signature>
struct Slot {
  static constexpr std::size_t index = number;
  using Pointer = Signature*;
};

using ErrorCode = Slot<1, int(const Status*)>;
using ErrorMessage = Slot<2, const char*(const Status*)>;
using CreateEnv = Slot<3, Status*(int, const char*, Env**)>;
using CreateSessionFromArray = Slot<8, Status*(const Env*, const void*, std::size_t, const SessionOptions*, Session**)>;
using Run = Slot<9, Status*(Session*, const RunOptions*, const char* const*, const Value* const*, std::size_t, const char* const*, std::size_t, Value**)>;
using CreateSessionOptions = Slot<10, Status*(SessionOptions**)>;
using SetOptimizedModelPath = Slot<11, Status*(SessionOptions*, const char*)>;
using SetExecutionMode = Slot<13, Status*(SessionOptions*, int)>;
using SetLogSeverity = Slot<22, Status*(SessionOptions*, int)>;
using SetGraphLevel = Slot<23, Status*(SessionOptions*, int)>;
using SetIntraOpThreads = Slot<24, Status*(SessionOptions*, int)>;
using SetInterOpThreads = Slot<25, Status*(SessionOptions*, int)>;
using SessionInputCount = Slot<30, Status*(const Session*, std::size_t*)>;
using SessionOutputCount = Slot<31, Status*(const Session*, std::size_t*)>;
using SessionInputName = Slot<36, Status*(const Session*, std::size_t, Allocator*, char**)>;
using SessionOutputName = Slot<37, Status*(const Session*, std::size_t, Allocator*, char**)>;
using CreateTensor = Slot<49, Status*(const MemoryInfo*, void*, std::size_t, const std::int64_t*, std::size_t, int, Value**)>;
using TensorData = Slot<51, Status*(Value*, void**)>;
using TensorElementType = Slot<60, Status*(const ShapeInfo*, int*)>;
using DimensionCount = Slot<61, Status*(const ShapeInfo*, std::size_t*)>;
using Dimensions = Slot<62, Status*(const ShapeInfo*, std::int64_t*, std::size_t)>;
using TensorTypeAndShape = Slot<65, Status*(const Value*, ShapeInfo**)>;
using CreateCpuMemoryInfo = Slot<69, Status*(int, int, MemoryInfo**)>;
using AllocatorFree = Slot<76, Status*(Allocator*, void*)>;
using DefaultAllocator = Slot<78, Status*(Allocator**)>;
using ReleaseEnv = Slot<92, void(Env*)>;
using ReleaseStatus = Slot<93, void(Status*)>;
using ReleaseMemoryInfo = Slot<94, void(MemoryInfo*)>;
using ReleaseSession = Slot<95, void(Session*)>;
using ReleaseValue = Slot<96, void(Value*)>;
using ReleaseShapeInfo = Slot<99, void(ShapeInfo*)>;
using ReleaseSessionOptions = Slot<100, void(SessionOptions*)>;
using AddSessionConfig = Slot<130, Status*(SessionOptions*, const char*, const char*)>;

/// The table with typed access: `api.get<Run>()(...)`.
class Api {
 public:
  Api() = default;
  explicit Api(const void* const* table) : table_(table) {}
  template <class S>
  typename S::Pointer get() const {
    return reinterpret_cast<typename S::Pointer>(const_cast<void*>(table_[S::index]));
  }

 private:
  const void* const* table_ = nullptr;
};

}  // namespace tiebreak::ort::c
