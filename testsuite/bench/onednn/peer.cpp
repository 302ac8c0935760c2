// SPDX-License-Identifier: Apache-2.0
// oneDNN 2.x. The library throws; everything is caught in onednn_peer.
#include "testsuite/bench/peer.hpp"

#include <dlfcn.h>

#include <cstring>
#include <oneapi/dnnl/dnnl.hpp>
#include <unordered_map>

#include "testsuite/bench/call_parameters.hpp"

namespace tiebreak {
namespace {

using dnnl::memory;
using Attributes = dnnl::primitive_attr;

struct Machine {
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
};

memory::data_type type_of(const ElementType& element) {
  const std::string name = element.name();
  if (name == "f32") return memory::data_type::f32;
  if (name == "u8") return memory::data_type::u8;
  if (name == "i8") return memory::data_type::s8;
  return memory::data_type::s32;
}

memory::desc row_major(const TensorType& type) {
  memory::dims strides(type.shape.size(), 1);
  for (std::size_t axis = strides.size(); axis-- > 1;) strides[axis - 1] = strides[axis] * type.shape[axis];
  return memory::desc(memory::dims(type.shape), type_of(type.element), strides);
}

memory::desc any_layout(const TensorType& type) { return memory::desc(memory::dims(type.shape), type_of(type.element), memory::format_tag::any); }

class OneDnnPeer : public Peer {
 public:
  OneDnnPeer(Machine machine, dnnl::primitive primitive, memory::desc plain)
      : machine_(std::move(machine)), primitive_(std::move(primitive)), plain_(std::move(plain)) {}

  /// An operand in the layout that the primitive asks for.
  void operand(int argument, const Tensor& tensor, const memory::desc& wanted) {
    memory source(row_major(tensor.type()), machine_.engine);
    std::memcpy(source.get_data_handle(), tensor.bytes().data(), tensor.bytes().size());
    memory laid_out(wanted, machine_.engine);
    dnnl::reorder(source, laid_out).execute(machine_.stream, source, laid_out);
    machine_.stream.wait();
    arguments_[argument] = laid_out;
  }
  void target(const memory::desc& wanted, int argument = DNNL_ARG_DST) { target_ = arguments_[argument] = memory(wanted, machine_.engine); }

  void run() override {
    primitive_.execute(machine_.stream, arguments_);
    machine_.stream.wait();
  }
  std::vector<std::byte> result() override {
    memory plain(plain_, machine_.engine);
    dnnl::reorder(target_, plain).execute(machine_.stream, target_, plain);
    machine_.stream.wait();
    std::vector<std::byte> bytes(plain_.get_size());
    std::memcpy(bytes.data(), plain.get_data_handle(), bytes.size());
    return bytes;
  }

 private:
  Machine machine_;
  dnnl::primitive primitive_;
  memory::desc plain_;
  std::unordered_map<int, memory> arguments_{};
  memory target_{};
};

bool is_requantized(const OpCall& call) { return call.op.starts_with("onnx.QLinear"); }

std::size_t weights_of(const OpCall& call) { return is_requantized(call) ? 3 : 1; }

/// The zero point of x, and of what goes from codes to codes one factor, and the zero point of the result.
Attributes attributes_of(const OpCall& call) {
  Attributes attributes;
  if (call.operands.size() > 2 && call.operands[2]) attributes.set_zero_points(DNNL_ARG_SRC, 0, {whole(call, 2)});
  if (!is_requantized(call)) return attributes;
  attributes.set_output_scales(0, {number(call, 1) * number(call, 4) / number(call, 6)});
  attributes.set_zero_points(DNNL_ARG_DST, 0, {whole(call, 7)});
  return attributes;
}

/// A primitive of x and weights, each in the layout that it likes best.
template <class Primitive>
std::unique_ptr<Peer> of_weights(const Machine& machine, const typename Primitive::primitive_desc& made, const OpCall& call, const TensorType& result) {
  auto peer = std::make_unique<OneDnnPeer>(machine, Primitive(made), row_major(result));
  peer->operand(DNNL_ARG_SRC, *call.operands[0], made.src_desc());
  peer->operand(DNNL_ARG_WEIGHTS, *call.operands[weights_of(call)], made.weights_desc());
  peer->target(made.dst_desc());
  return peer;
}

std::unique_ptr<Peer> convolution(const OpCall& call, const TensorType& result) {
  Machine machine;
  const Tensor &x = *call.operands[0], &w = *call.operands[weights_of(call)];
  const memory::dims pads = integers(call, "pads", {0, 0, 0, 0});
  const dnnl::convolution_forward::desc desc(dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct, any_layout(x.type()),
                                             any_layout(w.type()), any_layout(result), integers(call, "strides", {1, 1}), {pads[0], pads[1]},
                                             {pads[2], pads[3]});
  const dnnl::convolution_forward::primitive_desc made(desc, attributes_of(call), machine.engine);
  return of_weights<dnnl::convolution_forward>(machine, made, call, result);
}

std::unique_ptr<Peer> matrices(const OpCall& call, const TensorType& result) {
  Machine machine;
  const Tensor &a = *call.operands[0], &b = *call.operands[weights_of(call)];
  const dnnl::matmul::desc desc(any_layout(a.type()), any_layout(b.type()), any_layout(result));
  const dnnl::matmul::primitive_desc made(desc, attributes_of(call), machine.engine);
  return of_weights<dnnl::matmul>(machine, made, call, result);
}

/// By the reciprocal of the scale: the library multiplies.
std::unique_ptr<Peer> quantization(const OpCall& call, const TensorType& result) {
  Machine machine;
  const Tensor& x = *call.operands[0];
  Attributes attributes;
  attributes.set_output_scales(0, {1 / number(call, 1)});
  attributes.set_zero_points(DNNL_ARG_DST, 0, {whole(call, 2)});
  const memory::desc source = row_major(x.type()), target = row_major(result);
  const dnnl::reorder::primitive_desc made(machine.engine, source, machine.engine, target, attributes);
  auto peer = std::make_unique<OneDnnPeer>(machine, dnnl::reorder(made), target);
  peer->operand(DNNL_ARG_FROM, x, source);
  peer->target(target, DNNL_ARG_TO);
  return peer;
}

std::unique_ptr<Peer> sum(const OpCall& call, const TensorType& result) {
  Machine machine;
  const memory::desc left = row_major(call.operands[0]->type()), right = row_major(call.operands[1]->type());
  const dnnl::binary::primitive_desc made({dnnl::algorithm::binary_add, left, right, row_major(result)}, machine.engine);
  auto peer = std::make_unique<OneDnnPeer>(machine, dnnl::binary(made), row_major(result));
  peer->operand(DNNL_ARG_SRC_0, *call.operands[0], left);
  peer->operand(DNNL_ARG_SRC_1, *call.operands[1], right);
  peer->target(row_major(result));
  return peer;
}

/// It comes with GNU's OpenMP, which reads its variables when it is loaded: the number of threads is set by its own function.
void use_one_thread() {
  if (void* set = ::dlsym(RTLD_DEFAULT, "omp_set_num_threads")) reinterpret_cast<void (*)(int)>(set)(1);
}

}  // namespace

Result<std::unique_ptr<Peer>> onednn_peer(const OpCall& call, const TensorType& result) {
  use_one_thread();
  if (is_requantized(call) && has_type(call, weights_of(call), "u8")) return fail(Errc::unsupported, "oneDNN has no such kernel: its weights are of i8");
  if (call.op == "microsoft.QLinearAdd") return fail(Errc::unsupported, "oneDNN has no such kernel: its addition has no zero points");
  try {
    if (call.op.ends_with("Conv") || call.op == "onnx.ConvInteger") return convolution(call, result);
    if (call.op.ends_with("MatMul") || call.op == "onnx.MatMulInteger") return matrices(call, result);
    if (call.op == "onnx.QuantizeLinear") return quantization(call, result);
    if (call.op == "onnx.Add") return sum(call, result);
  } catch (const std::exception& error) {
    return fail(Errc::unsupported, std::string("oneDNN: ") + error.what());
  }
  return fail(Errc::unsupported, "oneDNN is not asked for it");
}

}  // namespace tiebreak
