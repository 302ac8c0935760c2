// SPDX-License-Identifier: Apache-2.0
// ONNX Runtime as its adapter loads it, with all optimizations: weights are constants, so that they are packed before.
#include "testsuite/bench/peer.hpp"

#include "interpreter/program/program.hpp"
#include "tools/adapters/onnxruntime/declared_profile.hpp"
#include "tools/adapters/onnxruntime/find_library.hpp"
#include "tools/adapters/onnxruntime/ort_library.hpp"
#include "tools/adapters/onnxruntime/ort_tensor.hpp"

namespace tiebreak {
namespace {

class OnnxRuntimePeer : public Peer {
 public:
  OnnxRuntimePeer(std::unique_ptr<ort::Session> session, std::vector<ort::RawTensor> inputs, std::string profile)
      : session_(std::move(session)), inputs_(std::move(inputs)), profile_(std::move(profile)) {}
  Status first_run() { return session_->compute(inputs_); }
  void run() override { static_cast<void>(session_->compute(inputs_)); }
  std::vector<std::byte> result() override {
    auto results = session_->run(inputs_);
    return results ? std::move(results->front().bytes) : std::vector<std::byte>();
  }
  std::string profile() const override { return profile_; }

 private:
  std::unique_ptr<ort::Session> session_;
  std::vector<ort::RawTensor> inputs_;
  std::string profile_;
};

/// Loaded once: a process has one of it.
const Result<std::unique_ptr<ort::Library>>& loaded_library() {
  static const auto library = []() -> Result<std::unique_ptr<ort::Library>> {
    TIEBREAK_TRY(path, ort::find_library({}));
    return ort::Library::open(path);
  }();
  return library;
}

struct OneOperator {
  Program program{};
  std::vector<ort::RawTensor> inputs{};
};

/// Of sums of codes that which its adapter declares on this processor.
std::string profile_of(const OpCall& call, const std::string& version) {
  const std::string declared = call.op.ends_with("Integer") ? ort::declared_profile(ort::detect_cpu(), version) : "";
  return declared.empty() ? "onnx" : declared;
}

/// An operand with as many elements as the first, of an addition, is read at each run, as the first is.
Result<OneOperator> program_of(const OpCall& call, const TensorType& result) {
  OneOperator one;
  Operation operation;
  operation.op = call.op;
  operation.version = call.version;
  operation.attributes = call.attributes;
  const bool is_sum = call.op.ends_with("Add");
  for (std::size_t i = 0; i < call.operands.size(); ++i) {
    const Tensor& tensor = *call.operands[i];
    const auto id = static_cast<ValueId>(one.program.values.size());
    const bool is_input = i == 0 || (is_sum && tensor.size() == call.operands[0]->size());
    one.program.values.push_back({"v" + std::to_string(i), tensor.type()});
    operation.operands.push_back(id);
    if (is_input) {
      one.program.inputs.push_back(id);
      TIEBREAK_TRY(raw, ort::to_raw(tensor));
      one.inputs.push_back(std::move(raw));
    } else {
      one.program.values.back().constant = tensor;
    }
  }
  operation.results = one.program.outputs = {static_cast<ValueId>(one.program.values.size())};
  one.program.values.push_back({"y", result});
  one.program.operations.push_back(std::move(operation));
  return one;
}

}  // namespace

Result<std::unique_ptr<Peer>> onnxruntime_peer(const OpCall& call, const TensorType& result) {
  const auto& library = loaded_library();
  if (!library) return fail(Errc::io, "ONNX Runtime is not there: " + library.error().what);
  TIEBREAK_TRY(one, program_of(call, result));
  TIEBREAK_TRY(model, write_onnx_model(one.program));
  TIEBREAK_TRY(session, (*library)->load(model, {}));
  auto peer = std::make_unique<OnnxRuntimePeer>(std::move(session), std::move(one.inputs), profile_of(call, (*library)->version()));
  TIEBREAK_CHECK(peer->first_run());
  return peer;
}

}  // namespace tiebreak
