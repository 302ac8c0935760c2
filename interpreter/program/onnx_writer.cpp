// SPDX-License-Identifier: Apache-2.0
// Programs of ONNX operators as ModelProto; regions are graphs inside their nodes.
#include <algorithm>
#include <map>
#include <set>

#include "interpreter/program/is_read.hpp"
#include "interpreter/program/onnx_proto.hpp"

namespace tiebreak::onnx_format {
namespace {

constexpr int default_opset = 21;
constexpr int opset_of_other_domains = 18;  // where no operator is ONNX's own: low enough for libraries of many years

/// The file format that came with an opset; readers accept older formats, never newer ones.
int ir_version(int opset) {
  if (opset <= 14) return 7;
  if (opset <= 18) return 8;
  if (opset <= 20) return 9;
  if (opset <= 22) return 10;
  return opset == 23 ? 11 : opset == 24 ? 12 : 13;
}

/// onnx.QuantizeLinear: domain "" · microsoft.QGemm: domain com.microsoft
Result<std::pair<std::string, std::string>> domain_and_name(const Operation& operation) {
  const std::size_t dot = operation.op.rfind('.');
  const std::string domain = dot == std::string::npos ? "" : operation.op.substr(0, dot);
  if (domain == "onnx") return std::pair(std::string(), operation.op.substr(dot + 1));
  if (domain == "microsoft" || domain == "com.microsoft") return std::pair(std::string("com.microsoft"), operation.op.substr(dot + 1));
  return fail(Errc::unsupported, "'" + operation.op + "' is not an ONNX operator", operation.where);
}

/// One graph; those of regions are written by writers of their own, which know the names around them.
class GraphWriter {
 public:
  /// `versions`: the newest opset that an operation of each domain asks for. `taken`: names of the graphs around this one.
  GraphWriter(const Program& program, onnx::GraphProto& graph, std::map<std::string, int>& versions, std::set<std::string> taken = {})
      : program_(program), graph_(graph), versions_(versions), taken_(std::move(taken)), names_(program.values.size()) {}

  /// `captured`: the names, outside, of the program's last inputs.
  Status run(const std::vector<std::string>& captured = {}) {
    const std::size_t own = program_.inputs.size() - captured.size();
    for (std::size_t i = 0; i < captured.size(); ++i) names_[static_cast<std::size_t>(program_.inputs[own + i])] = captured[i];
    name_values();
    graph_.set_name(program_.name.empty() ? "main" : program_.name);
    for (std::size_t i = 0; i < own; ++i) TIEBREAK_CHECK(declare(program_.inputs[i], *graph_.add_input()));
    for (std::size_t id = 0; id < program_.values.size(); ++id) {
      const auto& constant = program_.values[id].constant;
      if (constant) TIEBREAK_CHECK(write_tensor(*constant, names_[id], *graph_.add_initializer(), program_.file));
    }
    TIEBREAK_CHECK(write_annotations(program_, names_, graph_));
    for (const Operation& operation : program_.operations) TIEBREAK_CHECK(node(operation));
    for (ValueId id : program_.outputs) {
      TIEBREAK_CHECK(declare(id, *graph_.add_output()));
      if (taken_outside(id, captured.size())) copy_output();
    }
    return {};
  }

 private:
  void name_values() {
    std::set<std::string> rightful;  // names that a value has by right
    for (const ProgramValue& value : program_.values) rightful.insert(value.name);
    std::map<std::string, int> next;
    for (std::size_t id = 0; id < names_.size(); ++id) {
      if (!names_[id].empty()) continue;  // captured
      const ProgramValue& value = program_.values[id];
      std::string name = value.name;
      while (name.empty() || taken_.count(name) > 0 || (name != value.name && rightful.count(name) > 0)) {
        name = (value.name.empty() ? "value" : value.name) + "_" + std::to_string(next[value.name]++);
      }
      taken_.insert(name);
      names_[id] = name;
    }
    for (const Operation& operation : program_.operations)
      for (ValueId id : read_values(operation)) read_.insert(id);
    read_.insert(program_.outputs.begin(), program_.outputs.end());
  }

  /// A value of a graph around this one.
  bool taken_outside(ValueId id, std::size_t captured) const {
    return std::find(program_.inputs.end() - static_cast<std::ptrdiff_t>(captured), program_.inputs.end(), id) != program_.inputs.end();
  }

  /// A graph inside a node gives what it computes: the last output, which is another graph's value, gets a name of its own.
  void copy_output() {
    auto& output = *graph_.mutable_output(graph_.output_size() - 1);
    auto& copy = *graph_.add_node();
    copy.set_op_type("Identity");
    copy.add_input(output.name());
    std::string own = output.name();
    for (int next = 0; taken_.count(own) > 0; ++next) own = output.name() + "_" + std::to_string(next);
    taken_.insert(own);
    copy.add_output(own);
    output.set_name(own);
  }

  const std::string& name(ValueId id) const { return names_[static_cast<std::size_t>(id)]; }

  Status declare(ValueId id, onnx::ValueInfoProto& info) const {
    const ProgramValue& value = program_.values[static_cast<std::size_t>(id)];
    info.set_name(name(id));
    if (!value.type) return {};
    const int number = data_type_of(value.type->element);
    if (number == 0) return fail(Errc::unsupported, "ONNX has no type for " + value.type->element.name(), program_.file + ": '" + value.name + "'");
    if (value.type->quantized) return fail(Errc::unsupported, "ONNX has no quantized types", program_.file + ": '" + value.name + "'");
    auto& tensor = *info.mutable_type()->mutable_tensor_type();
    tensor.set_elem_type(number);
    auto& shape = *tensor.mutable_shape();
    for (std::int64_t dimension : value.type->shape) shape.add_dim()->set_dim_value(dimension);
    return {};
  }

  Status node(const Operation& operation) {
    TIEBREAK_TRY(op, domain_and_name(operation));
    int& version = versions_[op.first];
    version = std::max(version, operation.version);
    auto& proto = *graph_.add_node();
    proto.set_op_type(op.second);
    if (!op.first.empty()) proto.set_domain(op.first);
    for (ValueId id : operation.operands) proto.add_input(id < 0 ? std::string() : name(id));
    for (ValueId id : operation.results) {
      const bool absent = program_.values[static_cast<std::size_t>(id)].name.empty() && read_.count(id) == 0;
      proto.add_output(absent ? std::string() : name(id));
    }
    for (const auto& [attribute_name, attribute] : operation.attributes) {
      if (attribute.is_none()) continue;
      TIEBREAK_CHECK(write_attribute(operation.op, attribute_name, attribute, *proto.add_attribute(), operation.where));
    }
    return regions(operation, proto);
  }

  Status regions(const Operation& operation, onnx::NodeProto& proto) {
    if (operation.regions.empty()) return {};
    const std::vector<std::string> words = graph_attributes(operation.op);
    if (words.size() != operation.regions.size())
      return fail(Errc::type,
                  operation.op + " has " + std::to_string(operation.regions.size()) + " regions, ONNX has " + std::to_string(words.size()) + " of it",
                  operation.where);
    for (std::size_t i = 0; i < words.size(); ++i) {
      const Region& region = operation.regions[i];
      auto& attribute = *proto.add_attribute();
      attribute.set_name(words[i]);
      attribute.set_type(onnx::AttributeProto::GRAPH);
      std::vector<std::string> captured;
      for (ValueId id : region.captured) captured.push_back(name(id));
      TIEBREAK_CHECK(GraphWriter(region.program, *attribute.mutable_g(), versions_, taken_).run(captured));
    }
    return {};
  }

  const Program& program_;
  onnx::GraphProto& graph_;
  std::map<std::string, int>& versions_;
  std::set<std::string> taken_;
  std::vector<std::string> names_;
  std::set<ValueId> read_{};
};

/// ONNX's own operators somewhere in the program.
bool has_own_operators(const Program& program) {
  return std::ranges::any_of(program.operations, [](const Operation& operation) { return operation.op.starts_with("onnx."); });
}

}  // namespace

Status write_model(const Program& program, onnx::ModelProto& model) {
  std::map<std::string, int> versions{{"", 0}};
  TIEBREAK_CHECK(GraphWriter(program, *model.mutable_graph(), versions).run());
  if (versions[""] == 0) versions[""] = has_own_operators(program) ? default_opset : opset_of_other_domains;
  model.set_ir_version(ir_version(versions[""]));
  model.set_producer_name("tiebreak");
  for (const auto& [domain, version] : versions) {
    auto& import = *model.add_opset_import();
    import.set_domain(domain);
    import.set_version(std::max(version, 1));
  }
  return {};
}

}  // namespace tiebreak::onnx_format
