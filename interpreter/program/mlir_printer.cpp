// SPDX-License-Identifier: Apache-2.0
// Programs as MLIR text in the generic form: one function, constants first, then the operations.
#include <map>
#include <set>

#include "interpreter/program/mlir_cursor.hpp"
#include "interpreter/program/mlir_parser.hpp"
#include "interpreter/program/mlir_print.hpp"

namespace tiebreak {
namespace {

std::string sanitised(const std::string& name) {
  std::string text;
  for (char c : name) text += mlir::is_word_part(c) ? c : '_';
  if (!text.empty() && mlir::is_digit(text[0]) && text.find_first_not_of("0123456789") != std::string::npos) text = "_" + text;
  return text;
}

/// Names that MLIR can read, each one once.
std::vector<std::string> value_names(const Program& program) {
  std::set<std::string> taken{"none"};
  std::map<std::string, int> next;  // the suffix to try first
  std::vector<std::string> names;
  for (const ProgramValue& value : program.values) {
    const std::string wanted = value.name.empty() ? "unnamed" : sanitised(value.name);
    std::string name = wanted;
    while (!taken.insert(name).second) name = wanted + "_" + std::to_string(++next[wanted]);
    names.push_back(name);
  }
  return names;
}

class Printer {
 public:
  explicit Printer(const Program& program) : program_(program), names_(value_names(program)) {}

  std::string run() {
    const std::string name = sanitised(program_.name);
    text_ = "func.func @" + (name.empty() ? "main" : name) + "(";
    for (std::size_t i = 0; i < program_.inputs.size(); ++i) text_ += (i ? ", " : "") + operand(program_.inputs[i]) + ": " + type(program_.inputs[i]);
    text_ += ")";
    if (!program_.outputs.empty()) text_ += " -> (" + types(program_.outputs) + ")";
    text_ += " {\n";
    for (std::size_t id = 0; id < program_.values.size(); ++id) {
      if (program_.values[id].constant) constant(static_cast<ValueId>(id));
    }
    for (const Operation& operation : program_.operations) print(operation);
    text_ += "  func.return";
    if (!program_.outputs.empty()) text_ += " " + operands(program_.outputs) + " : " + types(program_.outputs);
    return text_ + "\n}\n";
  }

 private:
  std::string operand(ValueId id) const { return id < 0 ? "%none" : "%" + names_[static_cast<std::size_t>(id)]; }
  std::string type(ValueId id) const {
    if (id < 0) return "none";
    const ProgramValue& value = program_.values[static_cast<std::size_t>(id)];
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

  void constant(ValueId id) {
    const ProgramValue& value = program_.values[static_cast<std::size_t>(id)];
    text_ += "  " + operand(id) + " = \"stablehlo.constant\"() <{value = " + mlir::dense_text(*value.constant) + "}> : () -> " +
             to_text(value.constant->type()) + "\n";
  }

  void print(const Operation& operation) {
    text_ += "  ";
    if (!operation.results.empty()) text_ += operands(operation.results) + " = ";
    text_ += mlir::quoted(operation.op) + "(" + operands(operation.operands) + ")";
    if (const std::string attributes = mlir::attributes_text(operation); !attributes.empty()) text_ += " <{" + attributes + "}>";
    if (const auto named = operation.attributes.find("version"); named != operation.attributes.end()) {
      text_ += " {version = " + mlir::attribute_text(named->second) + "}";
    }
    text_ += " : (" + types(operation.operands) + ") -> ";
    const std::string results = types(operation.results);
    text_ += (operation.results.size() == 1 ? results : "(" + results + ")") + "\n";
  }

  const Program& program_;
  std::vector<std::string> names_;
  std::string text_{};
};

}  // namespace

std::string print_mlir(const Program& program) { return Printer(program).run(); }

}  // namespace tiebreak
