// SPDX-License-Identifier: Apache-2.0
#include "testsuite/export/layer_case.hpp"

#include <algorithm>
#include <set>

#include "testsuite/case/value_name.hpp"
#include "testsuite/layers/layer_call.hpp"
#include "testsuite/sources/selection.hpp"

namespace tiebreak {
namespace {

Result<std::set<std::size_t>> wanted_layers(const Model& model, const std::vector<std::string>& globs) {
  const Program& program = model.test.program;
  std::set<std::size_t> wanted;
  std::vector<std::string> words;
  for (std::size_t layer = 0; layer < program.operations.size(); ++layer) words.push_back(layer_word(program, layer));
  for (const std::string& glob : globs) {
    const std::size_t before = wanted.size();
    bool found = false;
    for (std::size_t layer = 0; layer < words.size(); ++layer) {
      const std::vector<std::string> names{words[layer], model.test.id + "/" + words[layer], bare_name(first_result(program, program.operations[layer]))};
      if (std::ranges::none_of(names, [&](const std::string& name) { return matches_glob(glob, name); })) continue;
      wanted.insert(layer);
      found = true;
    }
    if (found || wanted.size() > before) continue;
    const std::string near = nearest(glob, words);
    return fail(Errc::unknown_name, "the model has no layer '" + glob + "'", model.test.source,
                near.empty() ? "tiebreak check " + model.test.source + " --per-layer --list" : "did you mean '" + near + "'?");
  }
  return wanted;
}

/// The operations that the layers need, themselves included.
std::vector<bool> needed_operations(const Program& program, const std::set<std::size_t>& layers) {
  std::vector<bool> needed(program.operations.size(), false), values(program.values.size(), false);
  for (std::size_t at = program.operations.size(); at-- > 0;) {
    const Operation& operation = program.operations[at];
    needed[at] = layers.contains(at) || std::ranges::any_of(operation.results, [&](ValueId id) { return id >= 0 && values[static_cast<std::size_t>(id)]; });
    if (!needed[at]) continue;
    const auto need = [&](ValueId id) {
      if (id >= 0) values[static_cast<std::size_t>(id)] = true;
    };
    std::ranges::for_each(operation.operands, need);
    for (const Region& region : operation.regions) std::ranges::for_each(region.captured, need);
  }
  return needed;
}

/// Operands that the model has as constants are constants of the case.
void keep_constants(const Program& model, const Operation& operation, Case& test) {
  std::vector<ValueId> inputs;
  std::vector<Tensor> tensors;
  std::size_t input = 0;
  for (const ValueId id : operation.operands) {
    if (id < 0) continue;
    if (model.values[static_cast<std::size_t>(id)].constant) {
      test.program.values[static_cast<std::size_t>(test.program.inputs[input])].constant = std::move(test.inputs[input]);
    } else {
      inputs.push_back(test.program.inputs[input]);
      tensors.push_back(std::move(test.inputs[input]));
    }
    ++input;
  }
  test.program.inputs = std::move(inputs);
  test.inputs = std::move(tensors);
}

}  // namespace

Result<std::vector<Case>> layer_cases(const Semantics& semantics, const Model& model, const std::vector<std::string>& globs) {
  const Program& program = model.test.program;
  TIEBREAK_TRY(wanted, wanted_layers(model, globs));
  const std::vector<bool> needed = needed_operations(program, wanted);
  Program run = program;
  run.operations.clear();
  std::vector<std::size_t> numbers;
  for (std::size_t layer = 0; layer < needed.size(); ++layer)
    if (needed[layer]) {
      run.operations.push_back(program.operations[layer]);
      numbers.push_back(layer);
    }
  TIEBREAK_TRY(reached, reach_calls(semantics, run, model.test.inputs));
  std::vector<std::optional<Tensor>> known(program.values.size());
  for (std::size_t i = 0; i < program.inputs.size(); ++i) known[static_cast<std::size_t>(program.inputs[i])] = model.test.inputs[i];
  std::vector<Case> cases;
  for (std::size_t at = 0; at < reached.size(); ++at) {
    const std::size_t layer = numbers[at];
    const Operation& operation = program.operations[layer];
    if (wanted.contains(layer)) {
      const std::string id = model.test.id + "/" + layer_word(program, layer);
      for (const std::vector<std::uint8_t>& undefined : reached[at].call.undefined)
        if (std::ranges::find(undefined, 1) != undefined.end())
          return fail(Errc::unsupported, "the layer reads elements that the profile leaves undefined", id, "another profile may state them");
      std::optional<Case> test = call_case(semantics.library, program, layer, known);
      if (!test) return fail(Errc::unsupported, "no page describes " + operation.op + ", or it runs regions", id);
      keep_constants(program, operation, *test);
      test->id = id;
      test->source = model.test.source;
      cases.push_back(std::move(*test));
    }
    for (std::size_t r = 0; r < operation.results.size() && r < reached[at].results.size(); ++r)
      if (operation.results[r] >= 0) known[static_cast<std::size_t>(operation.results[r])] = std::move(reached[at].results[r].tensor);
  }
  return cases;
}

}  // namespace tiebreak
