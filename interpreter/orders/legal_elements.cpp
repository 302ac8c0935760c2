// SPDX-License-Identifier: Apache-2.0
#include "interpreter/orders/legal_elements.hpp"

#include <algorithm>
#include <cstring>

#include "interpreter/exact/machine_formats.hpp"

namespace tiebreak {
namespace {

using Kind = LegalElement::Kind;

Real end_of(const ResultTensor& tensor, std::int64_t i, bool upper) { return tensor.is_undefined(i) ? Real::infinity(!upper) : tensor.tensor.value(i); }

template <class Number>
Number number_at(const Tensor& tensor, std::size_t i) {
  Number number;
  std::memcpy(&number, tensor.bytes().data() + i * sizeof number, sizeof number);
  return number;
}

/// As interval_element() and is_legal() have it: of a unique element only what is computed is right, and the caller knows that this is something else.
template <class Number>
bool lies_between(const Number& low, const Number& high, const Number& value) {
  const bool is_unique = low == high && low != Number(0);
  return !is_unique && low <= value && value <= high;
}

template <class Number>
bool lies_between(const Tensor& low, const Tensor& high, const Tensor& answer, std::size_t i) {
  return lies_between(number_at<Number>(low, i), number_at<Number>(high, i), number_at<Number>(answer, i));
}

}  // namespace

LegalElement interval_element(const Real& low, const Real& high) {
  if (low == high && !low.is_zero()) return LegalElement{};
  return LegalElement{.kind = Kind::interval, .low = low, .high = high};
}

LegalElements::LegalElements(ResultTensor low, ResultTensor high) : low_(std::move(low)), high_(std::move(high)) {}

LegalElements LegalElements::unknown(std::size_t count) {
  LegalElements elements;
  elements.unknown_ = count;
  return elements;
}

std::size_t LegalElements::size() const {
  if (are_intervals()) return static_cast<std::size_t>(low_.tensor.size());
  return unknown_ > 0 ? unknown_ : listed_.size();
}

LegalElement LegalElements::operator[](std::size_t index) const {
  if (unknown_ > 0) return {.kind = Kind::unknown};
  if (!are_intervals()) return listed_[index];
  const auto i = static_cast<std::int64_t>(index);
  return interval_element(end_of(low_, i, false), end_of(high_, i, true));
}

bool LegalElements::all_unique() const {
  for (std::size_t i = 0; i < size(); ++i) {
    const bool is_unique = are_intervals() || unknown_ > 0 ? (*this)[i].kind == Kind::unique : listed_[i].kind == Kind::unique;
    if (!is_unique) return false;
  }
  return true;
}

bool LegalElements::any_unknown() const { return unknown_ > 0 || std::ranges::find(listed_, Kind::unknown, &LegalElement::kind) != listed_.end(); }

std::optional<bool> LegalElements::holds(const Tensor& answer, std::size_t index) const {
  if (!are_intervals()) return std::nullopt;
  const ElementType& type = answer.element();
  const bool is_plain = type.is_float() && low_.undefined.empty() && high_.undefined.empty();
  if (is_plain && is_binary32(type.floating())) return lies_between<float>(low_.tensor, high_.tensor, answer, index);
  if (is_plain && is_binary64(type.floating())) return lies_between<double>(low_.tensor, high_.tensor, answer, index);
  const auto i = static_cast<std::int64_t>(index);
  return lies_between(end_of(low_, i, false), end_of(high_, i, true), answer.value(i));
}

std::vector<LegalElement> LegalElements::listed() const {
  if (unknown_ == 0 && !are_intervals()) return listed_;
  std::vector<LegalElement> all;
  for (std::size_t i = 0; i < size(); ++i) all.push_back((*this)[i]);
  return all;
}

}  // namespace tiebreak
