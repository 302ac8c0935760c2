// SPDX-License-Identifier: Apache-2.0
// Module tree -> canonical text: one statement a line; a choice that would be long has a line for each alternative.
#include "interpreter/notation/notation.hpp"

namespace tiebreak::notation {
namespace {

constexpr std::size_t line_width = 120;

template <class Range, class Text>
std::string join(const Range& range, const char* separator, Text text) {
  std::string joined;
  bool first = true;
  for (const auto& part : range) {
    if (!first) joined += separator;
    first = false;
    joined += text(part);
  }
  return joined;
}

std::string itself(const std::string& text) { return text; }
std::string tree(const ExprPtr& expression) { return print(*expression); }

std::string parameters(const std::vector<std::string>& names) { return names.empty() ? "" : "(" + join(names, ", ", itself) + ")"; }
std::string target(const std::vector<std::string>& names) { return names.size() == 1 ? names.front() : parameters(names); }

std::string text_of(const Body& body) {
  std::string text = print(*body.value);
  if (body.where.empty()) return text;
  return text + " where " + join(body.where, "; ", [](const Binding& binding) { return target(binding.targets) + " = " + tree(binding.value); });
}

std::string text_of(const Use& use) {
  std::string text = use.module;
  const std::size_t dot = use.module.rfind('.');
  if (use.alias != (dot == std::string::npos ? use.module : use.module.substr(dot + 1))) text += " as " + use.alias;
  if (!use.readings.empty()) text += "(" + join(use.readings, ", ", [](const auto& reading) { return reading.first + " = " + reading.second; }) + ")";
  return text;
}

std::string text_of(const Operand& operand) {
  std::string text = operand.name;
  std::string types = join(operand.types, " | ", itself);
  if (operand.quantized) types += (types.empty() ? "" : " | ") + ("quant(" + operand.quantized->first + ":" + operand.quantized->second + ")");
  if (!types.empty()) text += ": " + types;
  if (operand.optional) text += '?';
  if (operand.variadic) text += "...";
  if (operand.indexed)
    text += "[" + join(operand.indices, ", ", [](const Index& index) { return index.name + (index.by ? " by " + tree(index.by) : ""); }) + "]";
  if (operand.default_value) text += " = " + tree(operand.default_value);
  return text;
}

std::string text_of(const std::vector<Operand>& operands) {
  return join(operands, ", ", [](const Operand& operand) { return text_of(operand); });
}

std::string text_of(const Definition& definition) { return "def " + definition.name + parameters(definition.parameters) + " = " + text_of(definition.body); }

std::string text_of(const Choice& choice) {
  const std::string head = "choice " + choice.name + parameters(choice.parameters) + ":";
  const auto alternative = [](const Alternative& one) { return one.name + " = " + text_of(one.body); };
  std::string line = head + " " + join(choice.alternatives, " | ", alternative);
  return line.size() <= line_width ? line : head + "\n    " + join(choice.alternatives, "\n  | ", alternative);
}

std::string text_of(const Addition& addition) {
  const std::string head = "alternative " + addition.key + ":";
  const auto alternative = [](const Alternative& one) { return one.name + " = " + text_of(one.body); };
  std::string line = head + " " + join(addition.alternatives, " | ", alternative);
  return line.size() <= line_width ? line : head + "\n    " + join(addition.alternatives, "\n  | ", alternative);
}

std::string text_of(const Claim& claim) {
  return "claim " + claim.name + "(" + join(claim.parameters, ", ", [](const auto& parameter) { return parameter.first + ": " + parameter.second; }) +
         "): " + tree(claim.condition);
}

std::string text_of(const TypeVariables& types) {
  return "types " + join(types.variables, "; ", [](const auto& variable) { return variable.first + ": " + join(variable.second, " ", itself); });
}

std::string text_of(const TypeAlias& alias) { return "type " + alias.name + " = " + tree(alias.value); }

std::string text_of(const Structure& structure) {
  std::string head = "structure " + structure.path;
  if (structure.arguments.empty()) return head;
  return head + "(" +
         join(structure.arguments, ", ",
              [](const Argument& argument) {
                return argument.name + (argument.by ? " by " + tree(argument.by) : "") + (argument.value ? " = " + tree(argument.value) : "");
              }) +
         ")";
}

std::string text_of(const Constraint& constraint) {
  return (constraint.require ? "require " : "constraint ") + constraint.label + ": " + tree(constraint.condition);
}

std::string text_of(const Stage& stage) {
  std::string text = join(stage.targets, ", ", itself) + " <- " + stage.op + "(" + join(stage.args, ", ", tree) + ")";
  if (stage.attributes.empty()) return text;
  return text + " {" + join(stage.attributes, ", ", [](const auto& attribute) { return attribute.first + " = " + tree(attribute.second); }) + "}";
}

std::string text_of(const Let& let) { return target(let.targets) + " = " + text_of(let.body); }

}  // namespace

std::string print(const Structure& structure) { return text_of(structure); }

std::string print(const Op& op) {
  std::string text = "op " + op.path + "(" + text_of(op.operands) + ")";
  if (!op.attributes.empty()) text += " {" + text_of(op.attributes) + "}";
  if (!op.regions.empty()) text += " region " + join(op.regions, ", ", itself);
  text += " -> " + text_of(op.results) + "\n";
  for (const Statement& statement : op.statements) text += std::visit([](const auto& one) { return text_of(one); }, statement) + "\n";
  return text;
}

std::string print(const Module& module) {
  std::string text;
  for (const Use& use : module.uses) text += "use " + text_of(use) + "\n";
  for (const Definition& definition : module.definitions) text += text_of(definition) + "\n";
  for (const Choice& choice : module.choices) text += text_of(choice) + "\n";
  for (const Addition& addition : module.additions) text += text_of(addition) + "\n";
  for (const Claim& claim : module.claims) text += text_of(claim) + "\n";
  for (const Op& op : module.ops) text += (text.empty() ? "" : "\n") + print(op);
  return text;
}

}  // namespace tiebreak::notation
