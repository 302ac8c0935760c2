// SPDX-License-Identifier: Apache-2.0
// The backend `reference`: evaluates each case's program under the profile that the request names, or under one of its own. What `check` says of it says
// nothing new about arithmetic, but everything about files, processes and comparison.
#include "tools/adapters/common/adapter.hpp"
#include "interpreter/evaluate/evaluate.hpp"
#include "interpreter/semantics/changed_profile.hpp"
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
  /// `profile`: under which every request is answered; nullptr: under the one that each request names.
  ReferenceAdapter(std::shared_ptr<const Library> library, const Profile* profile, const Profile* otherwise, Engine engine, std::string engine_word)
      : library_(std::move(library)), profile_(profile), otherwise_(otherwise), engine_(engine), engine_word_(std::move(engine_word)) {}

  Result<BackendDescription> describe() override {
    const Profile& declared = profile_ != nullptr ? *profile_ : *otherwise_;
    BackendDescription description{"reference", TIEBREAK_VERSION, declared.name, library_->op_paths(), {}};
    description.details = {{"engine", engine_word_}, {"profile_hash", declared.hash}, {"spec_hash", library_->hash()}};
    return description;
  }

  AdapterAnswer run(const ExchangeCase& request) override { return AdapterAnswer::of(answer(request)); }

 private:
  Result<const Profile*> profile_of(const ExchangeCase& request) {
    if (profile_ != nullptr) return profile_;
    if (request.profile.empty()) return otherwise_;
    if (!last_ || last_->name != request.profile) {
      TIEBREAK_TRY(read, read_changed_profile(*library_, request.profile));
      last_ = std::move(read);
    }
    return &*last_;
  }

  Result<std::vector<ExchangeTensor>> answer(const ExchangeCase& request) {
    TIEBREAK_TRY(profile, profile_of(request));
    TIEBREAK_TRY(program, program_of(request));
    TIEBREAK_TRY(inputs, inputs_of(program, request));
    EvaluateOptions options;
    options.engine = engine_;
    TIEBREAK_TRY(results, evaluate({*library_, *profile}, program, inputs, options));
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
  const Profile* otherwise_;
  Engine engine_;
  std::string engine_word_;
  std::optional<Profile> last_{};  ///< that a request named: the next names it again
};

Result<std::unique_ptr<Adapter>> make(const AdapterArguments& arguments) {
  TIEBREAK_TRY(engine, engine_named(arguments.at("--engine")));
  const std::string& spec = arguments.at("--spec");
  TIEBREAK_TRY(library, Library::load(spec.empty() ? Library::default_directories() : std::vector<std::string>{spec}));
  TIEBREAK_TRY(otherwise, library->find_profile("reference"));
  const std::string& named = arguments.at("--profile");
  const Profile* profile = nullptr;
  if (!named.empty()) {
    TIEBREAK_TRY(found, library->find_profile(named));
    profile = found;
  }
  return std::make_unique<ReferenceAdapter>(library, profile, otherwise, engine, arguments.at("--engine"));
}

}  // namespace
}  // namespace tiebreak

int main(int argc, char** argv) {
  using namespace tiebreak;
  return adapter_main(argc, argv,
                      {{"--profile", "whose semantics to compute; else those of the profile that each request names", ""},
                       {"--engine", "exact, fast or both", "fast"},
                       {"--spec", "the folder of pages; else TIEBREAK_SPEC, else the installed one"}},
                      make);
}
