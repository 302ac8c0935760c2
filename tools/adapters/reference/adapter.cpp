// SPDX-License-Identifier: Apache-2.0
// The backend `reference`: evaluates each case's program under a profile. What `check` says of it says nothing new about arithmetic,
// but everything about files, processes and comparison.
#include "tools/adapters/common/adapter.hpp"
#include "interpreter/evaluate/evaluate.hpp"
#include "interpreter/semantics/library.hpp"
#include "tools/adapters/single_op/single_op.hpp"

namespace tiebreak {
namespace {

Result<Engine> engine_named(const std::string& word) {
  if (word == "exact") return Engine::exact;
  if (word == "fast") return Engine::fast;
  if (word == "both") return Engine::both;
  return fail(Errc::usage, "--engine is exact, fast or both, not '" + word + "'");
}

class ReferenceAdapter : public Adapter {
 public:
  ReferenceAdapter(std::shared_ptr<const Library> library, const Profile* profile, Engine engine, std::string engine_word)
      : library_(std::move(library)), profile_(profile), engine_(engine), engine_word_(std::move(engine_word)) {}

  Result<BackendDescription> describe() override {
    BackendDescription description{"reference", TIEBREAK_VERSION, profile_->name, library_->op_paths(), {}};
    description.details = {{"engine", engine_word_}, {"profile_hash", profile_->hash}, {"spec_hash", library_->hash()}};
    return description;
  }

  AdapterAnswer run(const ExchangeCase& request) override { return AdapterAnswer::of(answer(request)); }

 private:
  Result<std::vector<ExchangeTensor>> answer(const ExchangeCase& request) {
    TIEBREAK_TRY(program, program_of(request));
    TIEBREAK_TRY(inputs, inputs_of(program, request));
    EvaluateOptions options;
    options.engine = engine_;
    TIEBREAK_TRY(results, evaluate(*library_, *profile_, program, inputs, options));
    std::vector<ExchangeTensor> outputs;
    for (std::size_t index = 0; index < results.size(); ++index) {
      ExchangeTensor output;
      output.name = plain_name(program.values[static_cast<std::size_t>(program.outputs[index])].name);
      output.tensor = std::move(results[index].tensor);
      output.undefined = std::move(results[index].undefined);
      outputs.push_back(std::move(output));
    }
    return outputs;
  }

  std::shared_ptr<const Library> library_;
  const Profile* profile_;
  Engine engine_;
  std::string engine_word_;
};

Result<std::unique_ptr<Adapter>> make(const AdapterArguments& arguments) {
  TIEBREAK_TRY(engine, engine_named(arguments.at("--engine")));
  const std::string& spec = arguments.at("--spec");
  TIEBREAK_TRY(library, Library::load(spec.empty() ? Library::default_directory() : spec));
  TIEBREAK_TRY(profile, library->find_profile(arguments.at("--profile")));
  return std::make_unique<ReferenceAdapter>(library, profile, engine, arguments.at("--engine"));
}

}  // namespace
}  // namespace tiebreak

int main(int argc, char** argv) {
  using namespace tiebreak;
  return adapter_main(argc, argv,
                      {{"--profile", "whose semantics to compute", "reference"},
                       {"--engine", "exact, fast or both", "fast"},
                       {"--spec", "the folder of pages; else TIEBREAK_SPEC, else the installed one"}},
                      make);
}
