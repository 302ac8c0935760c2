// SPDX-License-Identifier: Apache-2.0
// A backend in this process that follows a profile: what identify must find out.
#pragma once
#include "interpreter/evaluate/evaluate.hpp"
#include "testsuite/backends/backend.hpp"

namespace tiebreak {

class PlantedBackend : public Backend {
 public:
  PlantedBackend(const Library& library, Profile profile) : library_(library), profile_(std::move(profile)) {}

  Result<BackendDescription> describe() override { return BackendDescription{"planted", "1", declared, ops, {}}; }

  std::vector<BackendAnswer> run(const std::vector<ExchangeCase>& cases) override {
    std::vector<BackendAnswer> answers;
    for (const ExchangeCase& asked : cases) answers.push_back(answer(asked));
    return answers;
  }

  std::int64_t elements = 0;  ///< asked for so far
  bool marks_undefined = true;
  bool refuses_everything = false;
  std::function<bool(const ExchangeCase&)> refuses{};
  std::string declared{};  ///< of the description
  std::vector<std::string> ops{};
  /// Changes an answer before it is given.
  std::function<void(const ExchangeCase&, Tensor&)> disturb{};

 private:
  BackendAnswer answer(const ExchangeCase& asked) {
    BackendAnswer none;
    none.reason = "refused";
    none.kind = BackendAnswer::Kind::unsupported;
    if (refuses_everything || (refuses && refuses(asked))) return none;
    Result<ParsedMlir> parsed = parse_mlir(asked.program, asked.id);
    if (!parsed) return none;
    std::vector<Tensor> inputs;
    for (const ExchangeTensor& input : asked.inputs) inputs.push_back(input.tensor);
    Result<std::vector<ResultTensor>> results = evaluate({library_, profile_}, parsed->functions.at(0), inputs);
    if (!results) return none;
    BackendAnswer given;
    given.kind = BackendAnswer::Kind::answered;
    for (std::size_t i = 0; i < results->size(); ++i) {
      ExchangeTensor output;
      output.name = asked.outputs.at(i).name;
      output.tensor = (*results)[i].tensor;
      if (marks_undefined) output.undefined = (*results)[i].undefined;
      if (disturb) disturb(asked, output.tensor);
      elements += output.tensor.size();
      given.outputs.push_back(std::move(output));
    }
    return given;
  }

  const Library& library_;
  Profile profile_;
};

}  // namespace tiebreak
