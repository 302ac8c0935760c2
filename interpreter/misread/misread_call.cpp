// SPDX-License-Identifier: Apache-2.0
#include "interpreter/misread/misread_call.hpp"

#include <algorithm>

#include "interpreter/misread/misread_values.hpp"
#include "interpreter/notation/attribute_names.hpp"
#include "interpreter/notation/walk.hpp"
#include "interpreter/notation/words.hpp"

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

/// Positions of an operand or its members among the operands of a call.
std::vector<std::size_t> positions_of(const notation::Op& op, std::size_t given, const std::string& name) {
  const std::size_t variadic = static_cast<std::size_t>(std::ranges::count(op.operands, true, &notation::Operand::variadic));
  const std::size_t fixed = op.operands.size() - variadic;
  const std::size_t members = variadic == 0 || given < fixed ? 0 : (given - fixed) / variadic;
  const bool grouped = notation::is_run(op);
  std::vector<std::size_t> positions;
  for (std::size_t i = 0, next = 0; i < op.operands.size(); ++i) {
    const bool many = op.operands[i].variadic;
    for (std::size_t m = 0; m < (many ? members : 1); ++m) {
      // Members repeat together, (x, s, x, s ...), but in ops that run bodies, (x, x, ..., s, s ...).
      const std::size_t position = many && !grouped ? fixed + m * variadic + (i - fixed) : next + m;
      if (op.operands[i].name == name && position < given) positions.push_back(position);
    }
    next += many ? members : 1;
  }
  return positions;
}

class Reader {
 public:
  Reader(const notation::Op& op, const OpCall& call) : op_(op), changed_(std::make_shared<OpCall>(call)) {}

  MisreadCall run(const std::vector<notation::Modifier>& words) {
    for (const notation::Modifier& one : words)
      if (!one.args.empty() && one.name != "mirrored") read(one);
    if (state_ == Misreading::changed) return {state_, changed_};
    return {state_, nullptr};
  }

 private:
  void note(Misreading state) { state_ = std::max(state_, state); }

  const notation::Operand* declared(const std::vector<notation::Operand>& list, const std::string& name) const {
    const auto found = std::ranges::find(list, name, &notation::Operand::name);
    return found == list.end() ? nullptr : &*found;
  }

  void read(const notation::Modifier& one) {
    const std::string& name = one.args[0]->text;
    if (const notation::Operand* attribute = declared(op_.attributes, name)) {
      if (one.name == "swapped") return swap_attributes(name, one.args[1]->text);
      Attribute before = value_of(*attribute);
      Attribute after = one.name == "instead" ? Attribute{one.args[1]->text} : one.name == "ignored" ? without(*attribute, before) : before;
      if (one.name != "instead" && one.name != "ignored") {
        auto entries = entries_of(before);
        if (!entries || !misread(one.name, *entries, false)) return note(Misreading::inapplicable);
        after = to_attribute(*entries, before);
      }
      return set(*attribute, before, std::move(after));
    }
    if (const notation::Operand* operand = declared(op_.operands, name)) read_operand(*operand, one);
  }

  /// As given, else as the header has it.
  Attribute value_of(const notation::Operand& attribute) const {
    const Attribute fallback = attribute.default_value ? literal(*attribute.default_value) : Attribute{};
    const auto found = changed_->attributes.find(notation::program_name(attribute.name));
    if (found == changed_->attributes.end() || found->second.is_none()) return fallback;
    // A flag that the source writes as 0 or 1.
    const Real* number = std::get_if<Real>(&found->second.value);
    if (number != nullptr && std::holds_alternative<bool>(fallback.value)) return Attribute{!number->is_zero()};
    return found->second;
  }

  /// The default; where the header has none an empty list, or zero.
  static Attribute without(const notation::Operand& attribute, const Attribute& given) {
    if (attribute.default_value) return literal(*attribute.default_value);
    if (std::holds_alternative<Real>(given.value)) return {Real(0)};
    if (std::holds_alternative<AttributeList>(given.value)) return {AttributeList{}};
    return given;
  }

  void set(const notation::Operand& attribute, const Attribute& before, Attribute after) {
    if (to_text(before) == to_text(after) || (is_empty(before) && is_empty(after))) return note(Misreading::unchanged);
    const std::string name = notation::program_name(attribute.name);
    if (after.is_none()) changed_->attributes.erase(name);
    else changed_->attributes[name] = std::move(after);
    note(Misreading::changed);
  }

  void swap_attributes(const std::string& first, const std::string& second) {
    const notation::Operand &a = *declared(op_.attributes, first), &b = *declared(op_.attributes, second);
    const Attribute one = value_of(a), other = value_of(b);
    // No value stands for no list, never for no number.
    const auto is_list = [](const Attribute& value) { return value.is_none() || entries_of(value).value_or(Entries{}).shape.size() > 0; };
    if (one.value.index() != other.value.index() && !(is_list(one) && is_list(other))) return note(Misreading::inapplicable);
    set(a, one, other);
    set(b, other, one);
  }

  void read_operand(const notation::Operand& operand, const notation::Modifier& one) {
    std::vector<std::size_t> positions = positions_of(op_, changed_->operands.size(), operand.name);
    if (one.name == "swapped") return swap_operands(positions, positions_of(op_, changed_->operands.size(), one.args[1]->text));
    if (positions.empty()) return note(Misreading::unchanged);  // left out behind the last operand that is given
    if (operand.variadic && one.name == "reversed") return reverse_members(positions);
    if (operand.variadic && one.name == "first") return repeat_member(positions);
    for (std::size_t position : positions) read_tensor(position, operand, one.name);
  }

  void read_tensor(std::size_t position, const notation::Operand& operand, const std::string& word) {
    std::optional<Tensor>& given = changed_->operands[position];
    if (!given) return note(Misreading::unchanged);
    if (word == "ignored" && (operand.optional || operand.default_value)) {
      given.reset();
      return note(Misreading::changed);
    }
    Entries entries = entries_of(*given);
    if (word == "ignored") std::ranges::fill(entries.flat, Attribute{Real(0)});
    else if (!misread(word, entries, true)) return note(Misreading::inapplicable);
    Tensor after = to_tensor(entries, *given);
    const bool same = std::ranges::equal(after.bytes(), given->bytes());
    given = std::move(after);
    note(same ? Misreading::unchanged : Misreading::changed);
  }

  void swap_operands(const std::vector<std::size_t>& a, const std::vector<std::size_t>& b) {
    if (a.size() != b.size()) return note(Misreading::inapplicable);
    for (std::size_t i = 0; i < a.size(); ++i) exchange(a[i], b[i]);
  }
  void reverse_members(const std::vector<std::size_t>& positions) {
    note(Misreading::unchanged);
    for (std::size_t i = 0; i < positions.size() / 2; ++i) exchange(positions[i], positions[positions.size() - 1 - i]);
  }
  void exchange(std::size_t a, std::size_t b) {
    std::swap(changed_->operands[a], changed_->operands[b]);
    changed_->undefined.resize(std::max(changed_->undefined.size(), std::max(a, b) + 1));
    std::swap(changed_->undefined[a], changed_->undefined[b]);
    note(Misreading::changed);
  }
  void repeat_member(const std::vector<std::size_t>& positions) {
    note(Misreading::unchanged);
    for (std::size_t i = 1; i < positions.size(); ++i) {
      changed_->operands[positions[i]] = changed_->operands[positions[0]];
      note(Misreading::changed);
    }
  }

  const notation::Op& op_;
  std::shared_ptr<OpCall> changed_;
  Misreading state_ = Misreading::none;
};

}  // namespace

std::vector<std::string> words_of(const notation::Structure& structure) {
  std::vector<std::string> words;
  for (const notation::Modifier& one : structure.misreadings) words.push_back(one.name);
  return words;
}

MisreadCall misread_call(const notation::Op& op, const OpCall& call) {
  const notation::Structure* structure = notation::structure_of(op);
  if (structure == nullptr || structure->misreadings.empty()) return {};
  return Reader(op, call).run(structure->misreadings);
}

}  // namespace tiebreak
