// SPDX-License-Identifier: Apache-2.0
// Attributes, and operands that steer, read wrongly.
#include <algorithm>

#include "interpreter/notation/attribute_names.hpp"
#include "interpreter/notation/walk.hpp"
#include "testsuite/score/misread_values.hpp"
#include "testsuite/score/misreading.hpp"

namespace tiebreak {
namespace {

using notation::ExprKind;

Attribute literal(const notation::Expr& expression) {
  if (expression.kind == ExprKind::number) return {expression.value};
  if (expression.kind == ExprKind::string) return {expression.text};
  if (expression.kind == ExprKind::constant && expression.text != "none") return {expression.text == "true"};
  if (expression.kind == ExprKind::unary && expression.args[0]->kind == ExprKind::number) return {-expression.args[0]->value};
  return {};
}

/// No value, or a list of none: to structures they are the same.
bool is_empty(const Attribute& one) {
  const AttributeList* list = std::get_if<AttributeList>(&one.value);
  return one.is_none() || (list != nullptr && list->empty());
}

const notation::Operand* declared(const std::vector<notation::Operand>& list, const std::string& name) {
  const auto found = std::ranges::find(list, name, &notation::Operand::name);
  return found == list.end() ? nullptr : &*found;
}

/// Words that name what they read wrongly.
class HeaderReader {
 public:
  HeaderReader(const notation::Op& op, OpCall& changed) : op_(op), changed_(changed) {}

  Reading run(const Misreading& one) {
    read(one);
    return state_;
  }

 private:
  void note(Reading state) { state_ = std::max(state_, state); }

  void read(const Misreading& one) {
    const std::string& name = one.names[0];
    if (const notation::Operand* attribute = declared(op_.attributes, name)) {
      if (one.word == "swapped") return swap_attributes(name, one.names[1]);
      Attribute before = attribute_value(op_, changed_, name);
      Attribute after = one.word == "instead" ? Attribute{one.text} : one.word == "ignored" ? without(*attribute, before) : before;
      if (one.word != "instead" && one.word != "ignored") {
        auto entries = entries_of(before);
        if (!entries || !misread(one.word, *entries, false)) return note(Reading::inapplicable);
        after = to_attribute(*entries, before);
      }
      return set(*attribute, before, std::move(after));
    }
    if (const notation::Operand* operand = declared(op_.operands, name)) read_operand(*operand, one);
  }

  /// The default; where the header has none an empty list, or zero.
  static Attribute without(const notation::Operand& attribute, const Attribute& given) {
    if (attribute.default_value) return literal(*attribute.default_value);
    if (std::holds_alternative<Real>(given.value)) return {Real(0)};
    if (std::holds_alternative<AttributeList>(given.value)) return {AttributeList{}};
    return given;
  }

  void set(const notation::Operand& attribute, const Attribute& before, Attribute after) {
    if (to_text(before) == to_text(after) || (is_empty(before) && is_empty(after))) return note(Reading::unchanged);
    const std::string name = notation::program_name(attribute.name);
    if (after.is_none()) changed_.attributes.erase(name);
    else changed_.attributes[name] = std::move(after);
    note(Reading::changed);
  }

  void swap_attributes(const std::string& first, const std::string& second) {
    const notation::Operand &a = *declared(op_.attributes, first), &b = *declared(op_.attributes, second);
    const Attribute one = attribute_value(op_, changed_, first), other = attribute_value(op_, changed_, second);
    // No value stands for no list, never for no number.
    const auto is_list = [](const Attribute& value) { return value.is_none() || entries_of(value).value_or(Entries{}).shape.size() > 0; };
    if (one.value.index() != other.value.index() && !(is_list(one) && is_list(other))) return note(Reading::inapplicable);
    set(a, one, other);
    set(b, other, one);
  }

  void read_operand(const notation::Operand& operand, const Misreading& one) {
    std::vector<std::size_t> positions = operand_positions(op_, changed_.operands.size(), operand.name);
    if (one.word == "swapped") return swap_operands(positions, operand_positions(op_, changed_.operands.size(), one.names[1]));
    if (positions.empty()) return note(Reading::unchanged);  // left out behind the last operand that is given
    if (operand.variadic && one.word == "reversed") return reverse_members(positions);
    if (operand.variadic && one.word == "first") return repeat_member(positions);
    for (std::size_t position : positions) read_tensor(position, operand, one.word);
  }

  void read_tensor(std::size_t position, const notation::Operand& operand, const std::string& word) {
    std::optional<Tensor>& given = changed_.operands[position];
    if (!given) return note(Reading::unchanged);
    if (word == "ignored" && (operand.optional || operand.default_value)) {
      given.reset();
      return note(Reading::changed);
    }
    Entries entries = entries_of(*given);
    if (word == "ignored") std::ranges::fill(entries.flat, Attribute{Real(0)});
    else if (!misread(word, entries, true)) return note(Reading::inapplicable);
    Tensor after = to_tensor(entries, *given);
    const bool same = std::ranges::equal(after.bytes(), given->bytes());
    given = std::move(after);
    note(same ? Reading::unchanged : Reading::changed);
  }

  void swap_operands(const std::vector<std::size_t>& a, const std::vector<std::size_t>& b) {
    if (a.size() != b.size()) return note(Reading::inapplicable);
    for (std::size_t i = 0; i < a.size(); ++i) exchange(a[i], b[i]);
  }
  void reverse_members(const std::vector<std::size_t>& positions) {
    note(Reading::unchanged);
    for (std::size_t i = 0; i < positions.size() / 2; ++i) exchange(positions[i], positions[positions.size() - 1 - i]);
  }
  void exchange(std::size_t a, std::size_t b) {
    std::swap(changed_.operands[a], changed_.operands[b]);
    changed_.undefined.resize(std::max(changed_.undefined.size(), std::max(a, b) + 1));
    std::swap(changed_.undefined[a], changed_.undefined[b]);
    note(Reading::changed);
  }
  void repeat_member(const std::vector<std::size_t>& positions) {
    note(Reading::unchanged);
    for (std::size_t i = 1; i < positions.size(); ++i) {
      changed_.operands[positions[i]] = changed_.operands[positions[0]];
      note(Reading::changed);
    }
  }

  const notation::Op& op_;
  OpCall& changed_;
  Reading state_ = Reading::none;
};

}  // namespace

std::vector<std::size_t> operand_positions(const notation::Op& op, std::size_t given, const std::string& name) {
  const std::size_t variadic = static_cast<std::size_t>(std::ranges::count(op.operands, true, &notation::Operand::variadic));
  const std::size_t fixed = op.operands.size() - variadic;
  const std::size_t members = variadic == 0 || given < fixed ? 0 : (given - fixed) / variadic;
  const bool grouped = notation::is_run(op);
  std::vector<std::size_t> positions;
  for (std::size_t i = 0, next = 0; i < op.operands.size(); ++i) {
    const bool many = op.operands[i].variadic;
    for (std::size_t m = 0; m < (many ? members : 1); ++m) {
      // Members repeat together, (x, s, x, s ...), but in ops that run regions, (x, x, ..., s, s ...).
      const std::size_t position = many && !grouped ? fixed + m * variadic + (i - fixed) : next + m;
      if (op.operands[i].name == name && position < given) positions.push_back(position);
    }
    next += many ? members : 1;
  }
  return positions;
}

Attribute attribute_value(const notation::Op& op, const OpCall& call, const std::string& name) {
  const notation::Operand* attribute = declared(op.attributes, name);
  if (attribute == nullptr) return {};
  const Attribute fallback = attribute->default_value ? literal(*attribute->default_value) : Attribute{};
  const auto found = call.attributes.find(notation::program_name(name));
  if (found == call.attributes.end() || found->second.is_none()) return fallback;
  // A flag that the source writes as 0 or 1.
  const Real* number = std::get_if<Real>(&found->second.value);
  if (number != nullptr && std::holds_alternative<bool>(fallback.value)) return Attribute{!number->is_zero()};
  return found->second;
}

std::string to_text(const Misreading& misreading) {
  std::string text;
  for (const std::string& name : misreading.names) text += (text.empty() ? "" : ", ") + name;
  if (!misreading.text.empty()) text += ", \"" + misreading.text + "\"";
  return misreading.word + (text.empty() ? "" : "(" + text + ")");
}

MisreadCall misread_call(const notation::Op& op, const Misreading& misreading, const OpCall& call) {
  MisreadCall misread;
  const auto changed = std::make_shared<OpCall>(call);
  switch (misreading.what) {
    case Misread::value: misread.state = HeaderReader(op, *changed).run(misreading); break;
    case Misread::starts: misread.state = misread_starts(op, misreading.word, *changed); break;
    case Misread::bodies: misread.state = misread_bodies(op, misreading.word, *changed, misread.bodies); break;
    case Misread::places:
    case Misread::loop: misread.state = Reading::run_otherwise; break;
  }
  if (misread.state == Reading::changed) misread.call = changed;
  return misread;
}

}  // namespace tiebreak
