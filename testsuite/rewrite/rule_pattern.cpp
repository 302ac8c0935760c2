// SPDX-License-Identifier: Apache-2.0
// Where a parameter stands is found by reading the rule's text with two values of it: what moves from the one number to the other is its place.
#include "testsuite/rewrite/rule_pattern.hpp"

#include <algorithm>
#include <optional>

namespace tiebreak {
namespace {

using Kind = ParameterPlace::Kind;

const QuantizedType* quantized_of(const ProgramValue& value) {
  if (value.constant) return value.constant->type().quantized ? &*value.constant->type().quantized : nullptr;
  return value.type && value.type->quantized ? &*value.type->quantized : nullptr;
}

bool has_one_scale(const QuantizedType* type) { return type != nullptr && type->is_per_tensor() && type->scales.size() == 1 && type->zero_points.size() == 1; }

/// Every place of a program where a number may stand.
std::vector<ParameterPlace> places_in(const Program& program) {
  std::vector<ParameterPlace> places;
  for (std::size_t id = 0; id < program.values.size(); ++id)
    if (has_one_scale(quantized_of(program.values[id]))) {
      places.push_back({.kind = Kind::scale, .at = id});
      places.push_back({.kind = Kind::zero_point, .at = id});
    }
  for (std::size_t o = 0; o < program.operations.size(); ++o)
    for (const auto& [name, attribute] : program.operations[o].attributes) {
      const auto* list = std::get_if<AttributeList>(&attribute.value);
      const std::int64_t entries = list != nullptr ? static_cast<std::int64_t>(list->size()) : std::holds_alternative<Real>(attribute.value) ? 1 : 0;
      for (std::int64_t i = 0; i < entries; ++i) places.push_back({.kind = Kind::attribute, .at = o, .attribute = name, .entry = i});
    }
  for (std::size_t id = 0; id < program.values.size(); ++id) {
    const auto& constant = program.values[id].constant;
    if (!constant) continue;
    for (std::int64_t i = 0; i < constant->size(); ++i) places.push_back({.kind = Kind::constant, .at = id, .entry = i});
  }
  return places;
}

/// The same values and operations, whatever numbers they hold.
bool same_outline(const Program& a, const Program& b) {
  const auto same_operation = [](const Operation& x, const Operation& y) {
    return x.op == y.op && x.operands == y.operands && x.results == y.results && x.attributes.size() == y.attributes.size();
  };
  const auto same_value = [](const ProgramValue& x, const ProgramValue& y) {
    return x.name == y.name && x.constant.has_value() == y.constant.has_value() && x.type.has_value() == y.type.has_value();
  };
  return a.inputs == b.inputs && a.outputs == b.outputs && std::ranges::equal(a.values, b.values, same_value) &&
         std::ranges::equal(a.operations, b.operations, same_operation);
}

/// The number itself, or as the place holds it: scales and attributes are doubles or numbers of f32, elements of their own type.
bool holds(const Program& program, const ParameterPlace& place, const Real& number) {
  const auto found = number_at(program, place);
  if (!found) return false;
  if (*found == number || *found == Real::from_double(number.to_double()) || round_to(number, *find_float_format("f32")) == *found) return true;
  if (place.kind != Kind::constant) return false;
  const ElementType& element = program.values[place.at].constant->element();
  return element.is_float() && round_to(number, element.floating()) == *found;
}

/// The places where the two programs part, which have the two numbers of a parameter; nullopt where something else than numbers parts.
std::optional<std::vector<ParameterPlace>> places_between(const Program& a, const Program& b, const Real& first, const Real& second) {
  if (!same_outline(a, b)) return std::nullopt;
  std::vector<ParameterPlace> places;
  for (ParameterPlace& place : places_in(a)) {
    const auto x = number_at(a, place), y = number_at(b, place);
    if (!y) return std::nullopt;
    if (x->identical(*y)) continue;
    place.is_read = holds(a, place, first) && holds(b, place, second);
    places.push_back(std::move(place));
  }
  for (ParameterPlace& place : places) {
    if (place.kind != Kind::constant) continue;
    const auto same_constant = std::ranges::count_if(places, [&](const ParameterPlace& one) { return one.kind == Kind::constant && one.at == place.at; });
    place.every = same_constant == a.values[place.at].constant->size();
  }
  return places;
}

/// Other values of a parameter, to see what moves: those of the page, then numbers beside them.
std::vector<std::string> others_of(const RuleParameter& parameter) {
  std::vector<std::string> others(parameter.values.begin() + 1, parameter.values.end());
  const auto number = Real::parse(parameter.values.front());
  if (!number) return others;
  for (const Real& other : {*number + Real(1), *number - Real(1), *number * Real(2), *number / Real(2)})
    if (!(other == *number)) others.push_back(number_text(other));
  return others;
}

class PatternReader {
 public:
  explicit PatternReader(const RulePage& page) : page_(page) {}

  Result<RulePatterns> read() {
    RulePatterns made{.page = page_};
    TIEBREAK_TRY(first, programs_with(page_.values_of(0)));
    made.unusable = unusable(first.before);
    if (!made.unusable.empty()) return made;
    for (const RuleParameter& parameter : page_.parameters) {
      if (places_of(parameter, first.before)) continue;
      chosen_.push_back(&parameter);
      TIEBREAK_TRY(stands_before, moves(parameter, first.before));
      if (!stands_before) made.unusable = "the program before it does not have its parameter " + parameter.name;
    }
    if (!made.unusable.empty()) return made;
    TIEBREAK_CHECK(add_patterns(made));
    return made;
  }

 private:
  static std::string unusable(const Program& before) {
    if (before.outputs.size() != 1) return "it gives several results";
    const bool is_computed =
        std::ranges::any_of(before.operations, [&](const Operation& one) { return std::ranges::count(one.results, before.outputs[0]) > 0; });
    if (!is_computed) return "the program before it is no operation";
    if (std::ranges::any_of(before.operations, [](const Operation& one) { return !one.regions.empty(); })) return "the program before it has regions";
    return "";
  }

  Result<RulePrograms> programs_with(const RuleValues& parameters) const {
    TIEBREAK_TRY(values, page_.with_lets(parameters));
    return parse_rule_programs(page_, page_.program_with(values));
  }

  RuleValues base() const { return page_.values_of(0); }

  static void set(RuleValues& values, const std::string& name, const std::string& text) {
    std::ranges::find(values, name, &std::pair<std::string, std::string>::first)->second = text;
  }

  /// Where it can be read in the program with the first values; nullopt where it cannot.
  std::optional<std::vector<ParameterPlace>> places_of(const RuleParameter& parameter, const Program& before, RuleValues values = {}) const {
    if (values.empty()) values = base();
    const auto number = Real::parse(parameter.values.front());
    if (!number) return std::nullopt;
    for (const std::string& other : others_of(parameter)) {
      const auto moved = Real::parse(other);
      if (!moved) return std::nullopt;
      set(values, parameter.name, other);
      const auto programs = programs_with(values);
      if (!programs) continue;  // no value of the type that stands there
      auto places = places_between(before, programs->before, *number, *moved);
      if (!places) return std::nullopt;
      if (std::ranges::any_of(*places, &ParameterPlace::is_read)) return places;
    }
    return std::nullopt;
  }

  /// Whether one of its further values makes another program before the rewrite; a parameter of one value is a number of the page.
  Result<bool> moves(const RuleParameter& parameter, const Program& before) const {
    for (std::size_t i = 1; i < parameter.values.size(); ++i) {
      RuleValues values = base();
      set(values, parameter.name, parameter.values[i]);
      TIEBREAK_TRY(programs, programs_with(values));
      if (print_mlir(programs.before) != print_mlir(before)) return true;
    }
    return parameter.values.size() == 1;
  }

  /// One for each combination of the parameters that are not read.
  Status add_patterns(RulePatterns& made) const {
    std::uint64_t combinations = 1;
    for (const RuleParameter* one : chosen_) combinations *= one->values.size();
    for (std::uint64_t n = 0; n < combinations; ++n) {
      RuleValues values = base();
      RulePattern pattern;
      std::uint64_t rest = n;
      for (const RuleParameter* one : chosen_) {
        const std::string& text = one->values[rest % one->values.size()];
        rest /= one->values.size();
        set(values, one->name, text);
        pattern.chosen.emplace_back(one->name, text);
      }
      TIEBREAK_TRY(programs, programs_with(values));
      pattern.programs = std::move(programs);
      for (const RuleParameter& parameter : page_.parameters) {
        if (std::ranges::find(chosen_, &parameter) != chosen_.end()) continue;
        auto places = places_of(parameter, pattern.programs.before, values);
        if (!places) return fail(Errc::unsupported, "where parameter '" + parameter.name + "' stands depends on another", page_.file);
        pattern.places.emplace(parameter.name, *std::move(places));
      }
      made.patterns.push_back(std::move(pattern));
    }
    return {};
  }

  const RulePage& page_;
  std::vector<const RuleParameter*> chosen_{};
};

}  // namespace

Result<RulePatterns> patterns_of(const RulePage& page) { return PatternReader(page).read(); }

std::optional<Real> number_at(const Program& program, const ParameterPlace& place) {
  if (place.kind == Kind::attribute) {
    if (place.at >= program.operations.size()) return std::nullopt;
    const auto found = program.operations[place.at].attributes.find(place.attribute);
    if (found == program.operations[place.at].attributes.end()) return std::nullopt;
    const Attribute* one = &found->second;
    if (const auto* list = std::get_if<AttributeList>(&one->value)) {
      if (place.entry >= static_cast<std::int64_t>(list->size())) return std::nullopt;
      one = &(*list)[static_cast<std::size_t>(place.entry)];
    }
    const auto* number = std::get_if<Real>(&one->value);
    return number != nullptr ? std::optional(*number) : std::nullopt;
  }
  const ProgramValue& value = program.values[place.at];
  if (place.kind == Kind::constant)
    return value.constant && place.entry < value.constant->size() ? std::optional(value.constant->value(place.entry)) : std::nullopt;
  const QuantizedType* type = quantized_of(value);
  if (!has_one_scale(type)) return std::nullopt;
  return place.kind == Kind::scale ? type->scales[0].value : type->zero_points[0].value;
}

}  // namespace tiebreak
