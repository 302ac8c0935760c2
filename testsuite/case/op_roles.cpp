// SPDX-License-Identifier: Apache-2.0
#include "testsuite/case/op_roles.hpp"

#include <algorithm>

#include "interpreter/notation/walk.hpp"

namespace tiebreak {
namespace {

std::vector<std::string> words_of_family(const std::string& word) {
  if (word == "int") return {"i8", "i16", "i32", "u8", "u16", "u32", "i4", "u4"};
  if (word == "uint") return {"u8", "u16", "u32", "u4"};
  if (word == "float") return {"f32", "f16", "bf16", "f64"};
  return {word};
}

class RoleReader {
 public:
  RoleReader(const notation::Op& op, const std::map<std::string, std::string>& types) : op_(op), asked_(types) {
    for (const notation::Statement& statement : op.statements)
      if (const auto* declared = std::get_if<notation::TypeVariables>(&statement))
        for (const auto& [name, words] : declared->variables) variables_[name] = words;
  }

  Result<OpRoles> read() {
    TIEBREAK_CHECK(read_form());
    TIEBREAK_CHECK(check_names());
    TIEBREAK_CHECK(bind_asked());
    for (const notation::Operand& operand : op_.operands) TIEBREAK_CHECK(add(operand));
    for (OperandRole& role : roles_.operands) role.of_result = is_of_result(role);
    for (const notation::Operand& attribute : op_.attributes) {
      auto asked = asked_.find(attribute.name);
      if (asked == asked_.end()) continue;
      TIEBREAK_TRY(type, parse(asked->second, attribute.name));
      roles_.attributes.emplace(attribute.name, type);
    }
    if (op_.results[0].quantized) {
      OperandRole role;
      TIEBREAK_CHECK(set_types(op_.results[0], role));
      roles_.result = role;
    } else if (op_.results[0].types.size() == 1 && variables_.contains(op_.results[0].types[0]) && !bound_.contains(op_.results[0].types[0])) {
      OperandRole role;
      TIEBREAK_CHECK(set_types(op_.results[0], role));
      roles_.result = role;
    }
    if (roles_.data().empty() || roles_.data().size() > 2) return unsupported("operands that are asked about one by one");
    return roles_;
  }

 private:
  tl::unexpected<Error> unsupported(const std::string& what) const {
    return fail(Errc::unsupported, "no questions can be made for " + op_.path + ": " + what, "--op", "give what was seen with --observations");
  }

  Status read_form() {
    roles_.op = op_.path;
    const notation::Structure* structure = notation::structure_of(op_);
    std::string path = structure == nullptr ? "" : structure->path;
    if (path == "elementwise") roles_.form = OpRoles::Form::elementwise;
    else if (path.starts_with("dot.")) roles_.form = OpRoles::Form::matrix;
    else if (path == "convolution.onnx") roles_.form = OpRoles::Form::convolution;
    else return unsupported("its structure is " + (path.empty() ? "none" : path));
    if (op_.results.size() != 1) return unsupported("it has several results");
    if (roles_.form == OpRoles::Form::matrix)
      for (const notation::Operand& operand : op_.operands)
        if (std::ranges::any_of(operand.indices, [](const notation::Index& index) { return index.by != nullptr; }))
          return unsupported("its scales go by blocks");
    for (const notation::Operand& attribute : op_.attributes) roles_.has_lists |= attribute.name == "lhs_contracting_dimensions";
    return {};
  }

  Status check_names() const {
    std::vector<std::string> known;
    for (const auto* list : {&op_.operands, &op_.attributes, &op_.results})
      for (const notation::Operand& operand : *list) known.push_back(operand.name);
    for (const auto& [name, word] : asked_) {
      if (std::ranges::find(known, name) != known.end()) continue;
      std::string near = nearest(name, known);
      return fail(Errc::unknown_name, op_.path + " has no operand, result or attribute '" + name + "'", "--types",
                  near.empty() ? "" : "did you mean '" + near + "'?");
    }
    return {};
  }

  Result<ElementType> parse(const std::string& word, const std::string& name) const {
    std::optional<ElementType> type = ElementType::parse(word);
    if (!type) return fail(Errc::unknown_name, "unknown element type '" + word + "' of " + name, "--types");
    return *type;
  }

  std::vector<std::string> allowed(const std::vector<std::string>& words) const {
    std::vector<std::string> all;
    for (const std::string& word : words) {
      auto variable = variables_.find(word);
      for (const std::string& one : variable == variables_.end() ? std::vector<std::string>{word} : variable->second)
        for (const std::string& member : words_of_family(one)) all.push_back(member);
    }
    return all;
  }

  static std::vector<std::string> words_of(const notation::Operand& operand) {
    return operand.quantized ? std::vector<std::string>{operand.quantized->first} : operand.types;
  }

  /// Binds the variable behind a named operand, so that those that share it follow. A result's type is its zero point's, or an attribute's.
  Status bind_asked() {
    for (const auto& [name, word] : asked_) {
      TIEBREAK_TRY(type, parse(word, name));
      for (const notation::Operand& operand : op_.operands) {
        bool follows = operand.name == name || (is_result(name) && is_zero_point_of_result(operand.name) && !op_.results[0].quantized);
        if (follows) TIEBREAK_CHECK(bind(operand, type, name));
      }
      if (!is_result(name)) continue;
      if (op_.results[0].quantized) TIEBREAK_CHECK(bind(op_.results[0], type, name));
      for (const notation::Operand& attribute : op_.attributes)
        if (attribute.name == "output_dtype" || attribute.name == "to") roles_.attributes.emplace(attribute.name, type);
    }
    return {};
  }

  Status bind(const notation::Operand& operand, const ElementType& type, const std::string& asked) {
    std::vector<std::string> words = words_of(operand), known = allowed(words);
    if (std::ranges::find(known, type.name()) == known.end()) {
      std::string all;
      for (const std::string& word : known) all += (all.empty() ? "" : " ") + word;
      // A zero point that follows its result may be wider than it.
      if (operand.name != asked) return {};
      return fail(Errc::type, op_.path + " takes no " + type.name() + " as " + operand.name, "--types", "one of " + all);
    }
    for (const std::string& word : words) bound_.emplace(word, type);
    bound_.emplace(operand.name, type);
    return {};
  }

  bool is_result(const std::string& name) const { return op_.results[0].name == name; }
  bool is_zero_point_of_result(const std::string& name) const {
    const std::string suffix = "zero_point";
    return (name.ends_with(suffix) && of_result(name.substr(0, name.size() - suffix.size()))) || (name == suffix && !op_.results[0].name.empty());
  }

  Result<ElementType> type_of(const std::vector<std::string>& words, const std::string& name, bool is_weight) {
    if (auto found = bound_.find(name); found != bound_.end()) return found->second;
    for (const std::string& word : words)
      if (auto found = bound_.find(word); found != bound_.end()) return found->second;
    std::vector<std::string> known = allowed(words);
    std::string word = known.empty() ? "f32" : known.front();
    // What hardware has: the widest types are listed first in some pages.
    for (const char* plain : {"f32", "i32"})
      if ((word == "f64" && std::string(plain) == "f32") || (word == "i64" && std::string(plain) == "i32"))
        if (std::ranges::find(known, plain) != known.end()) word = plain;
    if (is_weight && std::ranges::find(known, "i8") != known.end()) word = "i8";
    TIEBREAK_TRY(type, parse(word, name));
    for (const std::string& variable : words) bound_.emplace(variable, type);
    return type;
  }

  Status set_types(const notation::Operand& operand, OperandRole& role) {
    role.name = operand.name;
    role.indexed = !operand.indices.empty();
    bool is_weight = roles_.form != OpRoles::Form::elementwise && role.kind == RoleKind::data && roles_.data().size() == 1 && !operand.quantized;
    TIEBREAK_TRY(type, type_of(words_of(operand), operand.name, is_weight));
    role.type = type;
    if (!operand.quantized) return {};
    std::vector<std::string> known = allowed(words_of(operand));
    bool is_guess = !asked_.contains(operand.name) && !bound_.contains(operand.name);
    if (is_guess && std::ranges::find(known, "i8") != known.end()) role.type = *ElementType::parse("i8");
    bound_[operand.quantized->first] = role.type;
    TIEBREAK_TRY(expressed, type_of({operand.quantized->second}, operand.name + ".expressed", false));
    role.expressed = expressed.name() == "f64" ? *ElementType::parse("f32") : expressed;
    bound_[operand.quantized->second] = *role.expressed;
    return {};
  }

  Status add(const notation::Operand& operand) {
    OperandRole role;
    if (operand.variadic) return unsupported("it takes any number of operands");
    std::optional<RoleKind> kind = kind_of(op_, operand);
    if (is_integer_factor(op_, operand)) kind = operand.name == "shift" ? RoleKind::shift : RoleKind::multiplier;
    if (!kind) return {};
    role.kind = *kind;
    if (role.kind == RoleKind::data && operand.indexed) return unsupported("operand '" + operand.name + "' is neither data, scale nor zero point");
    TIEBREAK_CHECK(set_types(operand, role));
    roles_.operands.push_back(std::move(role));
    return {};
  }

  /// `y_` of a result y or Y.
  bool of_result(const std::string& owner) const {
    const auto small = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return std::ranges::equal(owner, op_.results[0].name + "_", {}, small, small);
  }

  /// `y_scale` of a result y. A plain `scale` is the result's where codes come out, the operand's where they go in.
  bool is_of_result(const OperandRole& role) const {
    if (role.kind != RoleKind::scale && role.kind != RoleKind::zero_point) return false;
    std::string suffix = role.kind == RoleKind::scale ? "scale" : "zero_point";
    std::string owner = role.name.substr(0, role.name.size() - suffix.size());
    if (!owner.empty()) return of_result(owner) || owner == "output_" || owner == "out_";
    return roles_.data().empty() || roles_.data().front()->type.is_float();
  }

  const notation::Op& op_;
  const std::map<std::string, std::string>& asked_;
  std::map<std::string, std::vector<std::string>> variables_{};
  std::map<std::string, ElementType> bound_{};
  OpRoles roles_{};
};

}  // namespace

bool is_integer_factor(const notation::Op& op, const notation::Operand& operand) {
  const auto has = [&](const char* name) { return std::ranges::find(op.operands, name, &notation::Operand::name) != op.operands.end(); };
  return (operand.name == "multiplier" || operand.name == "shift") && has("multiplier") && has("shift");
}

std::optional<OperandRole::Kind> kind_of(const notation::Op& op, const notation::Operand& operand) {
  const notation::Structure* structure = notation::structure_of(op);
  bool is_elementwise = structure != nullptr && structure->path == "elementwise";
  if (operand.name.ends_with("scale")) return RoleKind::scale;
  if (operand.name.ends_with("zero_point")) return RoleKind::zero_point;
  if (!operand.optional) return RoleKind::data;
  return !operand.indices.empty() && !is_elementwise ? std::optional(RoleKind::bias) : std::nullopt;
}

std::vector<const OperandRole*> OpRoles::data() const {
  std::vector<const OperandRole*> found;
  for (const OperandRole& role : operands)
    if (role.kind == RoleKind::data) found.push_back(&role);
  return found;
}

const OperandRole* OpRoles::find(OperandRole::Kind kind, bool of_result) const {
  for (const OperandRole& role : operands)
    if (role.kind == kind && role.of_result == of_result) return &role;
  return nullptr;
}

std::string OpRoles::text() const {
  std::string text;
  for (const OperandRole& role : operands)
    text += (text.empty() ? "" : " ") + role.name + "=" + role.type.name() + (role.expressed ? ":" + role.expressed->name() : "");
  for (const auto& [name, type] : attributes) text += " " + name + "=" + type.name();
  if (result) text += " " + result->name + "=" + result->type.name() + (result->expressed ? ":" + result->expressed->name() : "");
  return text;
}

Result<OpRoles> roles_of(const Library& library, const std::string& op, const std::map<std::string, std::string>& types) {
  TIEBREAK_TRY(place, library.find_op(op));
  if (place.op->results.empty()) return fail(Errc::unsupported, op + " has no result", "--op");
  return RoleReader(*place.op, types).read();
}

}  // namespace tiebreak
