// SPDX-License-Identifier: Apache-2.0
#include "interpreter/fast/code_table.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "interpreter/fast/fast_evaluator.hpp"

namespace tiebreak {
namespace {

bool fits_16_bits(std::int64_t v) { return v >= std::numeric_limits<std::int16_t>::min() && v <= std::numeric_limits<std::int16_t>::max(); }

/// Elements one after the other, code plus a constant: a loop that compilers vectorize.
template <class Code, class Number>
void shift_codes(const std::uint8_t* codes, std::size_t count, int shift, Number* out) {
  const Code* from = reinterpret_cast<const Code*>(codes);
  for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<Number>(from[i] + shift);
}

}  // namespace

std::optional<CodeTable> CodeTable::of(const Formula& formula, NodeId node, int source) {
  const Tensor* tensor = formula.sources[static_cast<std::size_t>(source)].tensor;
  if (tensor == nullptr || tensor->element().storage_bytes() != 1) return std::nullopt;
  auto all = Tensor::zeros({tensor->element(), {256}, {}});
  if (!all) return std::nullopt;
  for (std::int64_t code = 0; code < 256; ++code) all->set_code(code, static_cast<std::uint64_t>(code));
  Formula of_codes = formula;
  of_codes.sources[static_cast<std::size_t>(source)].tensor = &*all;
  std::vector<std::vector<std::int64_t>> offsets(formula.sources.size());
  std::vector<std::int64_t>& places = offsets[static_cast<std::size_t>(source)];
  places.resize(257, -1);
  std::iota(places.begin(), places.end() - 1, 0);
  FastEvaluator evaluator(of_codes);
  evaluator.set_offsets(places.size(), std::move(offsets));
  const Result<const Column*> result = evaluator.at(node);
  if (!result || (*result)->carrier != Carrier::integer) return std::nullopt;
  const Column& column = **result;
  CodeTable table;
  table.codes_ = reinterpret_cast<const std::uint8_t*>(tensor->bytes().data());
  for (std::size_t code = 0; code < 257; ++code) {
    if (code == 256 && column.is_undefined(code)) break;  // in no bag: zero
    const std::int64_t value = column.is_undefined(code) ? std::numeric_limits<std::int64_t>::max() : column.integers[column.at(code)];
    if (!fits_16_bits(value)) return std::nullopt;
    (code == 256 ? table.outside_ : table.values_[code]) = static_cast<std::int16_t>(value);
  }
  const auto ends = std::ranges::minmax(table.values_);
  table.least_ = std::min(ends.min, table.outside_);
  table.greatest_ = std::max(ends.max, table.outside_);
  bool of_unsigned = true, of_signed = true;
  for (int code = 0; code < 256; ++code) {
    const int value = table.values_[static_cast<std::size_t>(code)] - table.values_[0];
    of_unsigned &= value == code;
    of_signed &= value == static_cast<std::int8_t>(code);
  }
  table.line_ = of_unsigned ? Line::of_unsigned : of_signed ? Line::of_signed : Line::none;
  return table;
}

std::optional<std::int16_t> CodeTable::byte_base() const {
  return greatest_ - least_ <= std::numeric_limits<std::uint8_t>::max() ? std::optional(least_) : std::nullopt;
}

template <class Number>
void CodeTable::look_up(std::int64_t first, std::size_t count, std::int16_t base, Number* out) const {
  if (first < 0) {
    std::fill_n(out, count, static_cast<Number>(outside_ - base));
    return;
  }
  const std::uint8_t* codes = codes_ + first;
  if constexpr (sizeof(Number) == 1)
    if (line_ == Line::of_unsigned && values_[0] == base) return static_cast<void>(std::copy_n(codes, count, out));
  if (line_ == Line::of_unsigned) return shift_codes<std::uint8_t>(codes, count, values_[0] - base, out);
  if (line_ == Line::of_signed) return shift_codes<std::int8_t>(codes, count, values_[0] - base, out);
  for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<Number>(values_[codes[i]] - base);
}

void CodeTable::look_up(std::int64_t first, std::size_t count, std::int16_t* out) const { look_up(first, count, 0, out); }
void CodeTable::look_up(std::int64_t first, std::size_t count, std::uint8_t* out) const { look_up(first, count, least_, out); }

}  // namespace tiebreak
