// SPDX-License-Identifier: Apache-2.0
#include "testsuite/calibrate/calibrate.hpp"

#include <algorithm>

#include "testsuite/calibrate/channel_axis.hpp"
#include "testsuite/calibrate/constrain_in_order.hpp"
#include "testsuite/calibrate/constrain_together.hpp"
#include "testsuite/case/value_name.hpp"

namespace tiebreak {
namespace {

/// Scales or zero points as an operand of quant.fake_quantize: a scalar, or one for each channel.
Result<Tensor> parameter_operand(const QuantizedType& type, bool scales) {
  const ElementType element = *ElementType::parse(scales ? "f64" : "i32");
  TIEBREAK_TRY(tensor, Tensor::zeros({.element = element, .shape = type.parameter_shape}));
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    const auto place = static_cast<std::size_t>(i);
    const auto code = element.encode(scales ? Real::from_double(type.scales[place].value.to_double()) : type.zero_points[place].value);
    if (!code) return fail(Errc::internal, "no value of " + element.name());
    tensor.set_code(i, *code);
  }
  return std::move(tensor);
}

/// An operation that sums products, as it is called in the first batch.
struct Product {
  const Operation* operation;
  OpCall call;
};

class Calibrator {
 public:
  Calibrator(const Semantics& semantics, const Program& program, const CalibrateOptions& options, Provider provider)
      : semantics_(semantics), parameters_{semantics.library, *options.parameters}, program_(program), options_(options), provider_(std::move(provider)) {
    if (options.constraints && !options.constraints->together) in_order_.emplace(*options.constraints, parameters_, program, found_, options.propagate);
  }

  Result<Calibration> run(const std::vector<Batch>& batches) {
    found_.model = program_.file;
    found_.provider = provider_.name;
    found_.batches = batches.size();
    if (options_.constraints) found_.constraints = options_.constraints->system;
    TIEBREAK_CHECK(run_batches(semantics_, program_, batches, [&](ReachedValue& value) { return measure(value); }));
    if (options_.constraints && options_.constraints->together) TIEBREAK_CHECK(solve_together(*options_.constraints, parameters_, program_, found_));
    for (const Product& product : products_) TIEBREAK_CHECK(find_accumulator(product));
    return std::move(found_);
  }

 private:
  Status measure(ReachedValue& value) {
    if (options_.accumulators && !value.is_constant && value.operation != nullptr && value.id == value.operation->results[0]) {
      TIEBREAK_TRY(call, value.call());
      if (sums_products(semantics_.library, call)) products_.push_back({value.operation, std::move(call)});
    }
    if (value.batches.empty() || !value.batches.front().element().is_float() || value.batches.front().type().quantized) return {};
    const std::optional<CodeFormat> codes = options_.codes ? options_.codes(value) : value.is_constant ? options_.weights : options_.activations;
    if (!codes) return {};
    Samples samples{.tensor = bare_name(program_, value.id)};
    std::vector<Shape> shapes;
    for (std::size_t b = 0; b < value.batches.size(); ++b) {
      TIEBREAK_CHECK(add_batch(samples, value.batches[b], b));
      if (value.batches[b].size() > 0) shapes.push_back(value.batches[b].shape());
    }
    if (samples.batches.empty()) return {};  // no element: nothing to stand for
    CalibratedTensor tensor{.is_constant = value.is_constant, .size = samples.size(), .id = value.id, .codes = *codes};
    TIEBREAK_TRY(parameters, choose(value, samples, shapes, *codes));
    tensor.parameters = std::move(parameters);
    for (const auto& batch : samples.batches) {
      const Samples one{samples.tensor, samples.element, {batch}};
      tensor.batches.emplace_back(one.least(), one.greatest());
    }
    found_.tensors.push_back(std::move(tensor));
    if (in_order_) in_order_->settle(value);
    return options_.propagate ? replace(value, found_.tensors.back().parameters.type) : Status{};
  }

  /// As a constraint says, else as the provider does.
  Result<TensorParameters> choose(const ReachedValue& value, const Samples& samples, const std::vector<Shape>& shapes, const CodeFormat& codes) {
    if (in_order_) {
      TIEBREAK_TRY(constrained, in_order_->parameters_of(value, codes));
      if (constrained) return *std::move(constrained);
    }
    TIEBREAK_TRY(axis, axis_of(value));
    TIEBREAK_TRY(provided, ask(samples, shapes, axis, codes));
    TIEBREAK_TRY(type, type_of_ranges(parameters_, provided, value.batches.front().element(), codes, places_along(axis, provided.size()),
                                      "provider " + provider_.name + ": tensor " + samples.tensor));
    return TensorParameters{samples.tensor, std::move(type), provider_.name, whole_range(provided)};
  }

  /// -1: one scale for the tensor.
  Result<int> axis_of(const ReachedValue& value) const {
    if (!options_.per_axis || !value.is_constant) return -1;
    TIEBREAK_TRY(call, value.call());
    return channel_axis(semantics_, call, value.operand);
  }

  Result<std::vector<Provided>> ask(const Samples& samples, const std::vector<Shape>& shapes, int axis, const CodeFormat& format) {
    std::vector<Samples> parts{samples};
    if (axis >= 0) {
      TIEBREAK_TRY(channels, samples_by_channel(samples, shapes, axis));
      parts = std::move(channels);
    }
    std::vector<Provided> provided;
    for (const Samples& part : parts) {
      TIEBREAK_CHECK(semantics_.library.stop().check());
      TIEBREAK_TRY(one, provider_.ask(part, format));
      provided.push_back(std::move(one));
    }
    return provided;
  }

  static std::optional<Range> whole_range(const std::vector<Provided>& provided) {
    if (!provided.front().range) return std::nullopt;
    Range range{provided.front().range->first, provided.front().range->second};
    for (const Provided& one : provided) range = {min(range.low, one.range->first), max(range.high, one.range->second)};
    return range;
  }

  /// What later operations read: the values that the codes stand for.
  Status replace(ReachedValue& value, const QuantizedType& type) {
    TIEBREAK_TRY(scale, parameter_operand(type, true));
    TIEBREAK_TRY(zero_point, parameter_operand(type, false));
    for (Tensor& tensor : value.batches) {
      if (tensor.size() == 0) continue;
      OpCall call{.op = "quant.fake_quantize", .operands = {tensor, scale, zero_point}, .where = bare_name(program_, value.id)};
      call.attributes["output_dtype"] = Attribute{type.storage};
      call.attributes["least"] = Attribute{type.storage_min};
      if (!type.dimensions.empty()) call.attributes["axis"] = Attribute{Real(type.dimensions.front().axis)};
      TIEBREAK_TRY(results, evaluate(parameters_, call));
      tensor = std::move(results.front().tensor);
    }
    return {};
  }

  /// Once all parameters are settled.
  Status find_accumulator(const Product& product) {
    ProductOfCodes codes{.call = product.call};
    for (const ValueId id : product.operation->operands) {
      const CalibratedTensor* tensor = id < 0 ? nullptr : found_.find(id);
      codes.types.push_back(tensor == nullptr ? nullptr : &tensor->parameters.type);
      codes.constant.push_back(id >= 0 && program_.values[static_cast<std::size_t>(id)].constant.has_value());
      if (codes.constant.back()) codes.call.operands[codes.constant.size() - 1] = program_.values[static_cast<std::size_t>(id)].constant;
    }
    TIEBREAK_TRY(need, accumulator_need(parameters_, codes));
    if (!need) return {};
    need->tensor = bare_name(program_, product.operation->results[0]);
    found_.accumulators.push_back(*std::move(need));
    return {};
  }

  Semantics semantics_, parameters_;
  const Program& program_;
  const CalibrateOptions& options_;
  Provider provider_;
  Calibration found_;
  std::optional<ConstrainedInOrder> in_order_{};
  std::vector<Product> products_{};
};

}  // namespace

ParameterSet Calibration::parameters() const {
  ParameterSet set{model, {}};
  for (const CalibratedTensor& tensor : tensors) set.tensors.push_back(tensor.parameters);
  return set;
}

CalibratedTensor* Calibration::find(ValueId id) {
  const auto found = std::ranges::find(tensors, id, &CalibratedTensor::id);
  return found == tensors.end() ? nullptr : &*found;
}

Result<Calibration> calibrate(const Semantics& semantics, const Program& program, const std::vector<Batch>& batches, const CalibrateOptions& options) {
  const Profile* reference = options.parameters != nullptr ? options.parameters : &semantics.profile;
  CalibrateOptions own = options;
  own.parameters = reference;
  if (options.propagate && options.constraints && options.constraints->together)
    return fail(Errc::usage, "errors cannot be propagated: " + options.constraints->system + " knows parameters once the whole program is measured",
                program.file, "--errors none, or constraints that are solved in order");
  TIEBREAK_TRY(provider, find_provider({semantics.library, *reference}, options.provider, options.program));
  return Calibrator(semantics, program, own, std::move(provider)).run(batches);
}

}  // namespace tiebreak
