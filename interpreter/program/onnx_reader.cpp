// SPDX-License-Identifier: Apache-2.0
// ONNX graphs as programs: names become values, nodes are sorted by what they read, every defect is an error with its node. A graph inside a node is a region:
// what it reads of the graphs around it, it captures, once, in order of first use. Where a node calls a function of the model, the function's nodes stand in
// its place, and their values are named after the call.
#include <algorithm>
#include <map>
#include <set>

#include "interpreter/program/onnx_functions.hpp"
#include "interpreter/program/onnx_node_order.hpp"

namespace tiebreak::onnx_format {
namespace {

/// What the graphs of a model share.
struct Reading {
  const std::string& file;
  ModelFunctions functions{};
  std::map<std::string, int> taken{};  ///< where there are functions: names of values, and the next number to tell another value of that name by
  CallBudget budget{};
};

/// What a graph takes from where it stands.
struct Surroundings {
  const Opsets& opsets;                   ///< to which its nodes are bound
  std::string where;                      ///< the file, and the nodes around this graph
  int depth = 0;                          ///< how many of these there are
  const CallAttributes* given = nullptr;  ///< inside a function: what its attributes are
  std::string prefix{};                   ///< inside a function: the calls around it, before the names of values
};

void take_names(const onnx::GraphProto& graph, std::map<std::string, int>& taken) {
  for (const auto& info : graph.input()) taken.emplace(info.name(), 2);
  for (const auto& tensor : graph.initializer()) taken.emplace(tensor.name(), 2);
  for (const auto& node : graph.node()) {
    for (const std::string& name : node.output()) taken.emplace(name, 2);
    for (const auto& attribute : node.attribute())
      if (attribute.has_g()) take_names(attribute.g(), taken);
  }
}

class GraphReader {
 public:
  /// `outer` reads the graph around it; nullptr of the model's own graph and of the body of a function, which see nothing else. `program` takes what is read.
  GraphReader(const onnx::GraphProto& graph, Surroundings surroundings, Reading& reading, GraphReader* outer, Program& program)
      : graph_(graph), around_(std::move(surroundings)), reading_(reading), outer_(outer), program_(program) {}

  /// A graph that is a program: the model's own, or a region's. Returns what it captures.
  Result<std::vector<ValueId>> run() {
    program_.file = reading_.file;
    program_.name = graph_.name();
    if (around_.depth > nesting_limit)
      return fail(Errc::limit, "graphs and calls of functions are nested more than " + std::to_string(nesting_limit) + " deep", around_.where);
    if (around_.given != nullptr) TIEBREAK_CHECK(reading_.budget.take(graph_, around_.depth, around_.where));
    if (graph_.sparse_initializer_size() > 0) return fail(Errc::unsupported, "sparse initializers are not supported", around_.where);
    TIEBREAK_CHECK(declarations());
    TIEBREAK_TRY(order, node_order(graph_, around_.where, [this](const std::string& name) { return is_defined(name); }));
    for (int index : order) TIEBREAK_CHECK(node(index));
    TIEBREAK_CHECK(read_annotations(graph_, names_, program_));
    for (const auto& info : graph_.output()) {
      if (!is_defined(info.name())) return fail(Errc::corrupt, "the output '" + shown(info.name()) + "' is not defined", around_.where);
      TIEBREAK_TRY(output, used_output(info.name()));
      program_.outputs.push_back(output);
    }
    return std::move(captured_);
  }

 private:
  bool is_defined(const std::string& name) const {
    return names_.count(name) > 0 || (function_ != nullptr && function_->inputs.count(name) > 0) || (outer_ != nullptr && outer_->is_defined(name));
  }

  /// The value of a name that is defined here or around here; -1 of a function's input that the call leaves out.
  ValueId use(const std::string& name) {
    if (const auto found = names_.find(name); found != names_.end()) return found->second;
    if (function_ != nullptr) return -1;
    const ValueId outside = outer_->use(name);
    if (outside < 0) return outside;
    const auto id = static_cast<ValueId>(program_.values.size());
    const ProgramValue& value = outer_->program_.values[static_cast<std::size_t>(outside)];
    program_.values.push_back({value.name, value.type});
    program_.inputs.push_back(id);
    captured_.push_back(outside);
    names_.emplace(name, id);
    return id;
  }

  Result<ValueId> used_output(const std::string& name) {
    const ValueId id = use(name);
    if (id < 0) return fail(Errc::corrupt, "the output '" + shown(name) + "' is an input of the function that the call leaves out", around_.where);
    return id;
  }

  /// How a value is called in the program: as in the file, in a function after the calls around it, and an output of it as the call's.
  std::string name_in_program(const std::string& name) {
    if (name.empty() || around_.prefix.empty()) return name;
    if (const auto found = results_.find(name); found != results_.end()) return found->second.name;
    const std::string wanted = around_.prefix + shown(name);
    std::string free = wanted;
    while (!reading_.taken.emplace(free, 2).second) free = wanted + "_" + std::to_string(reading_.taken.at(wanted)++);
    return free;
  }

  std::optional<TensorType> stated_type(const std::string& name) const {
    if (const auto found = results_.find(name); found != results_.end() && found->second.type) return found->second.type;
    if (const auto found = types_.find(name); found != types_.end()) return found->second;
    if (function_ == nullptr) return std::nullopt;
    const auto found = function_->types.find(name);
    return found == function_->types.end() ? std::nullopt : found->second;
  }

  Status define(const std::string& name, ProgramValue value, const std::string& where) {
    if (!names_.emplace(name, static_cast<ValueId>(program_.values.size())).second) {
      return fail(Errc::corrupt, "'" + shown(name) + "' is defined twice", where);
    }
    value.name = name_in_program(name);
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
          return fail(count.error().code, count.error().what, around_.where + ": input '" + shown(info.name()) + "'");
      }
      if (info.name().empty()) return fail(Errc::corrupt, "an input without a name", around_.where);
      if (initializers.count(info.name()) > 0) continue;
      program_.inputs.push_back(static_cast<ValueId>(program_.values.size()));
      TIEBREAK_CHECK(define(info.name(), ProgramValue{info.name(), type}, around_.where));
    }
    for (const auto& proto : graph_.initializer()) {
      if (proto.name().empty()) return fail(Errc::corrupt, "an initializer without a name", around_.where);
      TIEBREAK_TRY(tensor, read_tensor(proto, around_.where));
      TensorType type = tensor.type();
      TIEBREAK_CHECK(define(proto.name(), ProgramValue{proto.name(), std::move(type), std::move(tensor)}, around_.where));
    }
    return {};
  }

  Result<int> version(const std::string& domain, const std::string& where) const {
    const auto found = around_.opsets.find(domain);
    if (found != around_.opsets.end()) return found->second;
    const std::string who = around_.given != nullptr ? "the function" : "the model";
    return fail(Errc::corrupt, who + " imports no opset of the domain '" + shown(domain) + "'", where);
  }

  Status node(int index) {
    const onnx::NodeProto& proto = graph_.node(index);
    const std::string where = node_place(graph_, index, around_.where);
    const std::string domain = own_domain(proto.domain());
    if (around_.given != nullptr) TIEBREAK_CHECK(reading_.budget.take(proto, around_.depth, where));
    if (proto.op_type().empty()) return fail(Errc::corrupt, "a node without an operator", where);
    if (domain == "stablehlo" || domain == "arith" || domain == "func") return fail(Errc::unsupported, "the domain '" + domain + "' is MLIR's", where);
    Operation operation;
    operation.op = (domain.empty() ? "onnx" : domain == "com.microsoft" ? "microsoft" : domain) + "." + proto.op_type();
    operation.where = where;
    TIEBREAK_TRY(opset, version(domain, where));
    operation.version = opset;
    TIEBREAK_TRY(function, reading_.functions.called_by(proto, where));
    if (function != nullptr) return call(proto, index, *function, where);
    TIEBREAK_CHECK(attributes(proto, operation));
    if (operation.op == "onnx.Constant") return constant(proto, operation.attributes, where);
    for (const std::string& name : proto.input()) operation.operands.push_back(name.empty() ? -1 : use(name));
    TIEBREAK_CHECK(regions(proto, operation));
    return results(proto, std::move(operation));
  }

  Status attributes(const onnx::NodeProto& proto, Operation& operation) {
    for (const auto& attribute : proto.attribute()) {
      TIEBREAK_TRY(value, referred(attribute, around_.given, operation.where));
      if (value == nullptr || value->has_g()) continue;  // regions, below
      if (around_.given != nullptr) TIEBREAK_CHECK(reading_.budget.take(*value, operation.where));
      TIEBREAK_TRY(read, read_attribute(*value, attribute.name(), operation.where));
      if (!operation.attributes.emplace(attribute.name(), std::move(read)).second) {
        return fail(Errc::corrupt, "the attribute '" + shown(attribute.name()) + "' stands twice", operation.where);
      }
    }
    return {};
  }

  Status results(const onnx::NodeProto& proto, Operation operation) {
    int count = proto.output_size();
    while (count > 0 && proto.output(count - 1).empty()) --count;
    for (int i = 0; i < count; ++i) {
      const std::string& name = proto.output(i);
      operation.results.push_back(static_cast<ValueId>(program_.values.size()));
      ProgramValue value{name, stated_type(name)};
      if (name.empty()) {
        program_.values.push_back(std::move(value));  // left out in the middle: a value nobody reads
      } else {
        TIEBREAK_CHECK(define(name, std::move(value), operation.where));
      }
    }
    program_.operations.push_back(std::move(operation));
    return {};
  }

  /// The graphs inside a node, in the order in which its operator's text names them.
  Status regions(const onnx::NodeProto& proto, Operation& operation) {
    std::map<std::string, const onnx::GraphProto*> graphs;
    for (const auto& attribute : proto.attribute()) {
      if (!attribute.has_g() || !attribute.ref_attr_name().empty()) continue;
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
      Region region;
      Surroundings inside{around_.opsets, operation.where, around_.depth + 1, around_.given, around_.prefix};
      TIEBREAK_TRY(captured, GraphReader(*found->second, std::move(inside), reading_, this, region.program).run());
      region.captured = std::move(captured);
      operation.regions.push_back(std::move(region));
    }
    return {};
  }

  Status constant(const onnx::NodeProto& proto, AttributeMap& attributes, const std::string& where) {
    if (proto.output_size() != 1 || proto.output(0).empty()) return fail(Errc::corrupt, "a Constant has one attribute and one output", where);
    TIEBREAK_TRY(tensor, constant_of(attributes, where));
    TensorType type = tensor.type();
    return define(proto.output(0), ProgramValue{proto.output(0), std::move(type), std::move(tensor)}, where);
  }

  /// The function's nodes, on the call's values.
  Status call(const onnx::NodeProto& proto, int index, const ModelFunction& function, const std::string& where) {
    const auto fits = [&where](const char* what, int given, int formal) -> Status {
      if (given <= formal) return {};
      return fail(Errc::corrupt, "the call has " + std::to_string(given) + " " + what + ", the function has " + std::to_string(formal), where);
    };
    TIEBREAK_CHECK(fits("inputs", proto.input_size(), function.body.input_size()));
    TIEBREAK_CHECK(fits("outputs", proto.output_size(), function.body.output_size()));
    TIEBREAK_TRY(given, given_attributes(proto, function, around_.given, where));
    const std::string name = proto.name().empty() ? proto.op_type() + "_" + std::to_string(index) : proto.name();
    Surroundings inside{function.opsets, where, around_.depth + 1, &given, around_.prefix + shown(name) + "/"};
    GraphReader body(function.body, std::move(inside), reading_, nullptr, program_);
    body.function_ = &function;
    for (int i = 0; i < proto.input_size(); ++i)
      if (!proto.input(i).empty()) body.names_.emplace(function.body.input(i).name(), use(proto.input(i)));
    for (int i = 0; i < proto.output_size(); ++i) {
      const std::string &actual = proto.output(i), &formal = function.body.output(i).name();
      if (!actual.empty() && function.inputs.count(formal) == 0 && body.results_.count(formal) == 0)
        body.results_.emplace(formal, Stated{name_in_program(actual), stated_type(actual)});
    }
    TIEBREAK_CHECK(body.run_body());
    std::set<std::string> named;
    for (int i = 0; i < proto.output_size(); ++i) {
      const std::string &actual = proto.output(i), &formal = function.body.output(i).name();
      if (actual.empty()) continue;
      TIEBREAK_TRY(id, body.used_output(formal));
      const bool has_name = body.results_.count(formal) > 0 && named.insert(formal).second;
      if (has_name) names_.emplace(actual, id);
      else TIEBREAK_CHECK(copy(id, actual, function, where));
    }
    return {};
  }

  Status run_body() {
    if (around_.depth > nesting_limit)
      return fail(Errc::limit, "graphs and calls of functions are nested more than " + std::to_string(nesting_limit) + " deep", around_.where);
    for (int index : function_->order) TIEBREAK_CHECK(node(index));
    return {};
  }

  /// A value that has a name already, as what the call gives to the function or as another result of the call.
  Status copy(ValueId id, const std::string& name, const ModelFunction& function, const std::string& where) {
    Operation operation;
    operation.op = "onnx.Identity";
    operation.where = where;
    operation.operands = {id};
    operation.results = {static_cast<ValueId>(program_.values.size())};
    const auto opset = function.opsets.find("");
    TIEBREAK_TRY(own, opset == function.opsets.end() ? version("", where) : Result<int>(opset->second));
    operation.version = own;
    TIEBREAK_CHECK(define(name, ProgramValue{name, program_.values[static_cast<std::size_t>(id)].type}, where));
    program_.operations.push_back(std::move(operation));
    return {};
  }

  struct Stated {
    std::string name;
    std::optional<TensorType> type{};
  };

  const onnx::GraphProto& graph_;
  const Surroundings around_;
  Reading& reading_;
  GraphReader* outer_;
  Program& program_;
  std::vector<ValueId> captured_{};
  std::map<std::string, ValueId> names_{};
  std::map<std::string, std::optional<TensorType>> types_{};
  const ModelFunction* function_ = nullptr;  ///< whose body this is
  std::map<std::string, Stated> results_{};  ///< and what its outputs are to the call
};

/// What a value is that is no tensor.
std::string kind_of(const onnx::TypeProto& type) {
  switch (type.value_case()) {
    case onnx::TypeProto::kSequenceType: return "a sequence";
    case onnx::TypeProto::kOptionalType: return "an optional value";
    case onnx::TypeProto::kMapType: return "a map";
    case onnx::TypeProto::kSparseTensorType: return "a sparse tensor";
    case onnx::TypeProto::kOpaqueType: return "an opaque value";
    default: return "";
  }
}

Status are_tensors(const google::protobuf::RepeatedPtrField<onnx::ValueInfoProto>& infos, const std::string& where) {
  for (const auto& info : infos) {
    const std::string kind = kind_of(info.type());
    if (!kind.empty())
      return fail(Errc::unsupported, "it is " + kind + ": of a model's inputs and outputs only tensors are supported", where + " '" + shown(info.name()) + "'");
  }
  return {};
}

}  // namespace

std::string own_domain(const std::string& domain) { return domain == "ai.onnx" ? "" : domain; }

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

Result<Opsets> imported_opsets(const google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto>& imports, const std::string& where) {
  Opsets versions;
  for (const auto& import : imports) {
    if (import.version() < 0 || import.version() > 1'000'000)
      return fail(Errc::corrupt, "the opset version " + std::to_string(import.version()) + " is absurd", where);
    versions[own_domain(import.domain())] = static_cast<int>(import.version());
  }
  return versions;
}

Result<Program> read_model(onnx::ModelProto& model, const std::string& file) {
  if (!model.has_graph()) return fail(Errc::corrupt, "not an ONNX model: no graph", file);
  TIEBREAK_CHECK(are_tensors(model.graph().input(), file + ": input"));
  TIEBREAK_CHECK(are_tensors(model.graph().output(), file + ": output"));
  TIEBREAK_TRY(opsets, imported_opsets(model.opset_import(), file));
  if (model.ir_version() < 3) opsets.emplace("", 1);  // older files have no imports
  TIEBREAK_TRY(functions, ModelFunctions::read(model, file));
  Reading reading{file, std::move(functions)};
  if (!reading.functions.empty()) take_names(model.graph(), reading.taken);
  Program program;
  TIEBREAK_CHECK(GraphReader(model.graph(), Surroundings{opsets, file}, reading, nullptr, program).run());
  return program;
}

}  // namespace tiebreak::onnx_format
