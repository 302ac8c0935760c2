// SPDX-License-Identifier: Apache-2.0
// The backend `faulty`: three ONNX ops in plain floats with one deliberate fault. Without a fault it follows the ONNX formula with
// f32 steps; each fault is one that real backends have had.
#include <map>

#include "testsuite/oracle/contraction_oracle.hpp"
#include "testsuite/oracle/quantize_oracle.hpp"
#include "tools/adapters/common/adapter.hpp"
#include "tools/adapters/single_op/single_op.hpp"

namespace tiebreak {
namespace {

using Codes = std::vector<std::int32_t>;

constexpr const char* faults = "none, half-away, half-up, zero-point-first, wrap, reciprocal or multiplier";

/// How the ops quantize, and in which order the factor of an accumulator is computed.
struct Rule : oracle::QuantizeRule {
  bool divides_first = false;  ///< x_scale / y_scale * w_scale
};

Result<Rule> rule_of(const std::string& fault) {
  Rule rule;
  if (fault == "half-away") {
    rule.tie = oracle::Tie::away;
  } else if (fault == "half-up") {
    rule.tie = oracle::Tie::up;
  } else if (fault == "multiplier") {
    rule.divides_first = true;
  } else if (fault == "zero-point-first") {
    rule.order = oracle::ZeroPointOrder::before;
  } else if (fault == "wrap") {
    rule.overflow = oracle::Overflow::wrap;
  } else if (fault == "reciprocal") {
    rule.quotient = oracle::Quotient::reciprocal;
  } else if (fault != "none") {
    return fail(Errc::usage, std::string("--fault is ") + faults + ", not '" + fault + "'");
  }
  return rule;
}

Result<oracle::CodeRange> range_of(const TensorType& type) {
  if (!type.element.is_integer() || type.element.bits() > 16) return fail(Errc::unsupported, "results of type " + type.element.name());
  return oracle::integer_range(type.element.integer().is_signed, type.element.bits());
}

Result<Tensor> tensor_of(const TensorType& type, const std::vector<std::int64_t>& codes) {
  TIEBREAK_TRY(tensor, Tensor::zeros(type));
  if (tensor.size() != static_cast<std::int64_t>(codes.size())) return fail(Errc::type, "the stated shape does not fit the result");
  for (std::int64_t index = 0; index < tensor.size(); ++index) {
    tensor.set_code(index, static_cast<std::uint64_t>(codes[static_cast<std::size_t>(index)]));
  }
  return std::move(tensor);
}

/// Where an element's scale stands: one, one a slice of the axis, or one a block.
std::size_t parameter_index(std::int64_t element, const Shape& x, const Shape& parameters, std::int64_t axis, std::int64_t block) {
  if (parameters.empty() || (parameters.size() == 1 && parameters[0] == 1 && block == 0)) return 0;
  Shape place(x.size());
  for (std::size_t dimension = x.size(); dimension-- > 0;) {
    place[dimension] = element % x[dimension];
    element /= x[dimension];
  }
  if (block == 0) return static_cast<std::size_t>(place[static_cast<std::size_t>(axis)]);
  place[static_cast<std::size_t>(axis)] /= block;
  std::int64_t index = 0;
  for (std::size_t dimension = 0; dimension < x.size(); ++dimension) index = index * parameters[dimension] + place[dimension];
  return static_cast<std::size_t>(index);
}

Result<Tensor> quantize_linear(const SingleOp& op, const Rule& rule) {
  TIEBREAK_TRY(x, op.required(0, "x"));
  TIEBREAK_TRY(y_scale, op.required(1, "y_scale"));
  TIEBREAK_TRY(type, op.output_type(0));
  TIEBREAK_TRY(range, range_of(type));
  TIEBREAK_TRY(values, floats_of(*x));
  TIEBREAK_TRY(scales, floats_of(*y_scale));
  Codes zero_points(scales.size(), 0);
  if (op.operand(2) != nullptr) {
    TIEBREAK_TRY(codes, codes_of(*op.operand(2)));
    zero_points = codes;
  }
  const std::int64_t rank = static_cast<std::int64_t>(x->shape().size()), block = op.integer("block_size", 0);
  std::int64_t axis = op.integer("axis", 1);
  if (axis < 0) axis += rank;
  const bool is_single = y_scale->shape().empty() || (y_scale->size() == 1 && block == 0);
  if (!is_single && (axis < 0 || axis >= rank)) return fail(Errc::type, "the axis is outside of x");
  if (block != 0 && y_scale->shape().size() != x->shape().size()) return fail(Errc::type, "the scales have not the rank of x");
  std::vector<std::int64_t> result;
  for (std::size_t index = 0; index < values.size(); ++index) {
    const std::size_t parameter = parameter_index(static_cast<std::int64_t>(index), x->shape(), y_scale->shape(), axis, block);
    if (parameter >= scales.size() || parameter >= zero_points.size()) return fail(Errc::type, "scales and zero points do not fit x");
    result.push_back(oracle::quantize(values[index], scales[parameter], zero_points[parameter], range, rule));
  }
  return tensor_of(type, result);
}

/// Scales and zero points of the quantized contractions, which share their operand order.
struct Requantization {
  float x_scale = 1, y_scale = 1;
  std::vector<float> w_scales{};
  Codes x_zero_points{}, w_zero_points{};
  std::int32_t y_zero_point = 0;
  oracle::CodeRange range{};
};

Result<Requantization> requantization_of(const SingleOp& op) {
  std::map<std::size_t, std::vector<float>> scales;
  std::map<std::size_t, Codes> zero_points;
  for (std::size_t index : {1, 4, 6}) {
    TIEBREAK_TRY(tensor, op.required(index, "scale"));
    TIEBREAK_TRY(values, floats_of(*tensor));
    scales[index] = values;
  }
  for (std::size_t index : {2, 5, 7}) {
    TIEBREAK_TRY(tensor, op.required(index, "zero point"));
    TIEBREAK_TRY(codes, codes_of(*tensor));
    zero_points[index] = codes;
  }
  if (scales[1].size() != 1 || scales[6].size() != 1 || zero_points[7].size() != 1 || zero_points[2].size() != 1) {
    return fail(Errc::unsupported, "several scales of x or y");
  }
  TIEBREAK_TRY(type, op.output_type(0));
  TIEBREAK_TRY(range, range_of(type));
  return Requantization{scales[1][0], scales[6][0], scales[4], zero_points[2], zero_points[5], zero_points[7][0], range};
}

Result<Tensor> requantize_all(const SingleOp& op, const Codes& accumulators, std::int64_t inner, std::int64_t channels, const Requantization& by,
                              const Rule& rule) {
  std::vector<std::int64_t> result;
  for (std::size_t index = 0; index < accumulators.size(); ++index) {
    const auto channel = static_cast<std::size_t>(static_cast<std::int64_t>(index) / inner % channels);
    const float w_scale = by.w_scales.size() == 1 ? by.w_scales[0] : by.w_scales[channel];
    const float multiplier = rule.divides_first ? by.x_scale / by.y_scale * w_scale : oracle::requantize_multiplier(by.x_scale, w_scale, by.y_scale);
    result.push_back(oracle::requantize(accumulators[index], multiplier, by.y_zero_point, by.range, rule));
  }
  TIEBREAK_TRY(type, op.output_type(0));
  return tensor_of(type, result);
}

Result<Tensor> q_linear_mat_mul(const SingleOp& op, const Rule& rule) {
  TIEBREAK_TRY(by, requantization_of(op));
  TIEBREAK_TRY(a, op.required(0, "a"));
  TIEBREAK_TRY(b, op.required(3, "b"));
  if (a->shape().size() != 2 || b->shape().size() != 2) return fail(Errc::unsupported, "only matrices");
  TIEBREAK_TRY(a_codes, codes_of(*a));
  TIEBREAK_TRY(b_codes, codes_of(*b));
  const oracle::MatmulShape shape{a->shape()[0], a->shape()[1], b->shape()[1]};
  if (b->shape()[0] != shape.depth) return fail(Errc::type, "the depths differ");
  const auto columns = static_cast<std::size_t>(shape.columns);
  if ((by.w_scales.size() != 1 && by.w_scales.size() != columns) || (by.w_zero_points.size() != 1 && by.w_zero_points.size() != columns)) {
    return fail(Errc::type, "b's parameters do not fit its columns");
  }
  return requantize_all(op, oracle::matmul(a_codes, b_codes, shape, by.x_zero_points, by.w_zero_points), 1, shape.columns, by, rule);
}

Result<Tensor> q_linear_conv(const SingleOp& op, const Rule& rule) {
  TIEBREAK_TRY(by, requantization_of(op));
  TIEBREAK_TRY(x, op.required(0, "x"));
  TIEBREAK_TRY(w, op.required(3, "w"));
  TIEBREAK_TRY(attributes, convolution_attributes(op, x->shape(), w->shape()));
  TIEBREAK_TRY(x_codes, codes_of(*x));
  TIEBREAK_TRY(w_codes, codes_of(*w));
  const std::int64_t features = w->shape()[0];
  Codes bias(static_cast<std::size_t>(features), 0);
  if (op.operand(8) != nullptr) {
    TIEBREAK_TRY(codes, codes_of(*op.operand(8)));
    bias = codes;
  }
  const auto fits = [&](std::size_t count) { return count == 1 || count == static_cast<std::size_t>(features); };
  if (!fits(by.w_scales.size()) || !fits(by.w_zero_points.size()) || bias.size() != static_cast<std::size_t>(features)) {
    return fail(Errc::type, "w's parameters do not fit its channels");
  }
  const oracle::ConvolutionShape shape{x->shape()[0],
                                       x->shape()[1],
                                       features,
                                       attributes.groups,
                                       {x->shape().begin() + 2, x->shape().end()},
                                       attributes.kernel,
                                       attributes.strides,
                                       attributes.dilations,
                                       attributes.pads_begin,
                                       attributes.pads_end};
  Codes accumulators = oracle::convolution(x_codes, w_codes, shape, by.x_zero_points[0], by.w_zero_points);
  const std::int64_t inner = static_cast<std::int64_t>(accumulators.size()) / std::max<std::int64_t>(1, x->shape()[0] * features);
  for (std::size_t index = 0; index < accumulators.size(); ++index) {
    const auto channel = static_cast<std::size_t>(static_cast<std::int64_t>(index) / inner % features);
    accumulators[index] = oracle::wrapping_add(accumulators[index], bias[channel]);
  }
  return requantize_all(op, accumulators, std::max<std::int64_t>(1, inner), features, by, rule);
}

class FaultyAdapter : public Adapter {
 public:
  FaultyAdapter(std::string fault, const Rule& rule) : fault_(std::move(fault)), rule_(rule) {}

  Result<BackendDescription> describe() override {
    BackendDescription description{"faulty", TIEBREAK_VERSION, "", {}, {{"fault", fault_}}};
    for (const auto& [name, function] : functions_) description.ops.push_back(name);
    return description;
  }

  AdapterAnswer run(const ExchangeCase& request) override {
    auto op = single_op(request);
    if (!op) return AdapterAnswer::from(op.error());
    const auto found = functions_.find(op->op);
    if (found == functions_.end()) return AdapterAnswer::unsupported("the faulty backend has no " + op->op);
    auto tensor = found->second(*op, rule_);
    if (!tensor) return AdapterAnswer::from(tensor.error());
    ExchangeTensor output;
    output.name = op->outputs[0].name;
    output.tensor = std::move(*tensor);
    return AdapterAnswer::ok({std::move(output)});
  }

 private:
  using Function = Result<Tensor> (*)(const SingleOp&, const Rule&);
  std::string fault_;
  Rule rule_;
  std::map<std::string, Function> functions_{
      {"onnx.QLinearConv", q_linear_conv}, {"onnx.QLinearMatMul", q_linear_mat_mul}, {"onnx.QuantizeLinear", quantize_linear}};
};

}  // namespace
}  // namespace tiebreak

int main(int argc, char** argv) {
  using namespace tiebreak;
  return adapter_main(argc, argv, {{"--fault", faults, "none"}}, [](const AdapterArguments& arguments) -> Result<std::unique_ptr<Adapter>> {
    TIEBREAK_TRY(rule, rule_of(arguments.at("--fault")));
    return std::make_unique<FaultyAdapter>(arguments.at("--fault"), rule);
  });
}
