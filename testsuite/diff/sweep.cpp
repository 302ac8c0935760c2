// SPDX-License-Identifier: Apache-2.0
#include "testsuite/diff/sweep.hpp"

#include <algorithm>

#include "interpreter/exact/computable.hpp"
#include "testsuite/case/literal_text.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

constexpr std::int64_t most_values = 1 << 20;

/// first * (last / first)^(i / (count - 1)), rounded to the type: the same on every machine.
Result<std::vector<Real>> geometric(const Real& first, const Real& last, std::int64_t count, const ElementType& type, const std::string& where) {
  if (first.sign() <= 0 || last.sign() <= 0 || !first.is_finite() || !last.is_finite())
    return fail(Errc::usage, "steps between floats are geometric: both ends must be positive and finite", where);
  std::vector<Real> values;
  for (std::int64_t i = 0; i < count; ++i) {
    const Computable ratio =
        Computable::apply(RealFunction::pow, std::vector{Computable(last / first), Computable(Real(i) / Real(std::max<std::int64_t>(count - 1, 1)))});
    TIEBREAK_TRY(rounded, (Computable(first) * ratio).round_to(type.floating(), Rounding::nearest_even, Overflow::saturate));
    if (rounded && (values.empty() || !(values.back() == *rounded))) values.push_back(*rounded);
  }
  return values;
}

Result<std::vector<Real>> range(const std::string& text, std::size_t dots, const ElementType& type, const std::string& where) {
  const std::size_t slash = text.find('/', dots);
  TIEBREAK_TRY(first, element_value(text.substr(0, dots), type, where));
  TIEBREAK_TRY(last, element_value(text.substr(dots + 2, slash == std::string::npos ? std::string::npos : slash - dots - 2), type, where));
  std::int64_t count = 0;
  if (slash != std::string::npos) {
    auto steps = Real::parse(text.substr(slash + 1));
    const auto whole = steps ? steps->to_int64() : std::nullopt;
    if (!whole || *whole < 1 || *whole > most_values)
      return fail(Errc::usage, "'" + text.substr(slash + 1) + "' is no number of steps", where, "1 .. " + std::to_string(most_values));
    count = *whole;
  }
  if (last < first) return fail(Errc::usage, "the range runs backwards", where);
  if (type.is_float()) {
    if (count == 0) return fail(Errc::usage, "a range of floats needs a number of steps", where, text + "/100");
    return geometric(first, last, count, type, where);
  }
  const auto span = (last - first).to_int64();
  if (!span || (count == 0 && *span >= most_values)) return fail(Errc::usage, "the range has too many values", where, text + "/100");
  if (count == 0) count = *span + 1;
  std::vector<Real> values;
  for (std::int64_t i = 0; i < count; ++i) {
    const Real value = first + round_whole(Real(*span) * Real(i) / Real(std::max<std::int64_t>(count - 1, 1)), Rounding::down);
    if (values.empty() || !(values.back() == value)) values.push_back(value);
  }
  return values;
}

}  // namespace

Result<std::vector<Real>> parse_values(const std::string& text, const ElementType& type, const std::string& where) {
  if (!type.is_float() && !type.is_integer()) return fail(Errc::usage, "values of " + type.name() + " cannot be swept", where);
  std::vector<Real> values;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    std::string part = text.substr(begin, comma - begin);
    part.erase(0, part.find_first_not_of(' '));
    begin = comma + 1;
    if (const std::size_t dots = part.find(".."); dots != std::string::npos) {
      TIEBREAK_TRY(some, range(part, dots, type, where));
      values.insert(values.end(), some.begin(), some.end());
    } else {
      TIEBREAK_TRY(value, element_value(part, type, where));
      values.push_back(value);
    }
  }
  return values;
}

std::uint64_t Sweep::size() const {
  std::uint64_t size = 1;
  for (const SweepAxis& axis : axes_) size *= axis.values.size();
  return size;
}

const Real& Sweep::value(std::uint64_t set, std::size_t axis) const {
  for (std::size_t later = axis + 1; later < axes_.size(); ++later) set /= axes_[later].values.size();
  return axes_[axis].values[static_cast<std::size_t>(set % axes_[axis].values.size())];
}

std::string Sweep::text(std::uint64_t set) const {
  std::string text;
  for (std::size_t axis = 0; axis < axes_.size(); ++axis) text += (axis == 0 ? "" : " ") + axes_[axis].name + "=" + value_text(value(set, axis));
  return text;
}

}  // namespace tiebreak
