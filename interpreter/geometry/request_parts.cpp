// SPDX-License-Identifier: Apache-2.0
#include "interpreter/geometry/request_parts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tiebreak {

std::string member_name(const std::string& operand, std::size_t number) { return fmt::format("{}.{}", operand, number); }

namespace structure {

const StructureOperand* find_operand(const StructureRequest& request, const std::string& name) {
  auto found = std::ranges::find(request.operands, name, &StructureOperand::name);
  return found == request.operands.end() ? nullptr : &*found;
}

Result<const StructureOperand*> argument_operand(const StructureRequest& request, std::size_t position) {
  if (position >= request.arguments.size())
    return fail(Errc::internal, fmt::format("structure {} of {} needs {} operands", request.path, request.op, position + 1), request.where);
  const StructureOperand* operand = find_operand(request, request.arguments[position].name);
  if (operand == nullptr) return fail(Errc::type, fmt::format("{}: operand {} is absent", request.op, request.arguments[position].name), request.where);
  return operand;
}

Result<Shape> integers(const StructureRequest& request, const std::string& name, const Shape& fallback) {
  auto found = request.attributes->find(name);
  if (found == request.attributes->end() || found->second.is_none()) return fallback;
  if (auto values = found->second.as_integers()) return *values;
  if (auto value = found->second.as_integer()) return Shape{*value};
  if (const AttributeList* list = std::get_if<AttributeList>(&found->second.value)) {  // flags, as window_reversal has them
    Shape flags;
    for (const Attribute& item : *list)
      if (const bool* flag = std::get_if<bool>(&item.value)) flags.push_back(*flag ? 1 : 0);
    if (flags.size() == list->size()) return flags;
  }
  return fail(Errc::type, fmt::format("{}: attribute {} is not a list of integers", request.op, name), request.where);
}

Result<std::int64_t> integer(const StructureRequest& request, const std::string& name, std::int64_t fallback) {
  auto found = request.attributes->find(name);
  if (found == request.attributes->end() || found->second.is_none()) return fallback;
  if (auto value = found->second.as_integer()) return *value;
  if (const bool* truth = std::get_if<bool>(&found->second.value)) return *truth ? 1 : 0;
  return fail(Errc::type, fmt::format("{}: attribute {} is not an integer", request.op, name), request.where);
}

std::string word_of(const StructureRequest& request, const std::string& name, const std::string& fallback) {
  const auto found = request.attributes->find(name);
  return found == request.attributes->end() ? fallback : found->second.as_string().value_or("?");
}

tl::unexpected<Error> malformed(const StructureRequest& request, const std::string& label, const std::string& what) {
  if (label.empty()) return fail(Errc::type, fmt::format("{}: {}", request.op, what), request.where);
  return fail(Errc::constraint, fmt::format("{} {}: {}", request.op, label, what), request.where);
}

Affine at_cell(int coordinate, std::int64_t coefficient) { return {.cell = {{coordinate, coefficient}}}; }
Affine at_item(int coordinate, std::int64_t coefficient) { return {.item = {{coordinate, coefficient}}}; }
Affine constant(std::int64_t base) { return {.base = base}; }

}  // namespace structure
}  // namespace tiebreak
