// SPDX-License-Identifier: Apache-2.0
// ONNX graphs as programs: names become values, nodes are sorted by what they read, every defect is an error with its node.
#include <map>
#include <set>

#include "interpreter/program/onnx_proto.hpp"

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

class GraphReader {
 public:
  GraphReader(const onnx::ModelProto& model, const std::string& file) : model_(model), graph_(model.graph()), file_(file) {}

  Result<Program> run() {
    program_.file = file_;
    program_.name = graph_.name();
    if (model_.functions_size() > 0) return fail(Errc::unsupported, "model local functions are not supported", file_);
    if (graph_.sparse_initializer_size() > 0) return fail(Errc::unsupported, "sparse initializers are not supported", file_);
    TIEBREAK_CHECK(opsets());
    TIEBREAK_CHECK(declarations());
    TIEBREAK_TRY(order, sorted());
    for (int index : order) TIEBREAK_CHECK(node(index));
    TIEBREAK_CHECK(read_annotations(graph_, names_, program_));
    for (const auto& info : graph_.output()) {
      const auto found = names_.find(info.name());
      if (found == names_.end()) return fail(Errc::corrupt, "the output '" + shown(info.name()) + "' is not defined", file_);
      program_.outputs.push_back(found->second);
    }
    return std::move(program_);
  }

 private:
  std::string place(int index) const {
    const onnx::NodeProto& node = graph_.node(index);
    const std::string name = node.name().empty() ? "#" + std::to_string(index) : "'" + shown(node.name()) + "'";
    return file_ + ": node " + name + " (" + shown(node.op_type()) + ")";
  }

  Status opsets() {
    if (model_.ir_version() < 3) versions_[""] = 1;  // older files have no imports
    for (const auto& import : model_.opset_import()) {
      if (import.version() < 0 || import.version() > 1'000'000)
        return fail(Errc::corrupt, "the opset version " + std::to_string(import.version()) + " is absurd", file_);
      versions_[is_default_domain(import.domain()) ? "" : import.domain()] = static_cast<int>(import.version());
    }
    return {};
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
          return fail(count.error().code, count.error().what, file_ + ": input '" + shown(info.name()) + "'");
      }
      if (info.name().empty()) return fail(Errc::corrupt, "an input without a name", file_);
      if (initializers.count(info.name()) > 0) continue;
      program_.inputs.push_back(static_cast<ValueId>(program_.values.size()));
      TIEBREAK_CHECK(define(info.name(), ProgramValue{info.name(), type}, file_));
    }
    for (const auto& proto : graph_.initializer()) {
      if (proto.name().empty()) return fail(Errc::corrupt, "an initializer without a name", file_);
      TIEBREAK_TRY(tensor, read_tensor(proto, file_));
      TensorType type = tensor.type();
      TIEBREAK_CHECK(define(proto.name(), ProgramValue{proto.name(), std::move(type), std::move(tensor)}, file_));
    }
    return {};
  }

  /// Indices of the nodes so that each comes after those it reads; files in order keep their order.
  Result<std::vector<int>> sorted() {
    std::map<std::string, int> producers;
    for (int i = 0; i < graph_.node_size(); ++i) {
      for (const std::string& name : graph_.node(i).output()) {
        if (name.empty()) continue;
        if (names_.count(name) > 0 || !producers.emplace(name, i).second) return fail(Errc::corrupt, "'" + shown(name) + "' is defined twice", place(i));
      }
    }
    std::vector<std::set<int>> waiting(static_cast<std::size_t>(graph_.node_size()));
    std::vector<std::vector<int>> readers(waiting.size());
    for (int i = 0; i < graph_.node_size(); ++i) {
      for (const std::string& name : graph_.node(i).input()) {
        if (name.empty() || names_.count(name) > 0) continue;
        const auto producer = producers.find(name);
        if (producer == producers.end()) return fail(Errc::corrupt, "'" + shown(name) + "' is not defined", place(i));
        if (waiting[static_cast<std::size_t>(i)].insert(producer->second).second) readers[static_cast<std::size_t>(producer->second)].push_back(i);
      }
    }
    return drained(waiting, readers);
  }

  Result<std::vector<int>> drained(std::vector<std::set<int>>& waiting, const std::vector<std::vector<int>>& readers) const {
    std::set<int> ready;
    for (int i = 0; i < graph_.node_size(); ++i) {
      if (waiting[static_cast<std::size_t>(i)].empty()) ready.insert(i);
    }
    std::vector<int> order;
    while (!ready.empty()) {
      const int next = *ready.begin();
      ready.erase(ready.begin());
      order.push_back(next);
      for (int reader : readers[static_cast<std::size_t>(next)]) {
        auto& open = waiting[static_cast<std::size_t>(reader)];
        open.erase(next);
        if (open.empty()) ready.insert(reader);
      }
    }
    if (order.size() == waiting.size()) return order;
    // Every node left waits for another one left: going back from any of them ends in a cycle.
    int at = 0;
    while (waiting[static_cast<std::size_t>(at)].empty()) ++at;
    std::set<int> seen;
    while (seen.insert(at).second) at = *waiting[static_cast<std::size_t>(at)].begin();
    return fail(Errc::corrupt, "this node reads its own result (the graph has a cycle)", place(at));
  }

  Result<int> version(const std::string& domain, const std::string& where) const {
    const auto found = versions_.find(domain);
    if (found != versions_.end()) return found->second;
    return fail(Errc::corrupt, "the model imports no opset of the domain '" + shown(domain) + "'", where);
  }

  Status node(int index) {
    const onnx::NodeProto& proto = graph_.node(index);
    const std::string where = place(index);
    const std::string domain = is_default_domain(proto.domain()) ? "" : proto.domain();
    if (proto.op_type().empty()) return fail(Errc::corrupt, "a node without an operator", where);
    if (domain == "stablehlo" || domain == "arith" || domain == "func") return fail(Errc::unsupported, "the domain '" + domain + "' is MLIR's", where);
    Operation operation;
    operation.op = (domain.empty() ? "onnx" : domain == "com.microsoft" ? "microsoft" : domain) + "." + proto.op_type();
    operation.where = where;
    TIEBREAK_TRY(opset, version(domain, where));
    operation.version = opset;
    for (const auto& attribute : proto.attribute()) {
      TIEBREAK_TRY(read, read_attribute(attribute, where));
      if (!operation.attributes.emplace(attribute.name(), std::move(read)).second) {
        return fail(Errc::corrupt, "the attribute '" + shown(attribute.name()) + "' stands twice", where);
      }
    }
    if (operation.op == "onnx.Constant") return constant(proto, operation.attributes, where);
    for (const std::string& name : proto.input()) operation.operands.push_back(name.empty() ? -1 : names_.at(name));
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

  const onnx::ModelProto& model_;
  const onnx::GraphProto& graph_;
  std::string file_;
  Program program_{};
  std::map<std::string, ValueId> names_{};
  std::map<std::string, std::optional<TensorType>> types_{};
  std::map<std::string, int> versions_{};
};

}  // namespace

Result<Program> read_model(const onnx::ModelProto& model, const std::string& file) {
  if (!model.has_graph()) return fail(Errc::corrupt, "not an ONNX model: no graph", file);
  return GraphReader(model, file).run();
}

}  // namespace tiebreak::onnx_format
