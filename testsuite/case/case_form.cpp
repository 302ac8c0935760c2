// SPDX-License-Identifier: Apache-2.0
#include "testsuite/case/case_form.hpp"

#include <algorithm>
#include <set>

#include "testsuite/case/default_element_types.hpp"

namespace tiebreak {
namespace {

/// An operand that the case gives, beside its place in the page's header.
struct GivenOperand {
  const notation::Operand* declaration;
  const Tensor* tensor;
};

const Tensor* known_tensor(const Case& test, ValueId id) {
  for (std::size_t i = 0; i < test.program.inputs.size() && i < test.inputs.size(); ++i)
    if (test.program.inputs[i] == id) return &test.inputs[i];
  const auto& constant = test.program.values[static_cast<std::size_t>(id)].constant;
  return constant ? &*constant : nullptr;
}

/// A variadic operand stands for all that follow it.
std::vector<GivenOperand> given_operands(const notation::Op& op, const Case& test) {
  std::vector<GivenOperand> given;
  const std::vector<ValueId>& operands = test.program.operations[0].operands;
  for (std::size_t i = 0; i < operands.size() && !op.operands.empty(); ++i) {
    const notation::Operand& declaration = op.operands[std::min(i, op.operands.size() - 1)];
    if (operands[i] < 0 || (i >= op.operands.size() && !declaration.variadic)) continue;
    if (const Tensor* tensor = known_tensor(test, operands[i])) given.push_back({&declaration, tensor});
  }
  return given;
}

/// A scale, a zero point, or what a page has in place of them: TOSA's multipliers and shifts, the plural of block formats.
bool is_parameter(const notation::Op& op, const notation::Operand& operand) {
  const std::string& name = operand.name;
  if (operand.quantized || (!operand.indices.empty() && operand.indices[0].name == "*")) return false;
  // A normalization's plain `scale` is a factor of the data.
  if (name == "scale") return std::ranges::any_of(op.operands, [](const auto& other) { return other.name == "zero_point"; });
  const std::optional<RoleKind> kind = kind_of(op, operand);
  return kind == RoleKind::scale || kind == RoleKind::zero_point || name.ends_with("_zp") || name == "multiplier" || name == "shift" || name == "scales" ||
         name == "zero_points";
}

Granularity granularity_of(const GivenOperand& operand, const AttributeMap& attributes) {
  if (operand.tensor->size() <= 1) return Granularity::per_tensor;
  const auto& indices = operand.declaration->indices;
  if (!std::ranges::any_of(indices, [](const notation::Index& index) { return index.by != nullptr; })) return Granularity::per_axis;
  const auto size = attributes.find("block_size");
  const bool has_blocks = size == attributes.end() ? operand.tensor->shape().size() > 1 : size->second.as_integer().value_or(0) != 0;
  return has_blocks ? Granularity::per_block : Granularity::per_axis;
}

/// `i8`, of a quantized type `i8:f32`.
std::string type_text(const TensorType& type) { return type.element.name() + (type.quantized ? ":" + type.quantized->expressed.name() : ""); }

/// Attributes that state the type of a result.
std::string stated_types(const AttributeMap& attributes) {
  std::string text;
  for (const auto& [name, attribute] : attributes)
    if (const auto* type = std::get_if<ElementType>(&attribute.value)) text += " " + name + "=" + type->name();
  return text;
}

class FormReader {
 public:
  FormReader(const notation::Op& op, const Case& test) : op_(op), test_(test), given_(given_operands(op, test)) {}

  CaseForm form() {
    CaseForm form;
    form.op = op_.path;
    for (const GivenOperand& operand : given_) read(operand, form);
    for (ValueId id : test_.program.outputs)
      if (const auto& type = test_.program.values[static_cast<std::size_t>(id)].type; type && type->quantized)
        add(tiebreak::granularity_of(*type->quantized), "result", form);
    if (const Tensor* first = main_operand()) form.rank = first->shape().size();
    return form;
  }

  std::string all_types() const {
    std::string text;
    for (const GivenOperand& operand : given_) text += (text.empty() ? "" : " ") + operand.declaration->name + "=" + type_text(operand.tensor->type());
    for (ValueId id : test_.program.outputs)
      if (const auto& type = test_.program.values[static_cast<std::size_t>(id)].type) text += " " + type_text(*type);
    return text + stated_types(test_.program.operations[0].attributes);
  }

  std::string shown_types(const std::vector<ResultTensor>& results) const {
    OpRoles roles;
    std::set<std::string> unusual;
    for (const GivenOperand& operand : given_) {
      const std::optional<RoleKind> kind = kind_of(op_, *operand.declaration);
      if (!kind) continue;
      const bool is_factor = *kind == RoleKind::scale && is_parameter(op_, *operand.declaration);
      OperandRole role;
      role.kind = *kind == RoleKind::scale && !is_factor ? RoleKind::data : *kind;  // of a normalization
      role.name = operand.declaration->name;
      role.type = operand.tensor->element();
      if (is_factor && role.type.name() != "f32") unusual.insert("scale " + role.type.name());
      if (const auto& quantized = operand.tensor->type().quantized; quantized && quantized->expressed.name() != "f32")
        unusual.insert("of " + quantized->expressed.name());
      const bool is_known = std::ranges::any_of(roles.operands, [&](const OperandRole& other) { return other.name == role.name && other.type == role.type; });
      if (role.kind == RoleKind::data && !is_known) roles.operands.push_back(std::move(role));
    }
    std::string text = short_types(roles);
    if (!results.empty()) text += text.empty() ? "->" : " ->";
    for (const ResultTensor& result : results) text += " " + result.tensor.element().name();
    for (const std::string& word : unusual) text += ", " + word;
    return text;
  }

  const Tensor* main_operand() const {
    for (const GivenOperand& operand : given_)
      if (!is_parameter(op_, *operand.declaration)) return operand.tensor;
    return nullptr;
  }

 private:
  void read(const GivenOperand& operand, CaseForm& form) const {
    if (const auto& quantized = operand.tensor->type().quantized) add(tiebreak::granularity_of(*quantized), operand.declaration->name, form);
    else if (is_parameter(op_, *operand.declaration)) add(granularity_of(operand, test_.program.operations[0].attributes), operand.declaration->name, form);
  }

  static void add(Granularity granularity, const std::string& name, CaseForm& form) {
    form.granularity = std::max(form.granularity, granularity);
    const bool is_finer = granularity > Granularity::per_tensor;
    if (is_finer && std::ranges::find(form.parameters, name) == form.parameters.end()) form.parameters.push_back(name);
  }

  const notation::Op& op_;
  const Case& test_;
  std::vector<GivenOperand> given_;
};

}  // namespace

const char* to_word(Granularity granularity) {
  switch (granularity) {
    using enum Granularity;
    case none: return "plain";
    case per_tensor: return "per tensor";
    case per_axis: return "per axis";
    case per_block: return "per block";
  }
  return "plain";
}

Granularity granularity_of(const QuantizedType& type) {
  if (type.is_per_tensor()) return Granularity::per_tensor;
  return type.dimensions.size() > 1 || type.dimensions[0].block > 1 ? Granularity::per_block : Granularity::per_axis;
}

std::optional<CaseForm> form_of(const Library& library, const Case& test) {
  if (test.program.operations.size() != 1) return std::nullopt;
  const Result<Library::OpPlace> place = library.find_op(test.program.operations[0].op);
  if (!place) return std::nullopt;
  FormReader reader(*place->op, test);
  CaseForm form = reader.form();
  form.types = reader.all_types();
  return form;
}

CaseForm shown_form(const Library& library, const Case& test, const std::vector<ResultTensor>& results) {
  const Result<Library::OpPlace> place = library.find_op(test.program.operations[0].op);
  if (!place) return {};
  FormReader reader(*place->op, test);
  CaseForm form = reader.form();
  form.types = reader.shown_types(results);
  if (reader.main_operand() == nullptr && !results.empty()) form.rank = results[0].tensor.shape().size();
  return form;
}

}  // namespace tiebreak
