// SPDX-License-Identifier: Apache-2.0
// The budget of a text: constructs by which a small file would take much memory are refused before they are expanded.
#include <algorithm>

#include "interpreter/program/mlir_parser.hpp"

namespace tiebreak::mlir {
namespace {

constexpr std::int64_t units_a_parameter = 8;  // a scale and a zero point take as much memory as so many elements
constexpr std::int64_t units_a_value = 32;

struct Extent {
  std::int64_t units = units_an_attribute;
  int depth = 1;
};

Extent extent_of(const Attribute& attribute) {
  Extent extent;
  const auto add = [&extent](const Attribute& item) {
    const Extent inner = extent_of(item);
    extent.units += inner.units;
    extent.depth = std::max(extent.depth, inner.depth + 1);
  };
  if (const AttributeList* list = std::get_if<AttributeList>(&attribute.value)) std::for_each(list->begin(), list->end(), add);
  if (const AttributeMap* map = std::get_if<AttributeMap>(&attribute.value)) {
    for (const auto& [name, item] : *map) add(item);
  }
  if (const Tensor* tensor = std::get_if<Tensor>(&attribute.value)) extent.units += tensor->size();
  if (const std::string* text = std::get_if<std::string>(&attribute.value)) extent.units += static_cast<std::int64_t>(text->size());
  return extent;
}

}  // namespace

Status Parser::charge(std::size_t offset, std::int64_t units) {
  budget_ -= units;
  if (budget_ >= 0) return {};
  return cursor_.error_at(offset, Errc::limit, "the literals and attributes of this text take more than " + std::to_string(literal_limit) + " elements");
}

Status Parser::charge(std::size_t offset, const MlirType& type, std::size_t times) {
  std::int64_t units = units_a_value;
  if (type.tensor.quantized) units += units_a_parameter * static_cast<std::int64_t>(type.tensor.quantized->scales.size());
  return charge(offset, units * static_cast<std::int64_t>(times));
}

/// An alias stands for its whole value, at the depth where it is used.
Status Parser::charge(std::size_t offset, const Attribute& attribute) {
  const Extent extent = extent_of(attribute);
  if (extent.depth + depth_ > nesting_limit) return cursor_.error_at(offset, Errc::limit, "attributes nested deeper than 200");
  return charge(offset, extent.units);
}

}  // namespace tiebreak::mlir
