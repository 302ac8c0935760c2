// SPDX-License-Identifier: Apache-2.0
#include "testsuite/engines/compare_engines.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <set>

#include "interpreter/sha256.hpp"
#include "testsuite/case/case_writer.hpp"

namespace tiebreak {
namespace {

constexpr std::uint64_t draws_for_a_call = 60;
constexpr std::int64_t most_result_elements = 4096, most_second_elements = 512;  // what the exact engine does in milliseconds
constexpr std::size_t most_shown = 5;

/// `reference`, and those that bind a choice that the op may reach.
std::vector<const Profile*> profiles_of(const Library& library, const ModulesInReach& reach, const std::string& op) {
  std::vector<const Profile*> found{*library.find_profile("reference")};
  std::set<std::string> keys{op + "/"};
  for (const ModulesInReach::Entry& entry : reach.of_op(op)) keys.insert(entry.module + "/");
  for (const auto& [name, one] : library.profiles()) {
    const Profile& profile = one;
    const bool says_something = std::ranges::any_of(keys, [&profile](const std::string& key) {
      const auto choice = profile.choices.lower_bound(key);
      return choice != profile.choices.end() && choice->first.starts_with(key);
    });
    if (says_something) found.push_back(&profile);
  }
  return found;
}

/// A short list of whole numbers may be the shape of a result.
bool may_be_large_shape(const Tensor& tensor) {
  constexpr std::int64_t longest = 8;
  if (!tensor.element().is_integer() || tensor.element().bits() < 32 || tensor.shape().size() > 1 || tensor.size() > longest) return false;
  double product = 1;
  for (std::int64_t i = 0; i < tensor.size(); ++i) product *= std::max(1.0, std::abs(tensor.value(i).to_double()));
  return product > static_cast<double>(most_result_elements);
}

bool is_small(const OpCall& call) {
  if (std::ranges::any_of(call.operands, [](const auto& operand) { return operand && may_be_large_shape(*operand); })) return false;
  std::vector<std::int64_t> sizes{0, 0};
  for (const auto& operand : call.operands)
    if (operand) sizes.push_back(operand->size());
  std::ranges::sort(sizes, std::ranges::greater{});
  const bool has_small_results = std::ranges::all_of(call.result_types, [](const auto& type) {
    if (!type || is_open(type->shape)) return true;
    const auto count = element_count(type->shape);
    return count && *count <= most_result_elements;
  });
  return has_small_results && sizes[1] <= most_second_elements;
}

/// The call as a program of one operation, every operand an input.
Case case_of(const OpCall& call, const std::string& id, const std::vector<ResultTensor>& results) {
  Case test;
  test.id = id;
  Operation operation{.op = call.op, .operands = {}, .results = {}, .attributes = call.attributes, .version = call.version, .where = {}};
  for (std::size_t i = 0; i < call.operands.size(); ++i) {
    operation.operands.push_back(call.operands[i] ? static_cast<ValueId>(test.program.values.size()) : -1);
    if (!call.operands[i]) continue;
    test.program.inputs.push_back(operation.operands.back());
    test.program.values.push_back({"a" + std::to_string(i), call.operands[i]->type()});
    test.inputs.push_back(*call.operands[i]);
  }
  for (const ResultTensor& result : results) {
    operation.results.push_back(static_cast<ValueId>(test.program.values.size()));
    test.program.values.push_back({result.name, result.tensor.type()});
  }
  for (const BoundRegion& region : call.regions) operation.regions.push_back({*region.program, {}});
  test.program.outputs = operation.results;
  test.program.operations.push_back(std::move(operation));
  return test;
}

/// Of this thread.
double processor_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

ComparedOp compare_engines(const Library& library, const ModulesInReach& reach, const std::string& op, const generate::CallSeeds& seeds,
                           const DrawRange& range) {
  ComparedOp compared{.op = op};
  const std::vector<const Profile*> profiles = profiles_of(library, reach, op);
  const double start = processor_seconds();
  for (std::uint64_t number = range.first; number < range.first + draws_for_a_call * range.calls; ++number) {
    if (compared.agreeing + compared.different.size() >= range.calls || compared.different.size() >= most_shown) break;
    compared.stopped = range.seconds > 0 && processor_seconds() - start > static_cast<double>(range.seconds);
    if (compared.stopped) break;
    PseudoRandom random(hash_number(op + " " + std::to_string(range.seed) + " " + std::to_string(number)));
    const bool is_reference = random.below(2) == 0;
    const Profile& profile = *profiles[is_reference ? 0 : random.below(profiles.size())];
    const OpCall call = generate::varied_call(seeds, random);
    const auto results = is_small(call) ? evaluate({library, profile}, call, {.engine = Engine::both}) : fail(Errc::limit, "too large to be tried by many");
    if (results) {
      ++compared.agreeing;
    } else if (results.error().code != Errc::internal) {
      ++compared.refused;
      compared.refusal = results.error().what;
    } else {
      const auto exact = evaluate({library, profile}, call, {.engine = Engine::exact});
      const std::vector<ResultTensor> values = exact ? *exact : std::vector<ResultTensor>{};
      compared.different.push_back(
          {number, profile.name, results.error().what,
           exact ? case_file_text(library, case_of(call, op + "/" + std::to_string(number), values), std::to_string(number), profile.name, values) : ""});
    }
  }
  return compared;
}

}  // namespace tiebreak
