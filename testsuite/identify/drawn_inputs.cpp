// SPDX-License-Identifier: Apache-2.0
#include "testsuite/identify/drawn_inputs.hpp"

#include <algorithm>
#include <set>

#include "interpreter/notation/walk.hpp"
#include "testsuite/candidates/probe_set.hpp"
#include "testsuite/case/value_name.hpp"
#include "testsuite/check/judge.hpp"
#include "testsuite/generate/pseudo_random.hpp"
#include "testsuite/identify/log_parameter_sets.hpp"
#include "testsuite/text/text_table.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

constexpr std::size_t most_drawn_settings = 4, most_questions = 24, rounds = 48;
constexpr std::int64_t most_drawn_elements = 1 << 16, drawn_extent = 2048;

/// The values that an input may have: what the log's range allows of its type; of a quantized type what it stores.
struct Allowed {
  ElementType type;
  Real low, high;
  bool is_stated = false;

  Allowed(const Tensor& tensor, const std::string& name, const std::map<std::string, CallerRange>& ranges)
      : type(tensor.element()), low(type.min()), high(type.max()) {
    if (const auto& quantized = tensor.type().quantized) {
      low = quantized->storage_min;
      high = quantized->storage_max;
    }
    if (const auto range = ranges.find(name); range != ranges.end()) {
      low = max(low, range->second.low);
      high = min(high, range->second.high);
      is_stated = true;
    }
  }
  std::int64_t codes() const { return type.is_integer() && type.bits() <= 16 ? (high - low).to_int64().value_or(0) + 1 : 0; }
};

/// A case whose varied inputs have one element each, or all the same shape, beside parameters of one value: it can be asked many at a time.
bool can_be_widened(const Library& library, const Case& test, const std::vector<std::size_t>& varied) {
  if (test.program.operations.size() != 1) return false;
  const Result<Library::OpPlace> place = library.find_op(test.program.operations[0].op);
  const notation::Structure* structure = place ? notation::structure_of(*place->op) : nullptr;
  if (structure == nullptr || structure->path != "elementwise") return false;
  for (std::size_t i = 0; i < test.inputs.size(); ++i) {
    const bool is_varied = std::ranges::find(varied, i) != varied.end();
    if (!is_varied && test.inputs[i].size() != 1) return false;
    if (is_varied &&
        (test.inputs[i].shape() != test.inputs[varied[0]].shape() || (test.inputs[i].type().quantized && !test.inputs[i].type().quantized->is_per_tensor())))
      return false;
  }
  return true;
}

Status give(Case& test, std::size_t input, const Shape& shape) {
  TensorType type = test.inputs[input].type();
  type.shape = shape;
  TIEBREAK_TRY(tensor, Tensor::zeros(type));
  test.inputs[input] = std::move(tensor);
  if (auto& declared = test.program.values[static_cast<std::size_t>(test.program.inputs[input])].type) declared->shape = shape;
  return {};
}

class Drawer {
 public:
  Drawer(const Library& library, const ObservedLog& log, const std::vector<Profile>& semantics) : library_(library), log_(log), semantics_(semantics) {
    found_.different.assign(semantics.size(), 0);
  }

  DrawnComparison run() {
    std::set<std::string> known;
    bool every = true;
    for (const LoggedCase& logged : log_.cases) {
      const std::vector<std::size_t> varied = varied_inputs(library_, logged);
      if (varied.empty() || !known.insert(key_of(logged.test, varied)).second) continue;
      if (found_.settings++ == most_drawn_settings) {
        --found_.settings;
        every = false;
        break;
      }
      name_varied(logged.test, varied);
      every = ask(logged.test, varied) && every;
    }
    found_.is_every_input = every && found_.inputs > 0;
    return std::move(found_);
  }

 private:
  /// What does not vary, and the types and shapes of what does.
  static std::string key_of(const Case& test, const std::vector<std::size_t>& varied) {
    std::string key;
    for (std::size_t i = 0; i < test.inputs.size(); ++i) {
      key += to_text(test.inputs[i].type());
      if (std::ranges::find(varied, i) == varied.end()) key += tensor_text(test.inputs[i]);
    }
    for (const Operation& operation : test.program.operations)
      for (const auto& [name, attribute] : operation.attributes) key += name + to_text(attribute);
    return key;
  }

  void name_varied(const Case& test, const std::vector<std::size_t>& varied) {
    if (!found_.names.empty()) return;
    for (std::size_t i = 0; i < varied.size(); ++i) found_.names += (i == 0 ? "" : i + 1 == varied.size() ? " and " : ", ") + input_name(test, varied[i]);
  }

  /// True where every input was asked.
  bool ask(const Case& logged, const std::vector<std::size_t>& varied) {
    std::vector<Allowed> allowed;
    for (std::size_t input : varied) allowed.emplace_back(logged.inputs[input], input_name(logged, input), log_.ranges);
    if (!can_be_widened(library_, logged, varied)) {
      draw(logged, logged, varied, allowed);
      return false;
    }
    std::int64_t all = 1;
    for (const Allowed& one : allowed) all = one.codes() == 0 || all > most_drawn_elements ? 0 : all * one.codes();
    Case test = logged;
    const bool is_every = all > 0 && all <= most_drawn_elements;
    const Shape shape{is_every ? all : drawn_extent};
    for (std::size_t input : varied)
      if (!give(test, input, shape)) return false;
    for (ValueId id : test.program.outputs)
      if (auto& type = test.program.values[static_cast<std::size_t>(id)].type) type->shape = shape;
    if (!is_every) {
      draw(test, logged, varied, allowed);
      return false;
    }
    for (std::int64_t element = 0; element < all; ++element) {
      std::int64_t rest = element;
      for (std::size_t k = varied.size(); k-- > 0; rest /= allowed[k].codes())
        set(test.inputs[varied[k]], element, allowed[k].low + Real(rest % allowed[k].codes()));
    }
    return compare(test);
  }

  static void set(Tensor& tensor, std::int64_t element, const Real& value) {
    if (const auto code = tensor.element().encode(value)) tensor.set_code(element, *code);
  }

  /// The ends first, then values drawn from the range; of floats without a range half from what was logged, half from all codes.
  void draw(const Case& wide, const Case& logged, const std::vector<std::size_t>& varied, const std::vector<Allowed>& allowed) {
    PseudoRandom random(1);
    const std::size_t most = wide.inputs[varied[0]].size() >= drawn_extent ? 6 : rounds;
    for (std::size_t round = 0; round < most && questions_left(); ++round) {
      Case test = wide;
      for (std::size_t k = 0; k < varied.size(); ++k) fill(test.inputs[varied[k]], logged.inputs[varied[k]], allowed[k], round, random);
      if (!compare(test)) return;
    }
  }

  static void fill(Tensor& tensor, const Tensor& seen, const Allowed& allowed, std::size_t round, PseudoRandom& random) {
    for (std::int64_t i = 0; i < tensor.size(); ++i) {
      const bool takes_end = tensor.element().is_integer() && (round < 2 || random.below(8) == 0);
      if (tensor.element().is_boolean()) tensor.set_code(i, random.below(2));
      else if (takes_end) set(tensor, i, (round < 2 ? round == 0 : random.below(2) == 0) ? allowed.high : allowed.low);
      else if (tensor.element().is_integer()) set(tensor, i, drawn_between(random, allowed));
      else if (allowed.is_stated || (seen.size() > 0 && round % 2 == 0)) set_float(tensor, i, allowed, seen, random);
      else tensor.set_code(i, finite_code(tensor.element(), random));
    }
  }

  static Real drawn_between(PseudoRandom& random, const Allowed& allowed) {
    const auto span = (allowed.high - allowed.low).to_int64();
    if (!span) return allowed.type.decode(random.next());
    return allowed.low + Real(static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(*span) + 1)));
  }

  static std::uint64_t finite_code(const ElementType& type, PseudoRandom& random) {
    for (;;) {
      const std::uint64_t code = random.next();
      if (type.decode(code).is_finite()) return code & (type.bits() >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << type.bits()) - 1);
    }
  }

  /// Between the ends of the range, or around a logged value.
  static void set_float(Tensor& tensor, std::int64_t element, const Allowed& allowed, const Tensor& seen, PseudoRandom& random) {
    const Real part = Real(static_cast<std::int64_t>(random.below(1 << 20))) / Real(1 << 20);
    Real value = allowed.low + (allowed.high - allowed.low) * part;
    if (!allowed.is_stated) {
      const Real logged = seen.value(static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(seen.size()))));
      if (!logged.is_finite()) return;
      value = logged * (Real::dyadic(1, -1) + part);
    }
    const auto rounded = round_to(value, tensor.element().floating(), Rounding::nearest_even, Overflow::saturate);
    if (rounded) set(tensor, element, *rounded);
  }

  bool questions_left() const { return found_.questions.size() < most_questions; }

  /// All semantics on one case; what cannot be evaluated is undefined.
  bool compare(const Case& test) {
    std::vector<Outcomes> outcomes;
    std::vector<std::vector<ResultTensor>> results;
    for (const Profile& profile : semantics_) {
      Result<std::vector<ResultTensor>> one = results_under({library_, profile}, test);
      results.push_back(one ? *std::move(one) : std::vector<ResultTensor>{});
      outcomes.push_back(joined(results.back()));
    }
    const std::size_t elements = outcomes.empty() ? 0 : outcomes[0].size();
    if (elements == 0) return false;
    found_.inputs += elements;
    const auto is_known = [&](std::size_t i, std::size_t element) { return outcomes[i].size() == elements && outcomes[i].undefined[element] == 0; };
    for (std::size_t element = 0; element < elements; ++element) {
      std::vector<std::pair<std::size_t, std::size_t>> parted;
      for (std::size_t i = 0; i < semantics_.size(); ++i)
        for (std::size_t j = i + 1; j < semantics_.size(); ++j) {
          if (!is_known(i, element) || !is_known(j, element) || outcomes[i].codes[element] == outcomes[j].codes[element]) continue;
          found_.different[j] += i == 0 ? 1 : 0;
          parted.emplace_back(i, j);
        }
      bool is_new = false;
      for (const auto& pair : parted) is_new = told_.insert(pair).second || is_new;
      if (is_new && questions_left()) add_question(test, results, element);
    }
    return true;
  }

  void add_question(const Case& test, const std::vector<std::vector<ResultTensor>>& results, std::size_t element) {
    std::size_t output = 0;
    auto place = static_cast<std::int64_t>(element);
    while (place >= results[0][output].tensor.size()) place -= results[0][output++].tensor.size();
    DrawnQuestion question{inputs_text(test, results[0][output].tensor.shape(), place), {}};
    for (const std::vector<ResultTensor>& one : results) {
      const bool is_known = output < one.size() && place < one[output].tensor.size() && !one[output].is_undefined(place);
      question.answers.push_back(is_known ? value_text(one[output].tensor.value(place)) : "");
    }
    found_.questions.push_back(std::move(question));
  }

  /// Of one op by elements the element's own inputs; else all of them, and which result is meant.
  std::string inputs_text(const Case& test, const Shape& shape, std::int64_t element) const {
    if (can_be_widened(library_, test, varied_inputs(library_, {test, {}}))) return inputs_at(library_, test, shape, element);
    std::string text;
    for (std::size_t i = 0; i < test.inputs.size(); ++i) text += (i == 0 ? "" : " ") + input_name(test, i) + "=" + runs_text(test.inputs[i]);
    return shape.empty() ? text : text + " at " + index_text(shape, element);
  }

  const Library& library_;
  const ObservedLog& log_;
  const std::vector<Profile>& semantics_;
  std::set<std::pair<std::size_t, std::size_t>> told_{};
  DrawnComparison found_{};
};

}  // namespace

std::string DrawnComparison::over() const {
  const std::string at = settings == 1 ? " at these parameters" : " at " + counted(settings, "set") + " of the log's parameters";
  return is_every_input ? "all " + std::to_string(inputs) + " values of " + names + at : counted(inputs, "result") + " of drawn " + names + at;
}

DrawnComparison compare_on_drawn_inputs(const Library& library, const ObservedLog& log, const std::vector<Profile>& semantics) {
  return Drawer(library, log, semantics).run();
}

}  // namespace tiebreak
