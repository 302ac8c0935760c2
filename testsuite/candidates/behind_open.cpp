// SPDX-License-Identifier: Apache-2.0
#include "testsuite/candidates/behind_open.hpp"

#include <algorithm>
#include <map>

#include "interpreter/program/is_read.hpp"

namespace tiebreak {
namespace {

std::size_t at_value(ValueId id) { return static_cast<std::size_t>(id); }

/// Elements of a value whose shape is stated.
std::optional<std::int64_t> stated_size(const ProgramValue& value) {
  if (!value.type || is_open(value.type->shape)) return std::nullopt;
  const Result<std::int64_t> count = element_count(value.type->shape);
  return count ? std::optional(*count) : std::nullopt;
}

bool is_integer(const ProgramValue& value) {
  return value.type && !value.type->quantized && (value.type->element.is_integer() || value.type->element.name() == "bool");
}

/// Integers from integers, in a way in which the order does not matter.
bool is_unique(const Program& program, const Operation& operation) {
  const auto integer = [&](ValueId id) { return id < 0 || is_integer(program.values[at_value(id)]); };
  const auto commutes = [](const Region& region) {
    static constexpr std::string_view words[] = {"maximum", "minimum", "add", "and", "or", "xor"};
    if (region.program.operations.size() != 1 || !region.captured.empty()) return false;
    const std::string& op = region.program.operations.front().op;
    return std::ranges::find(words, std::string_view(op).substr(op.rfind('.') + 1)) != std::end(words);
  };
  return std::ranges::all_of(operation.operands, integer) && std::ranges::all_of(operation.results, integer) &&
         std::ranges::all_of(operation.regions, commutes);
}

}  // namespace

bool is_too_large_to_follow(const Program& program) {
  if (program.operations.size() < 2) return false;
  if (!std::ranges::all_of(program.outputs, [&](ValueId id) { return stated_size(program.values[at_value(id)]).has_value(); })) return false;
  std::int64_t elements = 0;
  for (const ProgramValue& value : program.values) {
    if (value.constant) continue;
    const std::int64_t size = stated_size(value).value_or(0);
    if (size > most_followed - elements) return true;
    elements += size;
  }
  return false;
}

std::vector<std::optional<LegalOutput>> unknown_behind_open(const Program& program, const std::function<bool(const std::string& op)>& is_open) {
  std::vector<std::string> why(program.values.size());  // of each value: which operation leaves it open; "" where none does
  std::map<std::string, bool> asked;
  for (const Operation& operation : program.operations) {
    std::string open;
    for (const ValueId id : read_values(operation))
      if (open.empty()) open = why[at_value(id)];
    if (open.empty() && !is_unique(program, operation)) {
      const auto [found, fresh] = asked.try_emplace(operation.op, false);
      if (fresh) found->second = is_open(operation.op);
      if (found->second) open = operation.op + " leaves its result open, and the program is too large to follow what comes of that";
    }
    for (const ValueId id : operation.results)
      if (id >= 0) why[at_value(id)] = open;
  }
  std::vector<std::optional<LegalOutput>> legal;
  for (const ValueId id : program.outputs) {
    legal.emplace_back();
    if (why[at_value(id)].empty()) continue;
    LegalResults results;
    results.computed.resize(1);
    results.elements = LegalElements::unknown(static_cast<std::size_t>(stated_size(program.values[at_value(id)]).value_or(0)));
    results.why = why[at_value(id)];
    legal.back() = LegalOutput{.orders = std::make_shared<const LegalResults>(std::move(results)), .why = why[at_value(id)]};
  }
  return legal;
}

}  // namespace tiebreak
