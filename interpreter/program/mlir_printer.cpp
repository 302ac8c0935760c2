// SPDX-License-Identifier: Apache-2.0
// Programs as MLIR text in the generic form: one function, constants first, then the operations. Regions
// look the same inside.
#include <map>
#include <set>

#include "interpreter/program/mlir_cursor.hpp"
#include "interpreter/program/mlir_parser.hpp"
#include "interpreter/program/mlir_print.hpp"
#include "interpreter/program/printed_names.hpp"

namespace tiebreak {
namespace {

std::string sanitised(const std::string& name) {
  std::string text;
  for (char c : name) text += mlir::is_word_part(c) ? c : '_';
  if (!text.empty() && mlir::is_digit(text[0]) && text.find_first_not_of("0123456789") != std::string::npos) text = "_" + text;
  return text;
}

/// Names that MLIR can read. A value's name is its own among all that can be seen from where it is defined.
class Names {
 public:
  std::vector<std::string> of(const Program& program) {
    std::vector<std::string> names;
    for (const ProgramValue& value : program.values) names.push_back(fresh(value.name));
    return names;
  }

  /// Of a region: what it captures keeps its name.
  std::vector<std::string> of(const Region& region, const std::vector<std::string>& outer) {
    std::vector<std::string> names(region.program.values.size());
    const std::size_t arguments = region.program.inputs.size() - region.captured.size();
    for (std::size_t i = 0; i < region.captured.size(); ++i) {
      names[static_cast<std::size_t>(region.program.inputs[arguments + i])] = outer[static_cast<std::size_t>(region.captured[i])];
    }
    for (std::size_t id = 0; id < names.size(); ++id) {
      if (names[id].empty()) names[id] = fresh(region.program.values[id].name);
    }
    return names;
  }

  /// After a region its names can be given again.
  void forget(const Region& region, const std::vector<std::string>& names) {
    std::vector<bool> captured(names.size());
    const std::size_t arguments = region.program.inputs.size() - region.captured.size();
    for (std::size_t i = 0; i < region.captured.size(); ++i) captured[static_cast<std::size_t>(region.program.inputs[arguments + i])] = true;
    for (std::size_t id = 0; id < names.size(); ++id) {
      if (!captured[id]) taken_.erase(names[id]);
    }
  }

 private:
  std::string fresh(const std::string& name) {
    const std::string wanted = name.empty() ? "unnamed" : sanitised(name);
    const std::string stem = mlir::is_digit(wanted[0]) ? "_" + wanted : wanted;
    std::string text = wanted;
    while (!taken_.insert(text).second) text = stem + "_" + std::to_string(++next_[wanted]);
    return text;
  }

  std::set<std::string> taken_{"none"};
  std::map<std::string, int> next_{};  // the suffix to try first
};

/// A program, be it that of a region, with the names of its values.
struct NamedProgram {
  const Program& program;
  std::vector<std::string> names;
  std::string indent;

  std::string operand(ValueId id) const { return id < 0 ? "%none" : "%" + names[static_cast<std::size_t>(id)]; }
  std::string type(ValueId id) const {
    if (id < 0) return "none";
    const ProgramValue& value = program.values[static_cast<std::size_t>(id)];
    if (value.constant) return to_text(value.constant->type());
    return value.type ? to_text(*value.type) : std::string(mlir::unknown_type);
  }
  std::string operands(const std::vector<ValueId>& ids) const {
    std::string text;
    for (ValueId id : ids) text += (text.empty() ? "" : ", ") + operand(id);
    return text;
  }
  std::string types(const std::vector<ValueId>& ids) const {
    std::string text;
    for (ValueId id : ids) text += (text.empty() ? "" : ", ") + type(id);
    return text;
  }
  std::string arguments(std::size_t count) const {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += (i ? ", " : "") + operand(program.inputs[i]) + ": " + type(program.inputs[i]);
    return text;
  }
  /// Those of a function, whose arguments may have attributes; those of a block have none.
  std::string annotated_inputs() const {
    std::string text;
    for (const ValueId id : program.inputs) {
      text += (text.empty() ? "" : ", ") + operand(id) + ": " + type(id);
      if (const std::string stated = annotations({id}); !stated.empty()) text += " {" + stated + "}";
    }
    return text;
  }
  /// `quantize_info = {...}` of the first of these values, or of all of them as a list; "" where nothing is stated.
  std::string annotations(const std::vector<ValueId>& ids) const {
    AttributeList stated;
    for (const ValueId id : ids) stated.push_back({program.values[static_cast<std::size_t>(id)].quantize_info});
    const auto is_empty = [](const Attribute& one) { return std::get<AttributeMap>(one.value).empty(); };
    while (!stated.empty() && is_empty(stated.back())) stated.pop_back();
    if (stated.empty()) return {};
    return std::string(mlir::quantize_info) + " = " + mlir::attribute_text(stated.size() == 1 ? stated[0] : Attribute{stated});
  }
};

class Printer {
 public:
  Printer() = default;
  Printer(std::int64_t most_elements, MlirResources& resources) : most_elements_(most_elements), resources_(&resources) {}

  std::string run(const Program& program) {
    const NamedProgram named{program, names_.of(program), "  "};
    const std::string name = sanitised(program.name);
    text_ = "func.func @" + (name.empty() ? "main" : name) + "(" + named.annotated_inputs() + ")";
    if (!program.outputs.empty()) text_ += " -> (" + named.types(program.outputs) + ")";
    text_ += " {\n";
    operations(named);
    text_ += "  func.return";
    if (!program.outputs.empty()) text_ += " " + named.operands(program.outputs) + " : " + named.types(program.outputs);
    return text_ + "\n}\n";
  }

 private:
  void operations(const NamedProgram& named) {
    for (std::size_t id = 0; id < named.program.values.size(); ++id) {
      if (named.program.values[id].constant) constant(named, static_cast<ValueId>(id));
    }
    for (const Operation& operation : named.program.operations) print(named, operation);
  }

  void constant(const NamedProgram& named, ValueId id) {
    const ProgramValue& value = named.program.values[static_cast<std::size_t>(id)];
    const std::string stated = named.annotations({id});
    text_ += named.indent + named.operand(id) + " = \"stablehlo.constant\"() <{value = " + literal(*value.constant) + "}>" +
             (stated.empty() ? "" : " {" + stated + "}") + " : () -> " + to_text(value.constant->type()) + "\n";
  }

  std::string literal(const Tensor& tensor) {
    if (resources_ == nullptr || tensor.size() <= most_elements_) return mlir::dense_text(tensor);
    const std::string name = "constant_" + std::to_string(resources_->size());
    TensorType stored = tensor.type();
    stored.quantized.reset();
    Tensor& resource = resources_->emplace(name, tensor).first->second;
    resource.set_type(stored);
    return "dense_resource<" + name + "> : " + to_text(stored);
  }

  void print(const NamedProgram& named, const Operation& operation) {
    text_ += named.indent;
    if (!operation.results.empty()) text_ += named.operands(operation.results) + " = ";
    text_ += mlir::quoted(operation.op) + "(" + named.operands(operation.operands) + ")";
    if (const std::string attributes = mlir::attributes_text(operation); !attributes.empty()) text_ += " <{" + attributes + "}>";
    for (std::size_t i = 0; i < operation.regions.size(); ++i) {
      text_ += i ? ", {\n" : " ({\n";
      region(named, operation.regions[i]);
      text_ += named.indent + "}";
    }
    if (!operation.regions.empty()) text_ += ")";
    std::string beside = named.annotations(operation.results);
    if (const auto version = operation.attributes.find("version"); version != operation.attributes.end()) {
      beside += (beside.empty() ? "" : ", ") + std::string("version = ") + mlir::attribute_text(version->second);
    }
    if (!beside.empty()) text_ += " {" + beside + "}";
    text_ += " : (" + named.types(operation.operands) + ") -> ";
    const std::string results = named.types(operation.results);
    text_ += (operation.results.size() == 1 ? results : "(" + results + ")") + "\n";
  }

  void region(const NamedProgram& outer, const Region& region) {
    const NamedProgram named{region.program, names_.of(region, outer.names), outer.indent + "    "};
    const std::size_t arguments = region.program.inputs.size() - region.captured.size();
    if (arguments > 0) text_ += outer.indent + "  ^bb0(" + named.arguments(arguments) + "):\n";
    operations(named);
    text_ += named.indent + "\"stablehlo.return\"(" + named.operands(region.program.outputs) + ") : (" + named.types(region.program.outputs) + ") -> ()\n";
    names_.forget(region, named.names);
  }

  Names names_{};
  std::string text_{};
  std::int64_t most_elements_ = 0;
  MlirResources* resources_ = nullptr;  ///< none: every constant is written out
};

}  // namespace

std::vector<std::string> printed_names(const Program& program) { return Names().of(program); }

std::string print_mlir(const Program& program) { return Printer().run(program); }

std::string print_mlir(const Program& program, std::int64_t most_elements, MlirResources& resources) { return Printer(most_elements, resources).run(program); }

}  // namespace tiebreak
