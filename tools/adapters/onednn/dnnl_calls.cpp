// SPDX-License-Identifier: Apache-2.0
// See the header. The library throws; everything is caught here. A refusal to create a primitive is `unsupported`.
#include "tools/adapters/onednn/dnnl_calls.hpp"

#include <cstring>
#include <oneapi/dnnl/dnnl.hpp>
#include <unordered_map>

namespace tiebreak::onednn {
namespace {

using dnnl::memory;
using Dims = memory::dims;
using Arguments = std::unordered_map<int, memory>;

memory::data_type type_of(Storage storage) {
  switch (storage) {
    case Storage::u8: return memory::data_type::u8;
    case Storage::s8: return memory::data_type::s8;
    case Storage::s32: return memory::data_type::s32;
  }
  return memory::data_type::undef;
}

/// Row-major strides, so that any rank has a descriptor without naming a format.
memory::desc row_major(const Dims& shape, memory::data_type type) {
  Dims strides(shape.size(), 1);
  for (std::size_t axis = shape.size(); axis-- > 1;) strides[axis - 1] = strides[axis] * shape[axis];
  return memory::desc(shape, type, strides);
}

memory::desc any_layout(const Dims& shape, memory::data_type type) { return memory::desc(shape, type, memory::format_tag::any); }

struct Machine {
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
};

memory filled(Machine& machine, const memory::desc& layout, const void* data) {
  memory result(layout, machine.engine);
  std::memcpy(result.get_data_handle(), data, layout.get_size());
  return result;
}

/// The same values in the layout that the primitive asked for.
memory in_layout(Machine& machine, memory source, const memory::desc& wanted) {
  if (source.get_desc() == wanted) return source;
  memory result(wanted, machine.engine);
  dnnl::reorder(source, result).execute(machine.stream, source, result);
  machine.stream.wait();
  return result;
}

OpAnswer taken(Machine& machine, memory result, const memory::desc& plain, const char* implementation) {
  memory source = in_layout(machine, std::move(result), plain);
  OpAnswer answer{std::vector<std::byte>(plain.get_size()), implementation};
  std::memcpy(answer.bytes.data(), source.get_data_handle(), answer.bytes.size());
  return answer;
}

dnnl::primitive_attr attributes(const Finish& finish, int channel_mask, std::int32_t source_zero_point, std::int32_t weight_zero_point) {
  dnnl::primitive_attr attributes;
  if (!finish.multipliers.empty()) attributes.set_output_scales(finish.multipliers.size() == 1 ? 0 : channel_mask, finish.multipliers);
  if (source_zero_point != 0) attributes.set_zero_points(DNNL_ARG_SRC, 0, {source_zero_point});
  if (weight_zero_point != 0) attributes.set_zero_points(DNNL_ARG_WEIGHTS, 0, {weight_zero_point});
  if (finish.zero_point != 0) attributes.set_zero_points(DNNL_ARG_DST, 0, {finish.zero_point});
  return attributes;
}

/// Runs `body`; what the library throws becomes an error: refusals to create are unsupported, the rest a failure of the backend.
template <class Body>
Result<OpAnswer> guarded(Body&& body) {
  try {
    return body();
  } catch (const dnnl::error& error) {
    const bool refused = error.status == dnnl_unimplemented || error.status == dnnl_invalid_arguments;
    return fail(refused ? Errc::unsupported : Errc::backend, std::string("oneDNN: ") + error.what());
  } catch (const std::exception& error) {
    return fail(Errc::backend, std::string("oneDNN: ") + error.what());
  }
}

Dims dense(const std::vector<std::int64_t>& dilations) {
  Dims result;
  for (std::int64_t dilation : dilations) result.push_back(dilation - 1);  // the library counts the gaps
  return result;
}

Dims grouped(const std::vector<std::int64_t>& shape, std::int64_t groups) {
  if (groups == 1) return shape;
  Dims result{groups, shape[0] / groups};
  result.insert(result.end(), shape.begin() + 1, shape.end());
  return result;
}

dnnl::convolution_forward::desc convolution_desc(const memory::desc& x, const memory::desc& w, const memory::desc& bias, const memory::desc& y,
                                                 const Geometry& geometry) {
  constexpr auto kind = dnnl::prop_kind::forward_inference;
  constexpr auto algorithm = dnnl::algorithm::convolution_direct;
  const Dims dilates = dense(geometry.dilations);
  if (bias.data.ndims == 0) {
    return {kind, algorithm, x, w, y, geometry.strides, dilates, geometry.pads_begin, geometry.pads_end};
  }
  return {kind, algorithm, x, w, bias, y, geometry.strides, dilates, geometry.pads_begin, geometry.pads_end};
}

}  // namespace

Result<OpAnswer> quantize(const std::vector<float>& x, const std::vector<std::int64_t>& shape, const std::vector<float>& multipliers, int axis,
                          const Finish& finish) {
  return guarded([&]() -> OpAnswer {
    Machine machine;
    const memory::desc source = row_major(shape, memory::data_type::f32);
    const memory::desc target = row_major(shape, type_of(finish.storage));
    dnnl::primitive_attr attributes;
    attributes.set_output_scales(multipliers.size() == 1 ? 0 : 1 << axis, multipliers);
    if (finish.zero_point != 0) attributes.set_zero_points(DNNL_ARG_DST, 0, {finish.zero_point});
    const dnnl::reorder::primitive_desc description(machine.engine, source, machine.engine, target, attributes);
    memory from = filled(machine, source, x.data());
    memory to(target, machine.engine);
    dnnl::reorder(description).execute(machine.stream, {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}});
    machine.stream.wait();
    return taken(machine, to, target, description.impl_info_str());
  });
}

Result<OpAnswer> matmul(const Operand& a, const Operand& b, const std::vector<std::int64_t>& result_shape, const Finish& finish) {
  return guarded([&]() -> OpAnswer {
    Machine machine;
    const memory::desc left = row_major(a.shape, type_of(a.storage)), right = row_major(b.shape, type_of(b.storage));
    const memory::desc result = row_major(result_shape, type_of(finish.storage));
    const int column_mask = 1 << (result_shape.size() - 1);
    Dims bias_shape(result_shape.size(), 1);
    bias_shape.back() = result_shape.back();
    const memory::desc bias = row_major(bias_shape, memory::data_type::s32);
    const auto description = finish.bias.empty() ? dnnl::matmul::desc(left, right, result) : dnnl::matmul::desc(left, right, bias, result);
    const dnnl::matmul::primitive_desc primitive(description, attributes(finish, column_mask, a.zero_point, b.zero_point), machine.engine);
    memory y(result, machine.engine);
    Arguments arguments{{DNNL_ARG_SRC, filled(machine, left, a.codes.data())}, {DNNL_ARG_WEIGHTS, filled(machine, right, b.codes.data())}, {DNNL_ARG_DST, y}};
    if (!finish.bias.empty()) arguments.emplace(DNNL_ARG_BIAS, filled(machine, bias, finish.bias.data()));
    dnnl::matmul(primitive).execute(machine.stream, arguments);
    machine.stream.wait();
    return taken(machine, y, result, primitive.impl_info_str());
  });
}

Result<OpAnswer> convolution(const Operand& x, const Operand& w, const std::vector<std::int64_t>& result_shape, const Geometry& geometry,
                             const Finish& finish) {
  return guarded([&]() -> OpAnswer {
    Machine machine;
    const Dims weight_shape = grouped(w.shape, geometry.groups);
    const memory::desc bias = finish.bias.empty() ? memory::desc() : row_major({w.shape[0]}, memory::data_type::s32);
    const auto description = convolution_desc(any_layout(x.shape, type_of(x.storage)), any_layout(weight_shape, type_of(w.storage)), bias,
                                              any_layout(result_shape, type_of(finish.storage)), geometry);
    const dnnl::convolution_forward::primitive_desc primitive(description, attributes(finish, 2, x.zero_point, 0), machine.engine);
    const memory::desc plain_x = row_major(x.shape, type_of(x.storage)), plain_w = row_major(weight_shape, type_of(w.storage));
    memory y(primitive.dst_desc(), machine.engine);
    Arguments arguments{{DNNL_ARG_SRC, in_layout(machine, filled(machine, plain_x, x.codes.data()), primitive.src_desc())},
                        {DNNL_ARG_WEIGHTS, in_layout(machine, filled(machine, plain_w, w.codes.data()), primitive.weights_desc())},
                        {DNNL_ARG_DST, y}};
    if (!finish.bias.empty()) arguments.emplace(DNNL_ARG_BIAS, filled(machine, bias, finish.bias.data()));
    dnnl::convolution_forward(primitive).execute(machine.stream, arguments);
    machine.stream.wait();
    return taken(machine, y, row_major(result_shape, type_of(finish.storage)), primitive.impl_info_str());
  });
}

std::string version() {
  const dnnl_version_t* v = dnnl_version();
  return std::to_string(v->major) + "." + std::to_string(v->minor) + "." + std::to_string(v->patch);
}

}  // namespace tiebreak::onednn
