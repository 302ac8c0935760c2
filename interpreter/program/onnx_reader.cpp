// SPDX-License-Identifier: Apache-2.0
// ONNX graphs as programs: names become values, nodes are sorted by what they read, every defect is an error with its node. A graph inside a node is a region:
// what it reads of the graphs around it, it captures, once, in order of first use.
#include <algorithm>
#include <map>
#include <set>

#include "interpreter/program/onnx_node_order.hpp"

namespace tiebreak::onnx_format {
namespace {

bool is_default_domain(const std::string& domain) { return domain.empty() || domain == "ai.onnx"; }

/// The type of a tensor with a fixed shape. Other kinds of values and open shapes have none.
std::optional<TensorType> fixed_type(const onnx::ValueInfoProto& info) {
  if (!info.type().has_tensor_type() || !info.type().tensor_type().has_shape()) return std::nullopt;
  const auto& tensor = info.type().tensor_type();
  const auto element = element_of(tensor.elem_type());
  if (!element) return std::nullopt;
  TensorType type{*element, {}};
  for (const auto& dimension : tensor.shape().dim()) {
    if (!dimension.has_dim_value() || dimension.dim_value() < 0) return std::nullopt;
    type.shape.push_back(dimension.dim_value());
  }
  return type;
}

/// The newest opset of each domain that the model imports; "" is ONNX's own.
Result<std::map<std::string, int>> imported_opsets(const onnx::ModelProto& model, const std::string& file) {
  std::map<std::string, int> versions;
  if (model.ir_version() < 3) versions[""] = 1;  // older files have no imports
  for (const auto& import : model.opset_import()) {
    if (import.version() < 0 || import.version() > 1'000'000)
      return fail(Errc::corrupt, "the opset version " + std::to_string(import.version()) + " is absurd", file);
    versions[is_default_domain(import.domain()) ? "" : import.domain()] = static_cast<int>(import.version());
  }
  return versions;
}

class GraphReader {
 public:
  /// `where`: the file, and the nodes around this graph. `outer` reads the graph around it, nullptr of the model's own graph.
  GraphReader(const onnx::GraphProto& graph, const std::map<std::string, int>& versions, const std::string& file, std::string where, GraphReader* outer)
      : graph_(graph), versions_(versions), file_(file), where_(std::move(where)), outer_(outer) {}

  Result<Region> run() {
    program_.file = file_;
    program_.name = graph_.name();
    if (graph_.sparse_initializer_size() > 0) return fail(Errc::unsupported, "sparse initializers are not supported", where_);
    TIEBREAK_CHECK(declarations());
    TIEBREAK_TRY(order, node_order(graph_, where_, [this](const std::string& name) { return is_defined(name); }));
    for (int index : order) TIEBREAK_CHECK(node(index));
    TIEBREAK_CHECK(read_annotations(graph_, names_, program_));
    for (const auto& info : graph_.output()) {
      if (!is_defined(info.name())) return fail(Errc::corrupt, "the output '" + shown(info.name()) + "' is not defined", where_);
      program_.outputs.push_back(use(info.name()));
    }
    return Region{std::move(program_), std::move(captured_)};
  }

 private:
  bool is_defined(const std::string& name) const { return names_.count(name) > 0 || (outer_ != nullptr && outer_->is_defined(name)); }

  /// The value of a name that is defined here or around here.
  ValueId use(const std::string& name) {
    if (const auto found = names_.find(name); found != names_.end()) return found->second;
    const ValueId outside = outer_->use(name);
    const auto id = static_cast<ValueId>(program_.values.size());
    program_.values.push_back({name, outer_->program_.values[static_cast<std::size_t>(outside)].type});
    program_.inputs.push_back(id);
    captured_.push_back(outside);
    names_.emplace(name, id);
    return id;
  }

  Status define(const std::string& name, ProgramValue value, const std::string& where) {
    if (!names_.emplace(name, static_cast<ValueId>(program_.values.size())).second) {
      return fail(Errc::corrupt, "'" + shown(name) + "' is defined twice", where);
    }
    program_.values.push_back(std::move(value));
    return {};
  }

  Status declarations() {
    std::set<std::string> initializers;
    for (const auto& tensor : graph_.initializer()) initializers.insert(tensor.name());
    for (const auto& info : graph_.value_info()) types_[info.name()] = fixed_type(info);
    for (const auto& info : graph_.output()) types_[info.name()] = fixed_type(info);
    for (const auto& info : graph_.input()) {
      const auto type = fixed_type(info);
      if (type) {
        if (auto count = element_count(type->shape); !count)
          return fail(count.error().code, count.error().what, where_ + ": input '" + shown(info.name()) + "'");
      }
      if (info.name().empty()) return fail(Errc::corrupt, "an input without a name", where_);
      if (initializers.count(info.name()) > 0) continue;
      program_.inputs.push_back(static_cast<ValueId>(program_.values.size()));
      TIEBREAK_CHECK(define(info.name(), ProgramValue{info.name(), type}, where_));
    }
    for (const auto& proto : graph_.initializer()) {
      if (proto.name().empty()) return fail(Errc::corrupt, "an initializer without a name", where_);
      TIEBREAK_TRY(tensor, read_tensor(proto, where_));
      TensorType type = tensor.type();
      TIEBREAK_CHECK(define(proto.name(), ProgramValue{proto.name(), std::move(type), std::move(tensor)}, where_));
    }
    return {};
  }

  Result<int> version(const std::string& domain, const std::string& where) const {
    const auto found = versions_.find(domain);
    if (found != versions_.end()) return found->second;
    return fail(Errc::corrupt, "the model imports no opset of the domain '" + shown(domain) + "'", where);
  }

  Status node(int index) {
    const onnx::NodeProto& proto = graph_.node(index);
    const std::string where = node_place(graph_, index, where_);
    const std::string domain = is_default_domain(proto.domain()) ? "" : proto.domain();
    if (proto.op_type().empty()) return fail(Errc::corrupt, "a node without an operator", where);
    if (domain == "stablehlo" || domain == "arith" || domain == "func") return fail(Errc::unsupported, "the domain '" + domain + "' is MLIR's", where);
    Operation operation;
    operation.op = (domain.empty() ? "onnx" : domain == "com.microsoft" ? "microsoft" : domain) + "." + proto.op_type();
    operation.where = where;
    TIEBREAK_TRY(opset, version(domain, where));
    operation.version = opset;
    for (const auto& attribute : proto.attribute()) {
      if (attribute.has_g()) continue;  // regions, below
      TIEBREAK_TRY(read, read_attribute(attribute, where));
      if (!operation.attributes.emplace(attribute.name(), std::move(read)).second) {
        return fail(Errc::corrupt, "the attribute '" + shown(attribute.name()) + "' stands twice", where);
      }
    }
    if (operation.op == "onnx.Constant") return constant(proto, operation.attributes, where);
    for (const std::string& name : proto.input()) operation.operands.push_back(name.empty() ? -1 : use(name));
    TIEBREAK_CHECK(regions(proto, operation));
    int results = proto.output_size();
    while (results > 0 && proto.output(results - 1).empty()) --results;
    for (int i = 0; i < results; ++i) {
      const std::string& name = proto.output(i);
      operation.results.push_back(static_cast<ValueId>(program_.values.size()));
      const auto type = types_.find(name);
      ProgramValue value{name, type == types_.end() ? std::nullopt : type->second};
      if (name.empty()) {
        program_.values.push_back(std::move(value));  // left out in the middle: a value nobody reads
      } else {
        TIEBREAK_CHECK(define(name, std::move(value), where));
      }
    }
    program_.operations.push_back(std::move(operation));
    return {};
  }

  /// The graphs inside a node, in the order in which its operator's text names them.
  Status regions(const onnx::NodeProto& proto, Operation& operation) {
    std::map<std::string, const onnx::GraphProto*> graphs;
    for (const auto& attribute : proto.attribute()) {
      if (!attribute.has_g()) continue;
      if (!graphs.emplace(attribute.name(), &attribute.g()).second)
        return fail(Errc::corrupt, "the attribute '" + shown(attribute.name()) + "' stands twice", operation.where);
    }
    if (graphs.empty()) return {};
    const std::vector<std::string> words = graph_attributes(operation.op);
    for (const auto& [name, graph] : graphs)
      if (std::find(words.begin(), words.end(), name) == words.end())
        return fail(Errc::unsupported, "the operator has no graph '" + shown(name) + "'", operation.where);
    for (const std::string& word : words) {
      const auto found = graphs.find(word);
      if (found == graphs.end()) return fail(Errc::corrupt, "the graph '" + word + "' is missing", operation.where);
      TIEBREAK_TRY(region, GraphReader(*found->second, versions_, file_, operation.where, this).run());
      operation.regions.push_back(std::move(region));
    }
    return {};
  }

  Status constant(const onnx::NodeProto& proto, AttributeMap& attributes, const std::string& where) {
    if (proto.output_size() != 1 || proto.output(0).empty() || attributes.size() != 1)
      return fail(Errc::corrupt, "a Constant has one attribute and one output", where);
    auto& [name, attribute] = *attributes.begin();
    ProgramValue value{proto.output(0)};
    if (Tensor* tensor = std::get_if<Tensor>(&attribute.value)) {
      value.constant = std::move(*tensor);
    } else {
      TIEBREAK_TRY(listed, numbers(name, attribute, where));
      value.constant = std::move(listed);
    }
    value.type = value.constant->type();
    return define(proto.output(0), std::move(value), where);
  }

  /// value_int, value_ints: i64. value_float, value_floats: f32.
  static Result<Tensor> numbers(const std::string& name, const Attribute& attribute, const std::string& where) {
    const bool whole = name.starts_with("value_int");
    if (!whole && !name.starts_with("value_float")) return fail(Errc::unsupported, "a Constant of '" + shown(name) + "' is not supported", where);
    const AttributeList* list = std::get_if<AttributeList>(&attribute.value);
    const AttributeList single{attribute};
    const AttributeList& items = list ? *list : single;
    TensorType type{*ElementType::parse(whole ? "i64" : "f32"), {}};
    if (list) type.shape = {static_cast<std::int64_t>(items.size())};
    TIEBREAK_TRY(tensor, Tensor::zeros(std::move(type)));
    for (std::size_t i = 0; i < items.size(); ++i) {
      const Real* number = std::get_if<Real>(&items[i].value);
      const auto code = number ? tensor.element().encode(*number) : std::nullopt;
      if (!code) return fail(Errc::corrupt, "a Constant's '" + shown(name) + "' does not hold numbers of its type", where);
      tensor.set_code(static_cast<std::int64_t>(i), *code);
    }
    return tensor;
  }

  const onnx::GraphProto& graph_;
  const std::map<std::string, int>& versions_;
  const std::string& file_;
  std::string where_;
  GraphReader* outer_;
  Program program_{};
  std::vector<ValueId> captured_{};
  std::map<std::string, ValueId> names_{};
  std::map<std::string, std::optional<TensorType>> types_{};
};

}  // namespace

Result<Program> read_model(const onnx::ModelProto& model, const std::string& file) {
  if (!model.has_graph()) return fail(Errc::corrupt, "not an ONNX model: no graph", file);
  if (model.functions_size() > 0) return fail(Errc::unsupported, "model local functions are not supported", file);
  TIEBREAK_TRY(versions, imported_opsets(model, file));
  TIEBREAK_TRY(whole, GraphReader(model.graph(), versions, file, file, nullptr).run());
  return std::move(whole.program);
}

}  // namespace tiebreak::onnx_format
