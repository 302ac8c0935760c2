// SPDX-License-Identifier: Apache-2.0
// Accumulators (an i32 bias, with the other operands at their zero points) at the stairs of the requantization that follows:
// acc = (k + 1/2) * y_scale / (x_scale * w_scale), the whole numbers on both sides and one further; then accumulators that f32
// cannot hold (beyond 2^24) and the ends of i32.
#include <algorithm>
#include <iterator>

#include "testsuite/generate/fill.hpp"
#include "testsuite/generate/neighbours.hpp"
#include "testsuite/generate/rules.hpp"

namespace tiebreak::generate {
namespace {

Real parameter(const InputRequest& request, const std::string& key, std::int64_t element) {
  const Tensor* tensor = operand(request, key);
  if (tensor == nullptr || tensor->size() == 0) return 1;
  // The bias runs along the channels: element c has channel c.
  return tensor->value(std::min(element, tensor->size() - 1));
}

/// The stairs of one element: its ties, some values around each, and ends that all share. Values are made where they are asked for: an element
/// of a channel needs one of some thousands.
class Stairs {
 public:
  Stairs(const InputRequest& request, std::int64_t element) : type_(request.type.element) {
    const Real multiplier = parameter(request, "x_scale", element) * parameter(request, "w_scale", element) / parameter(request, "y_scale", element);
    const OutputRange range = output_range(request, element);
    if (multiplier.is_finite() && !multiplier.is_zero()) {
      const std::int64_t step = std::max<std::int64_t>((range.greatest - range.least) / 600, 1);
      for (std::int64_t k = range.least - 2; k <= range.greatest + 1; k += step) {
        ties_.push_back(Real::dyadic(2 * k + 1, -1) / multiplier);
        starts_.push_back(starts_.back() + count_around(ties_.back()));
      }
    }
    add_ends();
  }

  std::size_t size() const { return starts_.back() + ends_.size(); }

  std::vector<Real> all() const {
    std::vector<Real> values;
    for (const Real& tie : ties_) std::ranges::move(around(tie), std::back_inserter(values));
    values.insert(values.end(), ends_.begin(), ends_.end());
    return values;
  }

  Real at(std::size_t position) const {
    if (position >= starts_.back()) return ends_[position - starts_.back()];
    const auto tie = static_cast<std::size_t>(std::ranges::upper_bound(starts_, position) - starts_.begin()) - 1;
    return around(ties_[tie])[position - starts_[tie]];
  }

 private:
  /// The values on both sides of a tie, and one further on each.
  std::vector<Real> around(const Real& tie) const {
    std::vector<Real> values = values_around(tie, type_);
    values.push_back(next_below(value_below(tie, type_), type_));
    values.push_back(next_above(value_above(tie, type_), type_));
    return values;
  }

  /// How many they are: a tie that is a whole number stands among them, and at the ends of the type a neighbour is missing.
  std::size_t count_around(const Real& tie) const {
    const bool has_both_neighbours = type_.min() < tie && tie < type_.max();
    return has_both_neighbours && tie.is_whole() ? 5 : 4;
  }

  void add_ends() {
    for (int exponent : {24, 25, 28, 30, 31}) {
      for (std::int64_t offset : {-3, -1, 0, 1, 3}) {
        const Real v = Real::power_of_two(exponent) + Real(offset);
        for (const Real& signed_value : {v, -v}) {
          if (type_.min() <= signed_value && signed_value <= type_.max()) ends_.push_back(signed_value);
        }
      }
    }
    ends_.push_back(type_.min());
    ends_.push_back(type_.max());
  }

  const ElementType& type_;
  std::vector<Real> ties_{};
  std::vector<std::size_t> starts_{0};  ///< of each tie's values, and of the ends
  std::vector<Real> ends_{};
};

}  // namespace

Result<Tensor> accumulator_ties(const InputRequest& request) {
  if (!request.type.element.is_integer()) return fail(Errc::type, "rule 'accumulator_ties' makes integers", request.where);
  TIEBREAK_TRY(tensor, Tensor::zeros(request.type));
  const Tensor* weights = operand(request, "w_scale");
  bool per_channel = weights != nullptr && weights->size() > 1;
  if (!per_channel) return fill(request, Stairs(request, 0).all());
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    const Stairs stairs(request, i);
    // Channels take different stairs; a prime stride visits near ties, far ends and both sides alike.
    auto position = static_cast<std::size_t>((static_cast<std::uint64_t>(i) + request.seed) * 104729u) % stairs.size();
    TIEBREAK_CHECK(store(tensor, i, stairs.at(position), request));
  }
  return tensor;
}

}  // namespace tiebreak::generate
