// SPDX-License-Identifier: Apache-2.0
// N03 from the graph of names: definitions that need themselves, names nobody needs, modules that name each other in a circle.
#include <algorithm>
#include <map>
#include <set>

#include "interpreter/notation/checker.hpp"
#include "interpreter/notation/lexer.hpp"

namespace tiebreak::notation {
namespace {

/// Depth-first search without recursion: a text may have a chain of any length. Calls `found` with each circle met.
template <class Node, class Edges, class Found>
void find_circles(const std::vector<Node>& nodes, Edges edges, Found found) {
  enum class Mark : std::uint8_t { open, closed };
  struct Step {
    Node node;
    std::size_t next = 0;
  };
  std::map<Node, Mark> marks;
  for (const Node& root : nodes) {
    if (marks.contains(root)) continue;
    std::vector<Step> stack{{root}};
    marks[root] = Mark::open;
    while (!stack.empty()) {
      const auto& targets = edges(stack.back().node);
      if (stack.back().next == targets.size()) {
        marks[stack.back().node] = Mark::closed;
        stack.pop_back();
        continue;
      }
      const Node target = targets[stack.back().next++];
      const auto mark = marks.find(target);
      if (mark == marks.end()) {
        marks[target] = Mark::open;
        stack.push_back({target});
      } else if (mark->second == Mark::open) {
        std::vector<Node> circle;
        auto first = std::ranges::find(stack, target, &Step::node);
        for (; first != stack.end(); ++first) circle.push_back(first->node);
        found(circle);
      }
    }
  }
}

}  // namespace

void check_cycles(Checker& checker) {
  const auto edges = [&](const void* formula) -> const std::vector<const void*>& { return checker.formulas[formula].uses; };
  find_circles(checker.formula_order, edges, [&](const std::vector<const void*>& circle) {
    const Checker::Formula& first = checker.formulas[circle.front()];
    std::string path;
    for (const void* formula : circle) path += checker.formulas[formula].name + " -> ";
    checker.report(Errc::syntax, "N03 '" + first.name + "' is defined by itself: " + path + first.name, first.at);
  });
}

void check_unused(Checker& checker) {
  for (const void* key : checker.formula_order) {
    const Checker::Formula& formula = checker.formulas[key];
    if (formula.of_op && !checker.used.contains(key)) checker.report(Errc::syntax, "N03 '" + formula.name + "' is never used", formula.at);
  }
}

std::vector<Error> check_circles(const std::vector<ModuleReferences>& modules) {
  std::map<std::string, const ModuleReferences*> by_name;
  std::map<std::string, std::vector<std::string>> edges;
  std::vector<std::string> names;
  for (const ModuleReferences& one : modules) {
    by_name[one.module->name] = &one;
    for (const ModuleReference& reference : one.references) edges[one.module->name].push_back(reference.module);
    names.push_back(one.module->name);
  }
  std::ranges::sort(names);
  std::vector<Error> findings;
  find_circles(
      names, [&](const std::string& name) -> const std::vector<std::string>& { return edges[name]; },
      [&](std::vector<std::string> circle) {
        std::rotate(circle.begin(), std::ranges::min_element(circle), circle.end());
        const ModuleReferences& first = *by_name.at(circle.front());
        const std::string& next = circle.size() > 1 ? circle[1] : circle[0];
        std::string path;
        for (const std::string& name : circle) path += name + " -> ";
        const auto reference = std::ranges::find(first.references, next, &ModuleReference::module);
        findings.push_back({Errc::syntax, "N03 modules use each other in a circle: " + path + circle.front(), place(reference->file, reference->at), {}});
      });
  return findings;
}

}  // namespace tiebreak::notation
