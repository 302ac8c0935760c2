// SPDX-License-Identifier: Apache-2.0
// Calls of dot_general, convolution and uniform_quantize with plain numbers, for tests that compare profiles with the oracle.
#pragma once
#include <cmath>

#include "testsuite/oracle/stablehlo/stablehlo_interpreter.hpp"
#include "testsuite/unit/helpers/variant_calls.hpp"

namespace tiebreak {

using Codes = std::vector<std::int64_t>;

/// Pseudo-random numbers; the seed stands in the test.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return state_ >> 17;
  }
  std::int64_t whole(std::int64_t low, std::int64_t high) { return low + static_cast<std::int64_t>(bits() % static_cast<std::uint64_t>(high - low + 1)); }
  template <class Item, std::size_t n>
  const Item& of(const Item (&items)[n]) {
    return items[bits() % n];
  }
  Codes codes(std::int64_t count, const oracle::CodeRange& range) {
    Codes made;
    for (std::int64_t i = 0; i < count; ++i) made.push_back(whole(range.min, range.max));
    return made;
  }
  /// Fractions of 24 bits, exponents from -spread to 0.
  Floats floats(std::int64_t count, int spread) {
    Floats made;
    for (std::int64_t i = 0; i < count; ++i) {
      const auto v = std::ldexp(static_cast<float>(whole(1 << 23, (1 << 24) - 1)), -24 - static_cast<int>(whole(0, spread)));
      made.push_back(bits() % 2 == 0 ? v : -v);
    }
    return made;
  }

 private:
  std::uint64_t state_;
};

inline oracle::stablehlo::Uniform uniform(const std::string& storage, double scale, std::int64_t zero_point) {
  const bool is_signed = storage[0] == 'i';
  const int bits = std::stoi(storage.substr(1));
  return {scale, zero_point, oracle::integer_range(is_signed, bits), is_signed, bits};
}

inline TensorType quantized_type(const oracle::stablehlo::Channels& channels, Shape shape, int axis, const std::string& expressed = "f32") {
  const auto& first = channels.each[0];
  TensorType type{*ElementType::parse((first.is_signed ? "i" : "u") + std::to_string(first.bits)), std::move(shape), {}};
  type.quantized = QuantizedType{type.element, Real(first.range.min), Real(first.range.max), *ElementType::parse(expressed), {}, {}, {}, {}};
  if (channels.per_axis) {
    type.quantized->dimensions = {{axis, 1}};
    type.quantized->parameter_shape = {static_cast<std::int64_t>(channels.each.size())};
  }
  for (const auto& one : channels.each) {
    type.quantized->scales.push_back({Real::from_double(one.scale)});
    type.quantized->zero_points.push_back({Real(one.zero_point)});
  }
  return type;
}

inline Tensor code_tensor(const TensorType& type, const Codes& codes) {
  Tensor tensor = *Tensor::zeros(type);
  for (std::size_t i = 0; i < codes.size(); ++i) tensor.set_code(static_cast<std::int64_t>(i), static_cast<std::uint64_t>(codes[i]));
  return tensor;
}

inline TensorType float_type(const std::string& format, Shape shape) { return {*ElementType::parse(format), std::move(shape), {}}; }

inline Tensor float_tensor(const std::string& format, Shape shape, const Floats& values) {
  Tensor tensor = *Tensor::zeros(float_type(format, std::move(shape)));
  for (std::size_t i = 0; i < values.size(); ++i)
    tensor.set_code(static_cast<std::int64_t>(i),
                    *tensor.element().encode(*round_to(Real::from_double(static_cast<double>(values[i])), tensor.element().floating())));
  return tensor;
}

/// lhs [rows, depth] times rhs [depth, columns].
inline OpCall dot_call(Tensor lhs, Tensor rhs, TensorType result) {
  return {.op = "stablehlo.dot_general",
          .operands = {std::move(lhs), std::move(rhs)},
          .attributes = {{"lhs_contracting_dimensions", Attribute::integers({1})}, {"rhs_contracting_dimensions", Attribute::integers({0})}},
          .result_types = {std::move(result)}};
}

inline OpCall convolution_call(const oracle::stablehlo::Convolution& c, Tensor lhs, Tensor rhs, TensorType result) {
  auto both = [](std::int64_t v) { return Attribute::integers({v, v}); };
  auto one = [](std::int64_t v) { return Attribute{Real(v)}; };
  const bool last = c.features_last;
  const auto places = last ? Attribute::integers({1, 2}) : Attribute::integers({2, 3}),
             kernel = last ? Attribute::integers({0, 1}) : Attribute::integers({2, 3});
  return {.op = "stablehlo.convolution",
          .operands = {std::move(lhs), std::move(rhs)},
          .attributes = {{"window_strides", both(c.stride)},
                         {"padding", Attribute{AttributeList{both(c.pad), both(c.pad)}}},
                         {"rhs_dilation", both(c.dilation)},
                         {"input_batch_dimension", one(0)},
                         {"input_feature_dimension", one(last ? 3 : 1)},
                         {"input_spatial_dimensions", places},
                         {"kernel_input_feature_dimension", one(last ? 2 : 1)},
                         {"kernel_output_feature_dimension", one(last ? 3 : 0)},
                         {"kernel_spatial_dimensions", kernel},
                         {"output_batch_dimension", one(0)},
                         {"output_feature_dimension", one(last ? 3 : 1)},
                         {"output_spatial_dimensions", places},
                         {"feature_group_count", one(c.groups)}},
          .result_types = {std::move(result)}};
}

inline Shape lhs_shape(const oracle::stablehlo::Convolution& c) {
  return c.features_last ? Shape{c.batch, c.height, c.width, c.features} : Shape{c.batch, c.features, c.height, c.width};
}
inline Shape rhs_shape(const oracle::stablehlo::Convolution& c) {
  return c.features_last ? Shape{c.kernel_height, c.kernel_width, c.features / c.groups, c.outputs}
                         : Shape{c.outputs, c.features / c.groups, c.kernel_height, c.kernel_width};
}
inline Shape result_shape(const oracle::stablehlo::Convolution& c) {
  return c.features_last ? Shape{c.batch, c.result_height(), c.result_width(), c.outputs} : Shape{c.batch, c.outputs, c.result_height(), c.result_width()};
}
inline std::int64_t size_of(const Shape& shape) { return *element_count(shape); }

}  // namespace tiebreak
