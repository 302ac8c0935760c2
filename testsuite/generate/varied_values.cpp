// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "testsuite/generate/varied_call.hpp"

namespace tiebreak::generate {
namespace {

constexpr std::int64_t looked_at = 256;  // elements that tell which signs a tensor has

/// A number of a float type near this one.
std::uint64_t float_code(const ElementType& type, double value) {
  const auto rounded = round_to(Real::from_double(value), type.floating(), Rounding::nearest_even, Overflow::saturate);
  return rounded ? type.encode(*rounded).value_or(0) : 0;
}

class Values {
 public:
  Values(const Tensor& seed, Tensor& tensor, PseudoRandom& random) : seed_(seed), tensor_(tensor), random_(random) {}

  void fill() {
    const ElementType& type = tensor_.element();
    const std::uint64_t way = random_.below(4);
    if (way == 0 && seed_.size() > 0) return in_turn();
    if (type.is_boolean()) return each([&] { return random_.below(2); });
    if (type.is_float()) return floats();
    if (type.is_integer() && type.bits() <= 16 && !tensor_.type().quantized) return each([&] { return random_.below(std::uint64_t{1} << type.bits()); });
    if (type.is_integer() && tensor_.type().quantized) return codes_of(*tensor_.type().quantized);
    if (type.is_integer() && type.bits() >= 32 && way == 1 && has_wide()) return each([&] { return random_.next() & mask(type); });
    if (type.is_integer() && type.bits() >= 32 && way == 2) return each([&] { return (random_.below(10) - 2) & mask(type); });
    in_turn();
  }

 private:
  static std::uint64_t mask(const ElementType& type) { return type.bits() >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << type.bits()) - 1; }

  template <class Code>
  void each(Code&& code) {
    for (std::int64_t i = 0; i < tensor_.size(); ++i) tensor_.set_code(i, code());
  }

  /// Numbers, not places or extents, if some are large.
  bool has_wide() const {
    for (std::int64_t i = 0; i < std::min(seed_.size(), looked_at); ++i)
      if (const auto value = seed_.value(i).to_int64(); !value || std::abs(*value) > 1000) return true;
    return false;
  }

  void in_turn() {
    if (seed_.size() == 0) return;
    std::int64_t next = random_.below(4) == 0 ? static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(seed_.size()))) : 0;
    each([&] { return seed_.code(next++ % seed_.size()); });
  }

  void codes_of(const QuantizedType& quantized) {
    const auto width = (quantized.storage_max - quantized.storage_min + Real(1)).to_uint64().value_or(0);
    const auto least = quantized.storage_min.to_int64().value_or(0);
    each([&] { return (static_cast<std::uint64_t>(least) + random_.below(width)) & mask(tensor_.element()); });
  }

  /// Of both signs where the seed has both; a scale stays above zero. Some of a bf16's or f16's codes, infinities and nan among them.
  void floats() {
    bool is_signed = false, is_positive = seed_.size() > 0;
    for (std::int64_t i = 0; i < std::min(seed_.size(), looked_at); ++i) {
      const double value = seed_.value(i).to_double();
      is_signed = is_signed || value < 0;
      is_positive = is_positive && value > 0;
    }
    const bool any_codes = is_signed && random_.below(16) == 0;
    each([&] {
      if (any_codes) return random_.next() & mask(tensor_.element());
      const double fraction = static_cast<double>(random_.below(1 << 24)) * 0x1p-24;
      const double size = std::ldexp(1 + fraction, static_cast<int>(random_.below(10)) - 6);
      if (!is_positive && random_.below(10) == 0) return std::uint64_t{0};
      return float_code(tensor_.element(), is_signed && random_.below(2) == 0 ? -size : size);
    });
  }

  const Tensor& seed_;
  Tensor& tensor_;
  PseudoRandom& random_;
};

}  // namespace

Tensor varied_values(const Tensor& seed, const TensorType& type, PseudoRandom& random) {
  Result<Tensor> tensor = Tensor::zeros(type);
  if (!tensor) return seed;
  Values(seed, *tensor, random).fill();
  return *std::move(tensor);
}

}  // namespace tiebreak::generate
