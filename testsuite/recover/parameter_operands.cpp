// SPDX-License-Identifier: Apache-2.0
#include "testsuite/recover/parameter_operands.hpp"

#include <algorithm>

#include "interpreter/notation/walk.hpp"

namespace tiebreak::recover {
namespace {

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return text;
}

struct Words {
  bool is_scale = false;
  std::string owner{};  ///< x of x_scale
};

/// `x_scale`, `input_zero_points`: whose it is, as its name says.
std::optional<Words> parameter_words(const notation::Operand& declaration) {
  if (std::ranges::any_of(declaration.indices, [](const notation::Index& index) { return index.name == "*"; })) return std::nullopt;
  std::string name = lower(declaration.name);
  if (name.ends_with("s")) name.pop_back();
  for (const char* kind : {"scale", "zero_point"}) {
    if (!name.ends_with(kind)) continue;
    std::string owner = name.substr(0, name.size() - std::string(kind).size());
    if (!owner.empty() && owner.back() != '_') continue;
    if (!owner.empty()) owner.pop_back();
    return Words{std::string(kind) == "scale", owner};
  }
  return std::nullopt;
}

bool has_integers(const notation::Op& op, const std::vector<std::string>& words) {
  if (words.empty()) return true;
  return std::ranges::any_of(words, [&](const std::string& word) {
    for (const notation::Statement& statement : op.statements) {
      const auto* declared = std::get_if<notation::TypeVariables>(&statement);
      if (declared == nullptr) continue;
      for (const auto& [name, members] : declared->variables)
        if (name == word) return has_integers(op, members);
    }
    const auto element = ElementType::parse(word);
    return word == "int" || word == "uint" || (element && element->is_integer()) || (!element && word != "float");
  });
}

class OwnerSearch {
 public:
  OwnerSearch(const notation::Op& op, const Operation& operation, const Program& program)
      : op_(op), operation_(operation), program_(program), values_(operand_values(op, operation)) {
    for (std::size_t i = 0; i < op.operands.size(); ++i)
      if (!parameter_words(op.operands[i])) data_.push_back(i);
  }

  std::vector<ParameterOperand> run() const {
    std::vector<ParameterOperand> found;
    for (std::size_t i = 0; i < op_.operands.size(); ++i) {
      const auto words = parameter_words(op_.operands[i]);
      if (!words) continue;
      const auto owners = owner_values(*words);
      const std::size_t members = op_.operands[i].variadic ? values_[i].size() : 1;
      for (std::size_t m = 0; m < members; ++m) {
        const ValueId parameter = m < values_[i].size() ? values_[i][m] : -1;
        if (parameter < 0 && !op_.operands[i].optional) continue;
        add(found, *words, op_.operands[i], parameter, owners, m);
      }
    }
    for (std::size_t i = 0; i < op_.results.size() && i < operation_.results.size(); ++i)
      if (const auto words = parameter_words(op_.results[i])) {
        add(found, *words, op_.results[i], operation_.results[i], owner_values(*words), 0);
        if (!found.empty() && found.back().parameter == operation_.results[i]) found.back().is_computed = true;
      }
    return found;
  }

 private:
  struct Owners {
    std::vector<ValueId> values{};
    bool are_results = false;
    const notation::Operand* declaration = nullptr;
  };

  void add(std::vector<ParameterOperand>& found, const Words& words, const notation::Operand& declaration, ValueId parameter, const Owners& owners,
           std::size_t member) const {
    if (owners.declaration == nullptr || owners.values.empty()) return;
    const ValueId owner = owners.values[std::min(member, owners.values.size() - 1)];
    if (owner < 0 || !may_be_codes(owner, *owners.declaration)) return;
    ParameterOperand made{
        .is_scale = words.is_scale, .declaration = &declaration, .parameter = parameter, .owner = owner, .owner_is_result = owners.are_results};
    made.real = real_side(owners.are_results);
    found.push_back(made);
  }

  /// Of an op with a single tensor on the other side: quantize and dequantize.
  ValueId real_side(bool owner_is_result) const {
    const notation::Structure* structure = notation::structure_of(op_);
    if (structure == nullptr || structure->path != "elementwise" || data_.size() != 1) return -1;
    const ValueId other = owner_is_result              ? (values_[data_[0]].empty() ? -1 : values_[data_[0]].front())
                          : operation_.results.empty() ? -1
                                                       : operation_.results.front();
    if (other < 0) return -1;
    const notation::Operand& declaration = owner_is_result ? op_.operands[data_[0]] : op_.results[0];
    const auto& type = program_.values[static_cast<std::size_t>(other)].type;
    return type ? (type->element.is_float() && !type->quantized ? other : -1) : (has_integers(op_, declaration.types) && owner_is_result ? -1 : other);
  }

  bool may_be_codes(ValueId id, const notation::Operand& declaration) const {
    const auto& type = program_.values[static_cast<std::size_t>(id)].type;
    return type ? !type->quantized && (type->element.is_integer() || (type->element.is_float() && type->element.bits() <= 8))
                : has_integers(op_, declaration.types);
  }

  Owners operand(std::size_t index) const { return {values_[index], false, &op_.operands[index]}; }
  Owners result() const { return operation_.results.empty() ? Owners{} : Owners{{operation_.results.front()}, true, &op_.results.front()}; }

  Owners owner_values(const Words& words) const {
    for (const std::size_t i : data_)
      if (lower(op_.operands[i].name) == words.owner) return operand(i);
    for (std::size_t i = 0; i < op_.results.size() && i < operation_.results.size(); ++i)
      if (lower(op_.results[i].name) == words.owner) return {{operation_.results[i]}, true, &op_.results[i]};
    if (words.owner == "output" || words.owner == "out") return result();
    if (data_.empty()) return {};
    if ((words.owner == "kernel" || words.owner == "weight") && data_.size() > 1) return operand(data_[1]);
    if (words.owner == "input" || words.owner == "data") return operand(data_[0]);
    if (!words.owner.empty() && words.owner != "dom") return {};
    // A plain `scale` is the operand's where codes come in, the result's where they go out.
    const Owners first = operand(data_[0]);
    return !first.values.empty() && first.values[0] >= 0 && may_be_codes(first.values[0], *first.declaration) ? first : result();
  }

  const notation::Op& op_;
  const Operation& operation_;
  const Program& program_;
  std::vector<std::vector<ValueId>> values_;
  std::vector<std::size_t> data_{};  ///< operands that are no parameters
};

std::optional<std::int64_t> whole_attribute(const notation::Op& op, const Operation& operation, const std::string& name) {
  if (const auto found = operation.attributes.find(name); found != operation.attributes.end()) return found->second.as_integer();
  for (const notation::Operand& attribute : op.attributes)
    if (attribute.name == name && attribute.default_value) {
      const notation::Expr& value = *attribute.default_value;
      if (value.kind == notation::ExprKind::number) return value.value.to_int64();
      if (value.kind == notation::ExprKind::unary && value.text == "-" && value.args[0]->kind == notation::ExprKind::number)
        return (-value.args[0]->value).to_int64();
    }
  return std::nullopt;
}

/// Where the structures have output channels of their second operand.
std::optional<std::int64_t> channel_axis(const notation::Op& op, const Operation& operation, const std::string& path) {
  if (path == "convolution.onnx") return 0;
  if (path == "dot.onnx") return whole_attribute(op, operation, "transB").value_or(0) != 0 ? 0 : -1;
  if (path == "dot.qnn") return 0;
  if (path != "convolution.qnn" && path != "transposed_convolution.qnn") return std::nullopt;
  const auto layout = operation.attributes.find("kernel_layout");
  std::string letters = layout == operation.attributes.end() ? "" : layout->second.as_string().value_or("");
  for (const notation::Operand& attribute : op.attributes)
    if (letters.empty() && attribute.name == "kernel_layout" && attribute.default_value) letters = attribute.default_value->text;
  const std::size_t place = letters.find('O');
  return place == std::string::npos ? std::nullopt : std::optional(static_cast<std::int64_t>(place));
}

}  // namespace

std::vector<std::vector<ValueId>> operand_values(const notation::Op& op, const Operation& operation) {
  std::vector<std::vector<ValueId>> values(op.operands.size());
  std::vector<std::size_t> variadic;
  std::size_t next = 0;
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    if (op.operands[i].variadic) variadic.push_back(i);
    else if (next < operation.operands.size()) values[i] = {operation.operands[next++]};
  }
  for (std::size_t turn = 0; !variadic.empty() && next < operation.operands.size(); ++next, ++turn)
    values[variadic[turn % variadic.size()]].push_back(operation.operands[next]);
  return values;
}

std::vector<ParameterOperand> parameter_operands(const notation::Op& op, const Operation& operation, const Program& program) {
  return OwnerSearch(op, operation, program).run();
}

std::optional<int> parameter_axis(const notation::Op& op, const Operation& operation, const ParameterOperand& parameter, std::optional<std::size_t> rank) {
  if (parameter.declaration->indices.size() != 1) return std::nullopt;
  const std::string& index = parameter.declaration->indices[0].name;
  const notation::Structure* structure = notation::structure_of(op);
  const bool is_of_channels = index == "channel" || index == "feature";
  std::optional<std::int64_t> axis =
      is_of_channels && structure != nullptr ? channel_axis(op, operation, structure->path) : whole_attribute(op, operation, index);
  if (!axis || (*axis < 0 && !rank)) return std::nullopt;
  if (*axis < 0) *axis += static_cast<std::int64_t>(*rank);
  return *axis < 0 || *axis > 63 ? std::nullopt : std::optional(static_cast<int>(*axis));
}

}  // namespace tiebreak::recover
