// SPDX-License-Identifier: Apache-2.0
#include "interpreter/program/onnx_node_order.hpp"

#include <map>
#include <set>

namespace tiebreak::onnx_format {
namespace {

/// Names that a graph inside a node reads of the graphs around it. A name that it defines itself is its own, whatever is defined outside.
void add_outer_names(const onnx::GraphProto& graph, std::set<std::string>& names) {
  std::set<std::string> own, read;
  for (const auto& info : graph.input()) own.insert(info.name());
  for (const auto& tensor : graph.initializer()) own.insert(tensor.name());
  for (const auto& node : graph.node()) {
    own.insert(node.output().begin(), node.output().end());
    read.insert(node.input().begin(), node.input().end());
    for (const auto& attribute : node.attribute())
      if (attribute.has_g()) add_outer_names(attribute.g(), read);
  }
  for (const auto& info : graph.output()) read.insert(info.name());
  for (const std::string& name : read)
    if (own.count(name) == 0) names.insert(name);
}

class NodeOrder {
 public:
  NodeOrder(const onnx::GraphProto& graph, const std::string& where, const std::function<bool(const std::string&)>& is_defined)
      : graph_(graph), where_(where), is_defined_(is_defined), waiting_(static_cast<std::size_t>(graph.node_size())), readers_(waiting_.size()) {}

  Result<std::vector<int>> run() {
    TIEBREAK_CHECK(find_producers());
    for (int i = 0; i < graph_.node_size(); ++i) TIEBREAK_CHECK(find_reads(i));
    return drained();
  }

 private:
  Status find_producers() {
    for (int i = 0; i < graph_.node_size(); ++i) {
      for (const std::string& name : graph_.node(i).output()) {
        if (name.empty()) continue;
        if (is_defined_(name) || !producers_.emplace(name, i).second)
          return fail(Errc::corrupt, "'" + shown(name) + "' is defined twice", node_place(graph_, i, where_));
      }
    }
    return {};
  }

  Status find_reads(int reader) {
    const onnx::NodeProto& node = graph_.node(reader);
    std::set<std::string> names(node.input().begin(), node.input().end());
    for (const auto& attribute : node.attribute())
      if (attribute.has_g()) add_outer_names(attribute.g(), names);
    for (const std::string& name : names) {
      if (name.empty() || is_defined_(name)) continue;
      const auto producer = producers_.find(name);
      if (producer == producers_.end()) return fail(Errc::corrupt, "'" + shown(name) + "' is not defined", node_place(graph_, reader, where_));
      if (waiting_[static_cast<std::size_t>(reader)].insert(producer->second).second) readers_[static_cast<std::size_t>(producer->second)].push_back(reader);
    }
    return {};
  }

  Result<std::vector<int>> drained() {
    std::set<int> ready;
    for (int i = 0; i < graph_.node_size(); ++i) {
      if (waiting_[static_cast<std::size_t>(i)].empty()) ready.insert(i);
    }
    std::vector<int> order;
    while (!ready.empty()) {
      const int next = *ready.begin();
      ready.erase(ready.begin());
      order.push_back(next);
      for (int reader : readers_[static_cast<std::size_t>(next)]) {
        auto& open = waiting_[static_cast<std::size_t>(reader)];
        open.erase(next);
        if (open.empty()) ready.insert(reader);
      }
    }
    if (order.size() == waiting_.size()) return order;
    // Every node left waits for another one left: going back from any of them ends in a cycle.
    int at = 0;
    while (waiting_[static_cast<std::size_t>(at)].empty()) ++at;
    std::set<int> seen;
    while (seen.insert(at).second) at = *waiting_[static_cast<std::size_t>(at)].begin();
    return fail(Errc::corrupt, "this node reads its own result (the graph has a cycle)", node_place(graph_, at, where_));
  }

  const onnx::GraphProto& graph_;
  const std::string& where_;
  const std::function<bool(const std::string&)>& is_defined_;
  std::map<std::string, int> producers_{};
  std::vector<std::set<int>> waiting_;     ///< of each node those it reads
  std::vector<std::vector<int>> readers_;  ///< and those that read it
};

}  // namespace

std::string node_place(const onnx::GraphProto& graph, int index, const std::string& where) {
  const onnx::NodeProto& node = graph.node(index);
  const std::string name = node.name().empty() ? "#" + std::to_string(index) : "'" + shown(node.name()) + "'";
  return where + ": node " + name + " (" + shown(node.op_type()) + ")";
}

Result<std::vector<int>> node_order(const onnx::GraphProto& graph, const std::string& where, const std::function<bool(const std::string&)>& is_defined) {
  return NodeOrder(graph, where, is_defined).run();
}

}  // namespace tiebreak::onnx_format
