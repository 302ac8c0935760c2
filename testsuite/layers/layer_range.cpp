// SPDX-License-Identifier: Apache-2.0
// Which layers of a model are meant: by their numbers, or by the names that a report gives them.
#include <algorithm>
#include <charconv>

#include "testsuite/case/value_name.hpp"
#include "testsuite/layers/layer_call.hpp"
#include "testsuite/layers/model_values.hpp"

namespace tiebreak {
namespace {

constexpr const char* range_hint = "FROM..TO with numbers or names of layers, either of which may be left out: 3..7, conv1.., ..pool";

/// The words that a layer may be called by.
std::vector<std::string> names_of(const Program& program, std::size_t layer) {
  const std::string word = layer_word(program, layer);
  std::vector<std::string> names{word, word.substr(word.find('.') + 1)};
  for (ValueId id : named_results(program.operations[layer])) {
    names.push_back(program.values[value_place(id)].name);
    names.push_back(bare_name(program, id));
  }
  return names;
}

Result<std::size_t> layer_called(const Program& program, const std::string& word, const std::string& option) {
  const std::size_t count = program.operations.size();
  std::vector<std::string> all;
  for (std::size_t layer = 0; layer < count; ++layer) {
    const std::vector<std::string> names = names_of(program, layer);
    if (std::ranges::find(names, word) != names.end()) return layer;
    all.insert(all.end(), names.begin(), names.end());
  }
  std::size_t number = 0;
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), number);
  const bool is_number = code == std::errc{} && end == word.data() + word.size();
  if (is_number && number < count) return number;
  if (is_number) return fail(Errc::usage, "the model's layers have the numbers 0 to " + std::to_string(count - 1), option + " " + word);
  const std::string near = nearest(word, all);
  return fail(Errc::unknown_name, "the model has no layer '" + word + "'", option, near.empty() ? "--list prints the layers" : "did you mean '" + near + "'?");
}

}  // namespace

Result<LayerRange> layer_range(const Program& program, const std::string& range, const std::string& until) {
  if (range.empty() && until.empty()) return LayerRange{};
  if (program.operations.empty()) return fail(Errc::usage, "the model has no layers", program.file);
  LayerRange layers{.first = 0, .last = program.operations.size() - 1};
  if (!range.empty()) {
    const std::size_t dots = range.find("..");
    if (dots == std::string::npos) return fail(Errc::usage, "'" + range + "' is no range of layers", "--layers", range_hint);
    const std::string from = range.substr(0, dots), to = range.substr(dots + 2);
    if (from.empty() && to.empty()) return fail(Errc::usage, "a range with no end is every layer", "--layers " + range, range_hint);
    if (!from.empty()) {
      TIEBREAK_TRY(first, layer_called(program, from, "--layers"));
      layers.first = first;
    }
    if (!to.empty()) {
      TIEBREAK_TRY(last, layer_called(program, to, "--layers"));
      layers.last = last;
    }
  }
  if (!until.empty()) {
    TIEBREAK_TRY(last, layer_called(program, until, "--until"));
    layers.last = std::min(layers.last, last);
  }
  if (layers.first > layers.last)
    return fail(Errc::usage, "layer " + layer_word(program, layers.first) + " stands behind " + layer_word(program, layers.last), "--layers " + range,
                "a range goes in the order of --list");
  return layers;
}

}  // namespace tiebreak
