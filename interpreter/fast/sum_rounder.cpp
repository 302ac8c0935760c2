// SPDX-License-Identifier: Apache-2.0
#include "interpreter/fast/sum_rounder.hpp"

#include <bit>
#include <cmath>

#include "interpreter/exact/long_accumulator.hpp"
#include "interpreter/exact/machine_formats.hpp"
#include "interpreter/fast/lane_arithmetic.hpp"
#include "interpreter/operations/double_rounding.hpp"

namespace tiebreak {
namespace {

/// The exact sum as a float, by error-free additions; nothing where what they lose may decide.
std::optional<float> sum_as_float(std::span<const double> products, double addend) {
  double sum = addend, lost = 0, size = 0;
  for (const double product : products) {
    const double next = sum + product, error = error_of_sum(next, sum, product);
    lost += error;
    size += std::fabs(error);
    sum = next;
  }
  if (size == 0) return sum == 0 ? std::nullopt : std::optional(static_cast<float>(sum));  // a zero's sign is left to exact values
  const double error = static_cast<double>(products.size()) * 0x1p-52 * size;              // of the additions to `lost`
  const double total = sum + lost, rest = error_of_sum(total, sum, lost);
  if (!std::isfinite(total)) return std::nullopt;
  if (std::fabs(rest) > error) return static_cast<float>(to_odd(total, rest));
  const double margin = 2 * error + std::fabs(total) * 0x1p-51;  // more than one unit, so that no end is lost
  const auto low = static_cast<float>(total - margin), high = static_cast<float>(total + margin);
  return std::bit_cast<std::uint32_t>(low) == std::bit_cast<std::uint32_t>(high) ? std::optional(low) : std::nullopt;
}

}  // namespace

SumRounder::SumRounder(const Formula& formula, const Node& rounding, const std::vector<NodeId>& scales)
    : rounding_(rounding), scales_(scales), is_plain_(scales.empty() && is_conversion(rounding) && is_binary32(*rounding.format)), exact_(formula) {}

double SumRounder::round(double v, bool& missing) const { return round_to_format(v, *rounding_.format, rounding_.rounding, rounding_.overflow, missing); }

Result<bool> SumRounder::set_scale(std::int64_t cell) {
  scale_ = Real(1);
  exact_.set_cell(cell);
  for (NodeId id : scales_) {
    TIEBREAK_TRY(value, exact_.at(id));
    if (!value.is_number() || !value.number().is_finite() || value.number().sign() <= 0) return false;
    scale_ = scale_ * value.number();
  }
  near_ = scale_.to_double();
  return near_ > 0x1p-400 && near_ < 0x1p400;
}

std::optional<double> SumRounder::decide(double sum, double error, double addend) const {
  if (error == 0 && sum == 0 && addend == 0) return 0.0;  // nothing but zeros, and a sum of +0 to begin with
  const double size = (std::fabs(sum) + error) * near_ + std::fabs(addend);
  if (!(size > 0x1p-900 && size < 0x1p900)) return std::nullopt;
  const double slack = size * 0x1p-48;  // of the few operations here
  bool missing = false;
  const double low = round((sum - error) * near_ + addend - slack, missing), high = round((sum + error) * near_ + addend + slack, missing);
  if (missing || std::bit_cast<std::uint64_t>(low) != std::bit_cast<std::uint64_t>(high)) return std::nullopt;
  return low;
}

std::optional<double> SumRounder::exactly(std::span<const double> products, double addend) const {
  if (is_plain_)
    if (const auto sum = sum_as_float(products, addend)) return static_cast<double>(*sum);
  LongAccumulator sum;
  for (const double product : products) sum.add(product);
  const auto rounded = round_to(sum.total() * scale_ + Real::from_double(addend), *rounding_.format, rounding_.rounding, rounding_.overflow);
  return rounded ? std::optional(rounded->to_double()) : std::nullopt;
}

}  // namespace tiebreak
