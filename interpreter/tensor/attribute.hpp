// SPDX-License-Identifier: Apache-2.0
// Attributes of an op as programs and cases carry them.
#pragma once
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "interpreter/tensor/tensor.hpp"

namespace tiebreak {

struct Attribute;
using AttributeMap = std::map<std::string, Attribute>;
using AttributeList = std::vector<Attribute>;

/// none · truth · number · string · element type · list · dictionary · tensor.
struct Attribute {
  std::variant<std::monostate, bool, Real, std::string, ElementType, AttributeList, AttributeMap, Tensor> value{};

  static Attribute integers(const std::vector<std::int64_t>& values);
  bool is_none() const { return value.index() == 0; }
  std::optional<std::int64_t> as_integer() const;
  std::optional<std::vector<std::int64_t>> as_integers() const;  ///< a list of whole numbers
  std::optional<std::string> as_string() const;
};
std::string to_text(const Attribute& attribute);

}  // namespace tiebreak
