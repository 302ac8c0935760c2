// SPDX-License-Identifier: Apache-2.0
#include "testsuite/diff/cast_atlas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>

#include "interpreter/semantics/profile_lookup.hpp"
#include "testsuite/case/request.hpp"
#include "testsuite/diff/cast_pairs.hpp"
#include "testsuite/diff/measured_totals.hpp"
#include "testsuite/text/parallel.hpp"
#include "testsuite/text/text_parts.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

std::vector<ElementType> element_types() {
  std::vector<ElementType> types;
  for (const FloatFormat& format : float_formats()) types.push_back(*ElementType::parse(std::string(format.name)));
  for (const char* word : {"i64", "i32", "i16", "i8", "i4", "i2", "u64", "u32", "u16", "u8", "u4", "u2"}) types.push_back(*ElementType::parse(word));
  return types;
}

/// Formats of 8 bits with something beyond their largest value: there the attribute counts.
bool has_modes(const ElementType& type) { return !type.is_integer() && type.bits() == 8 && type.floating().has_nan(); }

/// Profiles that bind a choice of conversions.
std::vector<const Profile*> systems_of(const Library& library) {
  std::vector<const Profile*> systems;
  const std::vector<OpChoice> choices = choices_of(library, "quant.convert");
  for (const auto& [name, profile] : library.profiles())
    if (name != "reference" && std::ranges::any_of(choices, [&, &bound = profile](const OpChoice& choice) {
          return resolve_choice(bound, choice.module, "quant.convert", choice.alias, choice.own_name) != nullptr;
        }))
      systems.push_back(&profile);
  return systems;
}

/// Decimals up to the digits of an i64; beyond, and where the value is no whole number, as hex floats.
std::string number_text(const Real& v) {
  const std::string text = value_text(v);
  return text.size() > 20 && v.is_finite() ? v.to_hex_float() : text;
}

std::string value_or_open(const Value& value) { return value.is_number() ? number_text(value.number()) : "open"; }

/// `overflow 813694976 from 2147483648: open, -2147483648`.
std::string first_differences_text(const FunctionDifference& found) {
  std::string text;
  for (std::size_t i = 0; i < input_classes; ++i) {
    if (!found.firsts[i]) continue;
    const FunctionDifference::Witness& first = *found.firsts[i];
    text += fmt::format("{}{} {} from {}: {}, {}", text.empty() ? "" : "; ", to_word(static_cast<InputClass>(i)),
                        fmt::to_string(found.by_class[i] + found.one_sided_by_class[i]), number_text(first.input), value_or_open(first.first),
                        value_or_open(first.second));
  }
  return text;
}

/// A row without its first column, and the source types that have it.
struct CastRow {
  std::string rest;
  std::vector<std::string> from;
};

std::string row_text(const CastClass& one) {
  const FunctionDifference& found = one.difference;
  if (!one.unknown.empty()) return fmt::format("{} | ? | ? | not counted: {} |", joined_words(one.systems, ", "), one.unknown);
  return fmt::format("{} | {} | {} | {} |", joined_words(one.systems, ", "), fmt::to_string(found.differing), fmt::to_string(found.one_sided),
                     first_differences_text(found));
}

/// One target: rows by source, those that are identical once; the sources from which every system converts as the text says.
std::string target_section(const ElementType& to, bool saturate, const std::vector<ElementType>& types, const std::vector<std::vector<CastClass>>& found) {
  std::string text = "## To " + to.name() + (has_modes(to) ? saturate ? ", saturating" : ", not saturating" : "") + "\n\n";
  std::vector<CastRow> rows;
  std::vector<std::string> agreed;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (found[i].empty()) agreed.push_back(types[i].name());
    for (const CastClass& one : found[i]) {
      const std::string rest = row_text(one);
      auto same = std::ranges::find(rows, rest, &CastRow::rest);
      if (same == rows.end()) same = rows.insert(rows.end(), {rest, {}});
      same->from.push_back(types[i].name());
    }
  }
  if (!rows.empty()) text += "| From | Systems | Differ | Open in the text | Classes: inputs from the first, the text, the systems |\n|---|---|---|---|---|\n";
  for (const CastRow& row : rows) text += "| " + joined_words(row.from, " ") + " | " + row.rest + "\n";
  if (!rows.empty()) text += "\n";
  if (!agreed.empty()) text += "All as the text: from " + joined_words(agreed, " ") + ".\n\n";
  return text;
}

using CastClasses = std::vector<std::vector<std::vector<CastClass>>>;  // by target, by source

/// Systems that are of one class in every conversion stand under the shortest of their names; the others of each, by that name.
std::map<std::string, std::vector<std::string>> fold_systems(const std::vector<const Profile*>& systems, CastClasses& found) {
  std::map<std::string, std::vector<std::size_t>> places;  // of each system: its class in each conversion, 0 for the text's
  std::size_t width = 0;
  for (const auto& by_source : found)
    for (const auto& classes : by_source) {
      ++width;
      for (const Profile* system : systems) places[system->name].resize(width);
      for (std::size_t i = 0; i < classes.size(); ++i)
        for (const std::string& name : classes[i].systems) places[name].back() = i + 1;
    }
  std::map<std::vector<std::size_t>, std::vector<std::string>> alike;
  for (const Profile* system : systems) alike[places[system->name]].push_back(system->name);
  std::map<std::string, std::vector<std::string>> groups;
  for (auto& [classes, names] : alike) {
    const auto first = std::ranges::min_element(names, {}, [](const std::string& name) { return name.size(); });
    const std::string name = *first;
    if (std::ranges::all_of(classes, [](std::size_t one) { return one == 0; })) {
      groups["as the text"] = names;
      continue;
    }
    names.erase(first);
    groups[name] = names;
  }
  for (auto& by_source : found)
    for (auto& classes : by_source)
      for (CastClass& one : classes) std::erase_if(one.systems, [&](const std::string& name) { return !groups.contains(name); });
  return groups;
}

std::string systems_section(const std::map<std::string, std::vector<std::string>>& groups) {
  std::string text = "## Systems\n\nEach stands for those beside it, which convert alike everywhere here.\n\n| System | And |\n|---|---|\n";
  for (const auto& [first, others] : groups) text += "| " + first + " | " + joined_words(others, ", ") + " |\n";
  return text + "\n";
}

std::string measured_section(const std::vector<MeasuredTotal>& totals) {
  std::string text = "## Totals that others measured\n\n| From | To | Inputs | Differ | What |\n|---|---|---|---|---|\n";
  for (const MeasuredTotal& one : totals)
    text += fmt::format("| {} | {} | {} | {} | {} |\n", one.from, one.to, fmt::to_string(one.inputs), fmt::to_string(one.differing), one.what);
  return text + "\n";
}

constexpr const char* introduction =
    "# The atlas of conversions\n\n"
    "Generated by `tiebreak profile casts`; not edited by hand. Every pair of element types, every input of each: numbers, both zeros, "
    "infinities and every code of NaN, 2^64 of them where the type has 64 bits. "
    "The text is [`quant.convert`](../spec/quant/convert.md) as ONNX has it, other formats likewise; e8m0 rounds up. A system stands here "
    "if its profile binds a choice of conversions. "
    "Counts are exact: where results are too many for stairs, one period of a run of equal steps stands for all "
    "([staircases](staircases.md)).\n\n"
    "*Differ* counts inputs on which text and system give two results, *open in the text* those that the system defines and the text does "
    "not. Classes are of the input, as the target sees it: `rounding` numbers "
    "in range that the target does not have, `tie` those halfway between two that it has, `subnormal` those below its normal numbers, "
    "`overflow` beyond its ends, `infinity`, `nan`, `zero` of either sign. Each has its number of inputs, and the first of them "
    "with the text's result and the systems'. Systems of one row give the same result on every input.\n\n";

}  // namespace

Result<std::string> make_cast_atlas(const Library& library, int jobs) {
  const std::vector<ElementType> types = element_types();
  const std::vector<const Profile*> systems = systems_of(library);
  struct Target {
    ElementType to;
    bool saturate;
  };
  std::vector<Target> targets;
  for (const ElementType& to : types) {
    targets.push_back({to, true});
    if (has_modes(to)) targets.push_back({to, false});
  }
  CastClasses found(targets.size(), std::vector<std::vector<CastClass>>(types.size()));
  std::optional<Error> failed;
  std::mutex guard;
  for_each_index(
      jobs, targets.size() * types.size(), [&] { return failed.has_value(); },
      [&](std::size_t number) {
        const std::size_t target = number / types.size(), source = number % types.size();
        auto classes = cast_classes(library, systems, {types[source], targets[target].to, targets[target].saturate});
        const std::lock_guard lock(guard);
        if (classes) found[target][source] = std::move(*classes);
        else if (!failed) failed = classes.error();
      });
  if (failed) return tl::unexpected<Error>(*failed);
  std::string text = introduction;
  TIEBREAK_TRY(totals, measured_totals(library, Library::default_directory()));
  text += measured_section(totals) + systems_section(fold_systems(systems, found));
  for (std::size_t i = 0; i < targets.size(); ++i) text += target_section(targets[i].to, targets[i].saturate, types, found[i]);
  return text;
}

}  // namespace tiebreak
