// SPDX-License-Identifier: Apache-2.0
// Mutants of what no formula says: attributes and operands that steer a structure, read wrongly, and structures traversed wrongly. Which words
// apply goes by what the header says of a name; tables have what goes by the structure. What the words do: misreading.hpp.
#include <algorithm>

#include "interpreter/notation/walk.hpp"
#include "testsuite/score/mutate_rules.hpp"

namespace tiebreak::notation {
namespace {

/// Promises and permissions: no reading of them changes a result.
constexpr std::string_view promises[] = {
    "indices_are_sorted", "unique_indices", "is_stable", "precision_config", "algorithm", "known_expanding_dimensions", "known_nonexpanding_dimensions"};

/// Lists whose order means nothing: a set of dimensions.
constexpr std::string_view value_sets[] = {"dimensions"};

/// Words for a structure as a whole.
struct StructureWord {
  std::string_view path, word;
  Misread what;
};
constexpr StructureWord structure_words[] = {
    {"move.gather", "from_end", Misread::starts},
    {"move.gather", "to_first", Misread::starts},
    {"move.dynamic_slice", "from_end", Misread::starts},
    {"move.dynamic_slice", "to_first", Misread::starts},
    {"move.dynamic_update_slice", "from_end", Misread::starts},
    {"move.dynamic_update_slice", "to_first", Misread::starts},
    {"scatter.stablehlo", "from_end", Misread::starts},
    {"scatter.stablehlo", "to_end", Misread::starts},
    {"scatter.stablehlo", "whole_windows", Misread::starts},
    {"move.reshape", "column_major", Misread::places},
    {"move.reshape_onnx", "column_major", Misread::places},
    {"move.flatten_onnx", "column_major", Misread::places},
    {"move.split_onnx", "parts_reversed", Misread::places},
    {"move.split_onnx", "parts_dealt", Misread::places},
    {"move.split_onnx", "from_first", Misread::places},
    {"move.split_relay", "parts_reversed", Misread::places},
    {"move.split_relay", "parts_dealt", Misread::places},
    {"move.split_relay", "from_first", Misread::places},
    {"move.sort", "unstable", Misread::bodies},
    {"move.sort", "larger_first", Misread::bodies},
    {"control.branch", "bodies_reversed", Misread::bodies},
    {"control.loop", "body_first", Misread::loop},
    {"control.loop", "once", Misread::loop},
};

/// Structures that meet several operands in one bag: the items of one of them in the opposite order are other pairs.
constexpr std::string_view pairing[] = {"dot", "convolution", "transposed_convolution", "rows", "regroup"};

/// What the header says of a name, as far as it decides which words apply.
struct Steering {
  std::string name;
  bool operand = false, variadic = false;
  const Expr* fallback = nullptr;
  std::vector<std::string> words{};  ///< texts that the page compares it with
};

bool is(const Expr* expression, ExprKind kind) { return expression != nullptr && expression->kind == kind; }

/// Texts that `name` is compared with anywhere in the op, in their order.
std::vector<std::string> texts_compared(const Op& op, const std::string& name) {
  std::vector<std::string> texts;
  const auto keep = [&](const Expr& expression) {
    if (expression.kind == ExprKind::string && std::ranges::find(texts, expression.text) == texts.end()) texts.push_back(expression.text);
  };
  walk(op, [&](const Expr& one) {
    if (one.kind != ExprKind::binary || one.args[0]->kind != ExprKind::name || one.args[0]->text != name) return;
    keep(*one.args[1]);
    if (one.args[1]->kind == ExprKind::list)
      for (const ExprPtr& item : one.args[1]->args) keep(*item);
  });
  return texts;
}

bool is_read(const Expr& expression, const std::string& name) {
  bool read = false;
  walk(expression, [&](const Expr& one) { read |= one.kind == ExprKind::name && (one.text == name || one.text.starts_with(name + ".")); });
  return read;
}

bool is_read(const Body& body, const std::string& name) {
  return is_read(*body.value, name) || std::ranges::any_of(body.where, [&](const Binding& one) { return is_read(*one.value, name); });
}

/// Whether a formula reads elements or facts of an operand. Constraints and the structure line read no elements.
bool in_formulas(const Op& op, const std::string& name) {
  for (const Statement& statement : op.statements) {
    if (const auto* let = std::get_if<Let>(&statement); let != nullptr && is_read(let->body, name)) return true;
    if (const auto* one = std::get_if<Definition>(&statement); one != nullptr && is_read(one->body, name)) return true;
    if (const auto* choice = std::get_if<Choice>(&statement))
      for (const Alternative& alternative : choice->alternatives)
        if (is_read(alternative.body, name)) return true;
    if (const auto* structure = std::get_if<Structure>(&statement))
      for (const Argument& argument : structure->arguments)
        if (argument.value && is_read(*argument.value, name)) return true;
    if (const auto* stage = std::get_if<Stage>(&statement))
      for (const ExprPtr& argument : stage->args)
        if (is_read(*argument, name)) return true;
  }
  return false;
}

/// Whole numbers and nothing else, by the header; what it leaves open counts.
bool is_whole(const Op& op, const Operand& operand) {
  if (operand.quantized) return false;
  const auto whole = [](const std::string& word) { return word != "bool" && (is_integer_word(word) || word == "int" || word == "uint"); };
  for (const std::string& word : operand.types) {
    if (whole(word)) continue;
    const auto of_variable = [&](const TypeVariables& line) {
      return std::ranges::any_of(line.variables, [&](const auto& one) { return one.first == word && std::ranges::all_of(one.second, whole); });
    };
    const bool known = std::ranges::any_of(
        op.statements, [&](const Statement& one) { return std::holds_alternative<TypeVariables>(one) && of_variable(std::get<TypeVariables>(one)); });
    if (!known) return false;
  }
  return true;
}

/// Attributes, and operands of whole numbers that no formula reads.
std::vector<Steering> steering_names(const Op& op) {
  std::vector<Steering> found;
  for (const Operand& operand : op.operands)
    if (is_whole(op, operand) && !in_formulas(op, operand.name)) found.push_back({operand.name, true, operand.variadic});
  for (const Operand& attribute : op.attributes)
    if (std::ranges::find(promises, attribute.name) == std::end(promises))
      found.push_back({attribute.name, false, false, attribute.default_value.get(), texts_compared(op, attribute.name)});
  return found;
}

/// By the kind of value that the header lets expect; where it says nothing, all that a number or a list may be read as.
void add_words(const Steering& one, std::vector<Misreading>& out) {
  const auto add = [&](const char* word) { out.push_back({.word = word, .names = {one.name}}); };
  if (one.words.empty() || one.fallback != nullptr) add("ignored");
  for (const std::string& text : one.words) out.push_back({.word = "instead", .names = {one.name}, .text = text});
  if (!one.words.empty() || is(one.fallback, ExprKind::string)) return;
  if (is(one.fallback, ExprKind::constant) && one.fallback->text != "none") return add("negated");
  add("more");
  add("less");
  if (is(one.fallback, ExprKind::number) || is(one.fallback, ExprKind::unary)) return;
  if (std::ranges::find(value_sets, one.name) == std::end(value_sets)) add("reversed");
  add("first");
  if (one.operand) return;
  add("negated");
  if (one.name.find("pad") != std::string::npos) add("sides"), add("shifted");
  if (one.name.find("perm") != std::string::npos) add("inverse");
}

std::vector<std::string> split_words(const std::string& name) {
  std::vector<std::string> words(1);
  for (char c : name) {
    if (c == '_') words.emplace_back();
    else words.back() += c;
  }
  return words;
}

/// edge_padding_low and edge_padding_high: as many words, all but one the same.
bool are_neighbours(const std::string& a, const std::string& b) {
  const std::vector<std::string> x = split_words(a), y = split_words(b);
  if (x.size() != y.size()) return false;
  int differ = 0;
  for (std::size_t i = 0; i < x.size(); ++i) differ += x[i] != y[i] ? 1 : 0;
  return differ == 1;
}

bool moves_members(const Op& op, const Structure& structure) {
  return !op.regions.empty() || structure.path.starts_with("move.") || structure.path.starts_with("concat") || structure.path.starts_with("control.");
}

/// An operand that has an item at each place of the bag, and is not read as a whole, as `dimensions: i64[*]` is.
bool has_items(const Op& op, const std::string& name) {
  const auto found = std::ranges::find(op.operands, name, &Operand::name);
  return found != op.operands.end() && !(found->indices.size() == 1 && found->indices.front().name == "*");
}

/// An index that may name no body: a truth names one of two.
bool may_be_beyond(const Op& op, const Structure& structure) {
  const auto index = std::ranges::find(op.operands, structure.arguments.empty() ? "" : structure.arguments.front().name, &Operand::name);
  return structure.path == "control.branch" && index != op.operands.end() && is_whole(op, *index);
}

void add_structure_words(const Op& op, const Structure& structure, std::vector<Misreading>& out) {
  for (const StructureWord& one : structure_words)
    if (structure.path == one.path) out.push_back({.word = std::string(one.word), .what = one.what});
  if (may_be_beyond(op, structure))
    for (const char* word : {"to_first", "to_end"}) out.push_back({.word = word, .what = Misread::bodies});
  const std::string kind(split_first(structure.path).first);
  if (std::ranges::find(pairing, kind) == std::end(pairing) || !op.regions.empty()) return;
  for (std::size_t i = kind == "regroup" ? 0 : 1; i < structure.arguments.size(); ++i)
    if (has_items(op, structure.arguments[i].name)) out.push_back({.word = "mirrored", .what = Misread::places, .names = {structure.arguments[i].name}});
}

}  // namespace

std::vector<Misreading> misreadings_of(const Op& op, const Structure& structure) {
  std::vector<Misreading> out;
  const std::vector<Steering> names = steering_names(op);
  for (const Steering& one : names) add_words(one, out);
  for (std::size_t i = 0; i < names.size(); ++i)
    for (std::size_t k = i + 1; k < names.size(); ++k)
      if (names[i].operand == names[k].operand && are_neighbours(names[i].name, names[k].name))
        out.push_back({.word = "swapped", .names = {names[i].name, names[k].name}});
  if (moves_members(op, structure))
    for (const Operand& operand : op.operands)
      if (operand.variadic && std::ranges::none_of(names, [&](const Steering& one) { return one.name == operand.name; }))
        out.push_back({.word = "reversed", .names = {operand.name}});
  add_structure_words(op, structure, out);
  return out;
}

}  // namespace tiebreak::notation
