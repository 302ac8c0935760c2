// SPDX-License-Identifier: Apache-2.0
#include "interpreter/program/onnx_functions.hpp"

#include <google/protobuf/unknown_field_set.h>

#include <algorithm>

#include "interpreter/program/onnx_node_order.hpp"

namespace tiebreak::onnx_format {
namespace {

constexpr int default_attribute_field = 11, value_info_field = 12, function_overload_field = 13;  // of FunctionProto
constexpr int node_overload_field = 8;

/// What stands in a field, whether the installed message classes know the field or are older than it.
std::vector<std::string> blocks_of(const google::protobuf::Message& message, int field) {
  google::protobuf::UnknownFieldSet fields;
  std::vector<std::string> blocks;
  if (!fields.ParseFromString(message.SerializePartialAsString())) return blocks;
  for (int i = 0; i < fields.field_count(); ++i) {
    const auto& one = fields.field(i);
    if (one.number() == field && one.type() == google::protobuf::UnknownField::TYPE_LENGTH_DELIMITED) blocks.push_back(one.length_delimited());
  }
  return blocks;
}

template <class Part>
Result<std::vector<Part>> parts_of(const google::protobuf::Message& message, int field, const std::string& where) {
  std::vector<Part> parts;
  for (const std::string& block : blocks_of(message, field)) {
    if (!parts.emplace_back().ParseFromString(block)) return fail(Errc::corrupt, "a field of the function cannot be read", where);
  }
  return parts;
}

std::string overload_of(const google::protobuf::Message& message, int field) {
  const auto blocks = blocks_of(message, field);
  return blocks.empty() ? "" : blocks.back();
}

/// A name is one of a function where domain, name and overload are.
std::string key_of(const std::string& domain, const std::string& name, const std::string& overload) { return domain + '\0' + name + '\0' + overload; }

std::string word_of(const std::string& domain, const std::string& name, const std::string& overload) {
  return (domain.empty() ? "" : shown(domain) + ".") + shown(name) + (overload.empty() ? "" : ":" + shown(overload));
}

/// Domains in which a name that no function has is an operator's.
bool has_operators(const std::string& domain) { return domain.empty() || domain == "com.microsoft"; }

Status no_graph(const onnx::AttributeProto& attribute, const std::string& where) {
  if (!attribute.has_g() && attribute.graphs_size() == 0) return {};
  return fail(Errc::unsupported, "graphs are not supported as attributes of functions", where);
}

Status read_signature(const onnx::FunctionProto& proto, ModelFunction& function, const std::string& where) {
  for (const std::string& name : proto.input()) {
    if (name.empty()) return fail(Errc::corrupt, "an input without a name", where);
    if (!function.inputs.insert(name).second) return fail(Errc::corrupt, "the input '" + shown(name) + "' stands twice", where);
    function.body.add_input()->set_name(name);
  }
  for (const std::string& name : proto.output()) function.body.add_output()->set_name(name);
  TIEBREAK_TRY(defaults, parts_of<onnx::AttributeProto>(proto, default_attribute_field, where));
  function.defaults = std::move(defaults);
  const auto declare = [&](const std::string& name) -> Status {
    if (function.attributes.insert(name).second) return {};
    return fail(Errc::corrupt, "the attribute '" + shown(name) + "' stands twice", where);
  };
  for (const std::string& name : proto.attribute()) TIEBREAK_CHECK(declare(name));
  for (const onnx::AttributeProto& attribute : function.defaults) {
    TIEBREAK_CHECK(declare(attribute.name()));
    TIEBREAK_CHECK(no_graph(attribute, where + ": attribute '" + shown(attribute.name()) + "'"));
    if (!attribute.ref_attr_name().empty())
      return fail(Errc::corrupt, "the default of the attribute '" + shown(attribute.name()) + "' is a reference to another", where);
  }
  return {};
}

/// The body is a graph of its own: it sees nothing but its inputs.
Status read_body(onnx::FunctionProto& proto, ModelFunction& function, const std::string& where) {
  function.body.mutable_node()->Swap(proto.mutable_node());
  TIEBREAK_CHECK(read_signature(proto, function, where));
  TIEBREAK_TRY(infos, parts_of<onnx::ValueInfoProto>(proto, value_info_field, where));
  for (const auto& info : infos) function.types[info.name()] = fixed_type(info);
  TIEBREAK_TRY(opsets, imported_opsets(proto.opset_import(), where));
  function.opsets = std::move(opsets);
  TIEBREAK_TRY(order, node_order(function.body, where, [&function](const std::string& name) { return function.inputs.count(name) > 0; }));
  function.order = std::move(order);
  std::set<std::string> defined = function.inputs;
  for (const auto& node : function.body.node()) defined.insert(node.output().begin(), node.output().end());
  for (const std::string& name : proto.output())
    if (name.empty() || defined.count(name) == 0) return fail(Errc::corrupt, "the output '" + shown(name) + "' is not defined", where);
  return {};
}

/// Follows the calls of each function to its ends.
class CallChains {
 public:
  CallChains(const ModelFunctions& functions, const std::map<const ModelFunction*, std::string>& words) : functions_(functions), words_(words) {}

  /// How many calls there are below each other, this one included.
  Result<int> height(const ModelFunction& function, const std::string& file) {
    if (const auto found = heights_.find(&function); found != heights_.end()) return found->second;
    const std::string where = file + ": function '" + words_.at(&function) + "'";
    if (const auto found = std::ranges::find(chain_, &function); found != chain_.end()) {
      std::string text;
      for (auto at = found; at != chain_.end(); ++at) text += words_.at(*at) + " calls ";
      return fail(Errc::corrupt, "the function calls itself: " + text + words_.at(&function), where);
    }
    chain_.push_back(&function);
    int below = 0;
    const bool is_deep = static_cast<int>(chain_.size()) > nesting_limit;
    if (!is_deep) TIEBREAK_CHECK(calls(function.body, file, where, below));
    if (is_deep || below >= nesting_limit) return fail(Errc::limit, "functions call each other more than " + std::to_string(nesting_limit) + " deep", where);
    chain_.pop_back();
    return heights_[&function] = below + 1;
  }

 private:
  Status calls(const onnx::GraphProto& graph, const std::string& file, const std::string& where, int& below) {
    for (int i = 0; i < graph.node_size(); ++i) {
      const std::string place = node_place(graph, i, where);
      TIEBREAK_TRY(called, functions_.called_by(graph.node(i), place));
      if (called != nullptr) {
        TIEBREAK_TRY(found, height(*called, file));
        below = std::max(below, found);
      }
      for (const auto& attribute : graph.node(i).attribute())
        if (attribute.has_g()) TIEBREAK_CHECK(calls(attribute.g(), file, place, below));
    }
    return {};
  }

  const ModelFunctions& functions_;
  const std::map<const ModelFunction*, std::string>& words_;
  std::map<const ModelFunction*, int> heights_{};
  std::vector<const ModelFunction*> chain_{};
};

}  // namespace

Result<ModelFunctions> ModelFunctions::read(onnx::ModelProto& model, const std::string& file) {
  ModelFunctions all;
  std::map<const ModelFunction*, std::string> words;
  std::vector<const ModelFunction*> in_order;
  for (onnx::FunctionProto& proto : *model.mutable_functions()) {
    const std::string domain = own_domain(proto.domain()), overload = overload_of(proto, function_overload_field);
    const std::string word = word_of(domain, proto.name(), overload), where = file + ": function '" + word + "'";
    if (proto.name().empty()) return fail(Errc::corrupt, "a function without a name", file);
    const auto [place, is_new] = all.functions_.try_emplace(key_of(domain, proto.name(), overload));
    if (!is_new) return fail(Errc::corrupt, "the function is defined twice", where);
    all.domains_.insert(domain);
    TIEBREAK_CHECK(read_body(proto, place->second, where));
    words[&place->second] = word;
    in_order.push_back(&place->second);
  }
  CallChains chains(all, words);
  for (const ModelFunction* function : in_order) TIEBREAK_CHECK(chains.height(*function, file).map([](int) {}));
  return all;
}

Result<const ModelFunction*> ModelFunctions::called_by(const onnx::NodeProto& node, const std::string& where) const {
  const std::string domain = own_domain(node.domain());
  if (domains_.count(domain) == 0) return nullptr;
  const std::string any_overload = key_of(domain, node.op_type(), "");
  const auto first = functions_.lower_bound(any_overload);
  const bool is_named = first != functions_.end() && first->first.starts_with(any_overload);
  if (!is_named && has_operators(domain)) return nullptr;
  const std::string overload = overload_of(node, node_overload_field);
  const auto found = functions_.find(key_of(domain, node.op_type(), overload));
  if (found != functions_.end()) return &found->second;
  if (has_operators(domain) && overload.empty()) return nullptr;
  return fail(Errc::corrupt, "the model has no function '" + word_of(domain, node.op_type(), overload) + "', but others of its domain", where);
}

Status CallBudget::take_names(std::int64_t count, int depth, const std::string& where) {
  constexpr std::int64_t most_names = std::int64_t{1} << 20;
  names_ += count * depth;
  if (names_ <= most_names) return {};
  return fail(Errc::limit, "the calls of functions expand to too many nodes: more than " + std::to_string(most_names) + " with what they name", where);
}

Status CallBudget::take_bytes(std::uint64_t count, const std::string& where) {
  constexpr std::uint64_t most_bytes = std::uint64_t{256} << 20;
  bytes_ += count;
  if (bytes_ <= most_bytes) return {};
  return fail(Errc::limit, "the calls of functions copy more than 256 MiB of constants and attributes", where,
              "give large constants to the functions as inputs");
}

Status CallBudget::take(const onnx::NodeProto& node, int depth, const std::string& where) {
  return take_names(1 + node.input_size() + node.output_size(), depth, where);
}

Status CallBudget::take(const onnx::AttributeProto& attribute, const std::string& where) { return take_bytes(attribute.ByteSizeLong(), where); }

Status CallBudget::take(const onnx::GraphProto& graph, int depth, const std::string& where) {
  TIEBREAK_CHECK(take_names(
      1 + graph.input_size() + graph.output_size() + graph.value_info_size() + graph.initializer_size() + graph.quantization_annotation_size(), depth, where));
  for (const auto& tensor : graph.initializer()) TIEBREAK_CHECK(take_bytes(tensor.ByteSizeLong(), where));
  return {};
}

Result<const onnx::AttributeProto*> referred(const onnx::AttributeProto& attribute, const CallAttributes* given, const std::string& where) {
  const std::string& name = attribute.ref_attr_name();
  if (name.empty()) return &attribute;
  const std::string place = where + ": attribute '" + shown(attribute.name()) + "'";
  if (given == nullptr) return fail(Errc::corrupt, "a reference to the attribute '" + shown(name) + "' of a function stands outside of functions", place);
  const auto found = given->find(name);
  if (found == given->end()) return nullptr;
  const bool are_typed = attribute.has_type() && found->second->has_type();
  if (are_typed && attribute.type() != found->second->type())
    return fail(Errc::corrupt, "the call gives another kind of value to the function's attribute '" + shown(name) + "'", place);
  return found->second;
}

Result<CallAttributes> given_attributes(const onnx::NodeProto& call, const ModelFunction& function, const CallAttributes* outer, const std::string& where) {
  CallAttributes given;
  std::set<std::string> named;
  for (const auto& attribute : call.attribute()) {
    const std::string& name = attribute.name();
    if (function.attributes.count(name) == 0) return fail(Errc::corrupt, "the function has no attribute '" + shown(name) + "'", where);
    if (!named.insert(name).second) return fail(Errc::corrupt, "the attribute '" + shown(name) + "' stands twice", where);
    TIEBREAK_TRY(value, referred(attribute, outer, where));
    if (value == nullptr) continue;
    TIEBREAK_CHECK(no_graph(*value, where + ": attribute '" + shown(name) + "'"));
    given[name] = value;
  }
  for (const auto& attribute : function.defaults) given.try_emplace(attribute.name(), &attribute);
  return given;
}

}  // namespace tiebreak::onnx_format
