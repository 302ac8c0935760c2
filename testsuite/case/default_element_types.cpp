// SPDX-License-Identifier: Apache-2.0
#include "testsuite/case/default_element_types.hpp"

#include <algorithm>
#include <set>

namespace tiebreak {
namespace {

constexpr std::size_t most_names = 3;  // two factors and a result

/// Operands of whole numbers, and the result where its type is its own.
std::vector<std::string> names_of_codes(const Library& library, const OpRoles& roles) {
  std::vector<std::string> names;
  for (const OperandRole* role : roles.data())
    if (role->type.is_integer()) names.push_back(role->name);
  bool has_own_type = roles.result.has_value() || roles.find(RoleKind::zero_point, true) != nullptr;
  if (Result<Library::OpPlace> place = library.find_op(roles.op); place && has_own_type) names.push_back(place->op->results[0].name);
  return names;
}

}  // namespace

std::vector<AskedTypes> default_element_types(const Library& library, const std::string& op) {
  std::vector<AskedTypes> found;
  std::set<std::string> texts;
  auto add = [&](const AskedTypes& asked) {
    Result<OpRoles> roles = roles_of(library, op, asked);
    if (roles && texts.insert(short_types(*roles)).second) found.push_back(asked);
    return roles;
  };
  Result<OpRoles> own = add({});
  if (!own) return {};
  std::vector<std::string> names = names_of_codes(library, *own);
  names.resize(std::min(names.size(), most_names));
  for (std::size_t mixture = 0; !names.empty() && mixture < (std::size_t{1} << names.size()); ++mixture) {
    AskedTypes asked;
    for (std::size_t i = 0; i < names.size(); ++i) asked[names[i]] = (mixture >> i & 1) != 0 ? "i8" : "u8";
    (void)add(asked);  // what the op does not take is left out
  }
  return found;
}

std::string short_types(const OpRoles& roles) {
  std::string text;
  for (const OperandRole* role : roles.data()) text += (text.empty() ? "" : " ") + role->name + "=" + role->type.name();
  if (roles.result) return text + " -> " + roles.result->type.name();
  for (const auto& [name, type] : roles.attributes) return text + " -> " + type.name();
  const OperandRole* zero_point = roles.find(RoleKind::zero_point, true);
  // A zero point of 32 bits goes with codes of fewer: it does not tell their type.
  return text + (zero_point == nullptr || zero_point->type.bits() > 16 ? "" : " -> " + zero_point->type.name());
}

}  // namespace tiebreak
