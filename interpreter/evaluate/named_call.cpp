// SPDX-License-Identifier: Apache-2.0
#include "interpreter/evaluate/named_call.hpp"

#include <fmt/format.h>

namespace tiebreak {
namespace {

/// Where the name of the op stands, and the dictionary of its attributes.
struct NamingOp {
  const char* op;
  const char* name;
  const char* attributes;
};
constexpr NamingOp naming_ops[] = {{"stablehlo.custom_call", "call_target_name", "backend_config"}, {"stablehlo.composite", "name", "composite_attributes"}};

std::string text_of(const AttributeMap& attributes, const char* name) {
  const auto found = attributes.find(name);
  return found == attributes.end() ? "" : found->second.as_string().value_or("");
}

}  // namespace

std::string named_op(const Library& library, const Operation& operation) {
  for (const NamingOp& naming : naming_ops)
    if (operation.op == naming.op)
      if (const std::string name = text_of(operation.attributes, naming.name); library.find_op(name)) return name;
  return operation.op;
}

bool is_decomposed(const OpCall& call) { return call.op == "stablehlo.composite" && call.regions.size() == 1; }

Result<OpCall> named_call(const Library& library, OpCall call) {
  for (const NamingOp& naming : naming_ops) {
    if (call.op != naming.op) continue;
    const std::string name = text_of(call.attributes, naming.name);
    if (auto place = library.find_op(name); !place) {
      if (is_decomposed(call)) return call;
      return fail(place.error().code, fmt::format("{} names '{}', which is no op of a page", call.op, name), call.where, place.error().hint);
    }
    const auto given = call.attributes.find(naming.attributes);
    const AttributeMap* fields = given == call.attributes.end() ? nullptr : std::get_if<AttributeMap>(&given->second.value);
    AttributeMap attributes = fields == nullptr ? AttributeMap{} : *fields;
    call.op = name;
    call.attributes = std::move(attributes);
    call.regions.clear();
    return call;
  }
  return call;
}

}  // namespace tiebreak
