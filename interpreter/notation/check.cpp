// SPDX-License-Identifier: Apache-2.0
#include "interpreter/notation/check.hpp"

#include <algorithm>
#include <charconv>
#include <set>

#include "interpreter/notation/checker.hpp"
#include "interpreter/notation/lexer.hpp"
#include "interpreter/notation/words.hpp"

namespace tiebreak::notation {
namespace {

/// spec/a.md:12:3 -> its file, 12 and 3.
std::tuple<std::string_view, int, int> parts_of(std::string_view where) {
  std::array<int, 2> numbers{0, 0};
  for (int i = 1; i >= 0; --i) {
    const std::size_t colon = where.rfind(':');
    if (colon == std::string_view::npos) break;
    const std::string_view digits = where.substr(colon + 1);
    int number = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (problem != std::errc{} || end != digits.data() + digits.size()) break;
    numbers[static_cast<std::size_t>(i)] = number;
    where = where.substr(0, colon);
  }
  return {where, numbers[0], numbers[1]};
}

void sort_findings(std::vector<Error>& findings) {
  std::ranges::stable_sort(findings, place_before);
  const auto same = [](const Error& a, const Error& b) { return a.where == b.where && a.what == b.what; };
  findings.erase(std::unique(findings.begin(), findings.end(), same), findings.end());
}

}  // namespace

Checker::Checker(const Module& checked, const CheckContext& known)
    : module(checked), context(known), file(checked.file), names(names_of(checked, findings)), resolver(checked, names, context.module) {
  for (const Op& op : module.ops) ops.push_back(names_of(op, names, findings));
}

void Checker::report(Errc code, const std::string& what, Position at, std::string hint) { findings.push_back({code, what, place(file, at), std::move(hint)}); }

void Checker::refer(const std::string& module_name, Position at) {
  if (module_name == module.name) return;
  if (std::ranges::none_of(references, [&](const ModuleReference& one) { return one.module == module_name; })) references.push_back({module_name, at, file});
}

std::string suggest(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string near = nearest(std::string(word), candidates);
  return near.empty() ? "" : "did you mean '" + near + "'?";
}

bool place_before(const Error& a, const Error& b) { return parts_of(a.where) < parts_of(b.where); }

FormatClass class_of(const std::string& type_word, const Names& names) {
  if (is_integer_word(type_word) || type_word == "int" || type_word == "uint") return FormatClass::integer;
  if (is_format_word(type_word) || type_word == "float") return FormatClass::floating;
  const Named* named = names.find(type_word).named;
  if (named == nullptr || named->types == nullptr || named->types->empty()) return FormatClass::unknown;
  const auto of_word = [](const std::string& word) {
    if (is_integer_word(word) || word == "int" || word == "uint") return FormatClass::integer;
    return is_format_word(word) || word == "float" ? FormatClass::floating : FormatClass::unknown;
  };
  const FormatClass first = of_word(named->types->front());
  return std::ranges::all_of(*named->types, [&](const std::string& word) { return of_word(word) == first; }) ? first : FormatClass::unknown;
}

FormatClass class_of(const Operand& operand, const Names& names) {
  if (operand.quantized) return operand.types.empty() ? class_of(operand.quantized->first, names) : FormatClass::unknown;
  if (operand.types.empty()) return FormatClass::unknown;
  const FormatClass first = class_of(operand.types.front(), names);
  return std::ranges::all_of(operand.types, [&](const std::string& type) { return class_of(type, names) == first; }) ? first : FormatClass::unknown;
}

FormatClass class_of_target(std::string_view target, const Frame& frame) {
  if (frame.local(target) != nullptr) return FormatClass::unknown;
  const Names::Found found = frame.names->find(target);
  if (found.named == nullptr || found.named->types != nullptr) return class_of(std::string(target), *frame.names);
  return found.named->operand != nullptr ? class_of(*found.named->operand, *found.home) : FormatClass::unknown;
}

bool is_target(std::string_view target, const Frame& frame) {
  if (const Local* local = frame.local(target)) return local->parameter;
  const Named* named = frame.names->find(target).named;
  if (named == nullptr) return is_format_word(target);
  switch (named->role) {
    using enum Role;
    case operand:
    case result:
    case stage:
    case type_variable:
    case type_alias: return true;
    case attribute:
    case let:
    case definition:
    case choice:
    case region: return false;
  }
  return false;
}

CheckResult check(const Module& module, const CheckContext& context) {
  Checker checker(module, context);
  check_uses(checker);
  for (std::size_t i = 0; i < module.ops.size(); ++i) check_header(checker, module.ops[i], checker.ops[i]);
  check_references(checker);
  check_cycles(checker);
  if (!context.allow_unused) check_unused(checker);
  check_kinds(checker);
  check_rates(checker);
  sort_findings(checker.findings);
  return {std::move(checker.findings), std::move(checker.references)};
}

std::vector<Error> check_module(const Module& module, const ModuleLookup& lookup) {
  CheckResult result = check(module, {.module = lookup});
  std::vector<ModuleReferences> reached{{&module, std::move(result.references)}};
  for (std::size_t i = 0; i < reached.size(); ++i)
    for (std::size_t j = 0; j < reached[i].references.size(); ++j) {
      const Module* next = lookup ? lookup(reached[i].references[j].module) : nullptr;
      if (next == nullptr || std::ranges::any_of(reached, [&](const ModuleReferences& one) { return one.module->name == next->name; })) continue;
      reached.push_back({next, check(*next, {.module = lookup}).references});
    }
  for (Error& circle : check_circles(reached))
    if (circle.where.starts_with(module.file + ":")) result.findings.push_back(std::move(circle));
  sort_findings(result.findings);
  return std::move(result.findings);
}

}  // namespace tiebreak::notation
