// SPDX-License-Identifier: Apache-2.0
#include "interpreter/lite/places.hpp"

namespace tiebreak::tflite {
namespace {

constexpr std::size_t longest_name = 80;

/// A name from a file, fit for a message: printable and short.
std::string shown(const std::string& name) {
  std::string text;
  for (char c : name.substr(0, longest_name)) text += c >= ' ' && c < '\x7f' ? c : '?';
  return name.size() > longest_name ? text + "..." : text;
}

}  // namespace

std::string subgraph_place(const std::string& file, std::size_t index) { return file + ": subgraph " + std::to_string(index); }

std::string operator_place(const std::string& subgraph, std::size_t index, const ModelOperator& entry) {
  const std::string word = entry.builtin == Builtin::custom ? "CUSTOM " + shown(entry.custom) : to_word(entry.builtin);
  return subgraph + ", operator " + std::to_string(index) + " (" + word + " v" + std::to_string(entry.version) + ")";
}

std::string tensor_place(const std::string& before, std::size_t index, const std::string& name) {
  return before + ", tensor " + std::to_string(index) + (name.empty() ? "" : " \"" + shown(name) + "\"");
}

}  // namespace tiebreak::tflite
