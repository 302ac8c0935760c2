// SPDX-License-Identifier: Apache-2.0
#include "testsuite/export/layer_case.hpp"

#include <algorithm>
#include <set>

#include "testsuite/case/value_name.hpp"
#include "testsuite/layers/layer_call.hpp"
#include "testsuite/layers/model_values.hpp"
#include "testsuite/sources/selection.hpp"

namespace tiebreak {
namespace {

Result<std::set<std::size_t>> wanted_layers(const Model& model, const std::vector<std::string>& globs) {
  const Program& program = model.test.program;
  std::set<std::size_t> wanted;
  std::vector<std::string> words;
  for (std::size_t layer = 0; layer < program.operations.size(); ++layer) words.push_back(layer_word(program, layer));
  for (const std::string& glob : globs) {
    bool found = false;
    for (std::size_t layer = 0; layer < words.size(); ++layer) {
      const std::vector<std::string> names{words[layer], model.test.id + "/" + words[layer], bare_name(first_result(program, program.operations[layer]))};
      if (std::ranges::none_of(names, [&](const std::string& name) { return matches_glob(glob, name); })) continue;
      wanted.insert(layer);
      found = true;
    }
    if (found) continue;
    const std::string near = nearest(glob, words);
    return fail(Errc::unknown_name, "the model has no layer '" + glob + "'", model.test.source,
                near.empty() ? "tiebreak check " + model.test.source + " --per-layer --list" : "did you mean '" + near + "'?");
  }
  return wanted;
}

/// The layers whose results a wanted one reads, at once or by way of others.
std::vector<bool> layers_before(const Program& program, const std::set<std::size_t>& wanted) {
  std::vector<bool> runs(program.operations.size(), false), is_read(program.values.size(), false);
  for (std::size_t layer = program.operations.size(); layer-- > 0;) {
    const Operation& operation = program.operations[layer];
    runs[layer] = std::ranges::any_of(named_results(operation), [&](ValueId id) { return is_read[value_place(id)]; });
    if (!runs[layer] && !wanted.contains(layer)) continue;
    for (const ValueId id : read_values(operation)) is_read[value_place(id)] = true;
  }
  return runs;
}

/// Operands that the model has as constants are constants of the case.
void keep_constants(const Program& model, const Operation& operation, Case& test) {
  std::vector<ValueId> inputs;
  std::vector<Tensor> tensors;
  std::size_t input = 0;
  for (const ValueId id : operation.operands) {
    if (id < 0) continue;
    if (model.values[value_place(id)].constant) {
      test.program.values[value_place(test.program.inputs[input])].constant = std::move(test.inputs[input]);
    } else {
      inputs.push_back(test.program.inputs[input]);
      tensors.push_back(std::move(test.inputs[input]));
    }
    ++input;
  }
  test.program.inputs = std::move(inputs);
  test.inputs = std::move(tensors);
}

/// The layers in their order, with what the reference makes of the model's inputs. A layer that cannot be computed leaves its results unknown.
class LayerRun {
 public:
  LayerRun(const Semantics& semantics, const Model& model)
      : semantics_(semantics), model_(model), program_(model.test.program), known_(program_.values.size()), undefined_(known_.size()), missing_(known_.size()) {
    for (std::size_t i = 0; i < program_.inputs.size(); ++i) known_[value_place(program_.inputs[i])] = model.test.inputs[i];
  }

  /// An error is an interrupt, or a defect.
  Status compute(std::size_t layer) {
    const Operation& operation = program_.operations[layer];
    auto results = evaluate_operation(semantics_, program_, operation, [this](ValueId id) { return value(id); }, {});
    TIEBREAK_CHECK(semantics_.library.stop().check());
    if (!results && results.error().code == Errc::internal) return tl::unexpected<Error>(results.error());
    for (std::size_t r = 0; r < operation.results.size(); ++r) {
      if (operation.results[r] < 0) continue;
      const std::size_t place = value_place(operation.results[r]);
      if (results && r < results->size()) {
        known_[place] = std::move((*results)[r].tensor);
        undefined_[place] = std::move((*results)[r].undefined);
      } else {
        const std::string before = missing_of(operation);
        missing_[place] = !before.empty() ? before : results ? operation.op + " gives no such result" : results.error().what;
      }
    }
    return {};
  }

  Case case_of(std::size_t layer) const {
    const Operation& operation = program_.operations[layer];
    Case test;
    const std::string why = missing_of(operation);
    if (why.empty() && reads_undefined(operation)) {
      test.unusable = Error{Errc::unsupported, "the layer reads elements that the profile leaves undefined", "", "another profile may state them"};
    } else if (!why.empty()) {
      test.unusable = Error{Errc::unsupported, "the layer reads what cannot be computed: " + why};
    } else if (std::optional<Case> call = call_case(semantics_.library, program_, layer, known_)) {
      test = *std::move(call);
      keep_constants(program_, operation, test);
    } else {
      test.unusable = Error{Errc::unsupported, "no page describes " + operation.op + ", or it runs regions"};
    }
    test.id = model_.test.id + "/" + layer_word(program_, layer);
    test.source = model_.test.source;
    if (test.unusable) test.unusable->where = test.id;
    return test;
  }

 private:
  LentTensor value(ValueId id) const {
    LentTensor from{.tensor = read_value(program_, known_, id)};
    if (!undefined_[value_place(id)].empty()) from.undefined = &undefined_[value_place(id)];
    return from;
  }

  /// Why something that the operation reads is not known; "" where all is.
  std::string missing_of(const Operation& operation) const {
    for (const ValueId id : read_values(operation))
      if (!missing_[value_place(id)].empty()) return missing_[value_place(id)];
    return "";
  }

  bool reads_undefined(const Operation& operation) const {
    return std::ranges::any_of(read_values(operation), [this](ValueId id) { return std::ranges::count(undefined_[value_place(id)], 1) != 0; });
  }

  const Semantics& semantics_;
  const Model& model_;
  const Program& program_;
  std::vector<std::optional<Tensor>> known_;
  std::vector<std::vector<std::uint8_t>> undefined_;  ///< by value; empty where none is
  std::vector<std::string> missing_;                  ///< by value: why it is not known
};

}  // namespace

Result<std::vector<Case>> layer_cases(const Semantics& semantics, const Model& model, const std::vector<std::string>& globs) {
  TIEBREAK_TRY(wanted, wanted_layers(model, globs));
  const std::vector<bool> runs = layers_before(model.test.program, wanted);
  LayerRun run(semantics, model);
  std::vector<Case> cases;
  for (std::size_t layer = 0; layer < runs.size(); ++layer) {
    if (wanted.contains(layer)) cases.push_back(run.case_of(layer));
    if (runs[layer]) TIEBREAK_CHECK(run.compute(layer));
  }
  return cases;
}

}  // namespace tiebreak
