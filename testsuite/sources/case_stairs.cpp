// SPDX-License-Identifier: Apache-2.0
#include "testsuite/sources/case_stairs.hpp"

#include "interpreter/hint.hpp"
#include "testsuite/case/literal_text.hpp"
#include "testsuite/sources/case_input.hpp"

namespace tiebreak {
namespace {

Result<std::string> text_or(const JsonValue& rule, const char* key, const std::string& otherwise) {
  const JsonValue* written = rule.find(key);
  return written == nullptr ? Result<std::string>(otherwise) : string_of(*written);
}

Result<std::vector<std::optional<TensorType>>> result_types(const JsonValue& rule, const InputContext& context, bool own_op) {
  std::vector<std::optional<TensorType>> types;
  if (const JsonValue* written = rule.find("result")) {
    TIEBREAK_TRY(text, string_of(*written));
    TIEBREAK_TRY(type, parse_element_text(text, {1}, written->where));
    types.emplace_back(type);
  } else if (own_op) {
    for (TensorType type : context.results) {
      type.shape = {1};
      types.emplace_back(std::move(type));
    }
  }
  return types;
}

}  // namespace

const std::vector<std::string>& stairs_keys() {
  static const std::vector<std::string> keys{"op", "profile", "varied", "operands", "choices", "attributes", "result"};
  return keys;
}

Result<StairsOf> read_stairs(const JsonValue& rule, const std::string& input, const TensorType& type, const InputContext& context,
                             const AttributeMap& attributes, const OtherInput& made) {
  StairsOf of;
  of.library = context.library;
  if (of.library == nullptr) return fail(Errc::usage, "rule 'stairs' needs the pages", rule.where);
  TIEBREAK_TRY(op, text_or(rule, "op", context.op));
  if (op.empty()) return fail(Errc::syntax, "rule 'stairs' in a program needs 'op'", rule.where);
  const bool own_op = op == context.op && rule.find("operands") == nullptr;
  TIEBREAK_TRY(profile, text_or(rule, "profile", "reference"));
  TIEBREAK_TRY(varied, text_or(rule, "varied", input));
  of.profile = profile;
  of.varied = varied;
  of.call.op = op;
  of.call.where = rule.where;
  of.call.version = own_op ? context.version : 0;
  if (own_op) of.call.attributes = attributes;
  if (const JsonValue* written = rule.find("attributes")) {
    TIEBREAK_TRY(read, read_attributes(*written));
    of.call.attributes = std::move(read);
  }
  if (const JsonValue* written = rule.find("choices")) {
    TIEBREAK_TRY(texts, read_texts(*written));
    of.choices = std::move(texts);
  }
  std::map<std::string, std::string> inputs;
  if (const JsonValue* written = rule.find("operands")) {
    TIEBREAK_TRY(texts, read_texts(*written));
    inputs = std::move(texts);
  }
  TIEBREAK_TRY(types, result_types(rule, context, own_op));
  of.call.result_types = std::move(types);
  TIEBREAK_TRY(place, of.library->find_op(op));
  std::vector<std::string> names;
  for (const notation::Operand& operand : place.op->operands) names.push_back(operand.name);
  for (const auto& [name, other] : inputs)
    if (std::find(names.begin(), names.end(), name) == names.end())
      return fail(Errc::unknown_name, op + " has no operand '" + name + "'", rule.find("operands")->where, did_you_mean(name, names));
  for (const std::string& name : names) {
    std::optional<Tensor> tensor;
    if (name == varied) {
      TensorType one = type;
      if (rule.find("weights") != nullptr) one = {ElementType(IntegerFormat{true, 32}), {}, {}};  // rows that sum to it
      one.shape = {1};
      TIEBREAK_TRY(zero, Tensor::zeros(one));
      tensor = std::move(zero);
    } else if (own_op || inputs.contains(name)) {
      TIEBREAK_TRY(other, made(own_op ? name : inputs.at(name)));
      tensor = std::move(other);
    }
    of.call.operands.push_back(std::move(tensor));
    of.operands.push_back(name);
  }
  while (!of.call.operands.empty() && !of.call.operands.back()) of.call.operands.pop_back();
  return of;
}

}  // namespace tiebreak
