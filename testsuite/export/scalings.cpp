// SPDX-License-Identifier: Apache-2.0
#include "testsuite/export/scalings.hpp"

#include <algorithm>
#include <bit>

#include "testsuite/export/scaling_walk.hpp"

namespace tiebreak {
namespace {

constexpr std::int64_t most_places = std::int64_t{1} << 20;

/// Chains at every place; each of the same form.
struct ScaledPlaces {
  Shape shape{};
  std::vector<std::vector<ScalingChain>> chains{};
};

bool same_form(const std::vector<ScalingChain>& a, const std::vector<ScalingChain>& b) {
  return std::ranges::equal(a, b, [](const ScalingChain& one, const ScalingChain& other) {
    return one.start == other.start && std::ranges::equal(one.steps, other.steps, [](const ScalingStep& x, const ScalingStep& y) {
             return x.divides == y.divides && x.under_division == y.under_division;
           });
  });
}

std::optional<ScaledPlaces> walk_places(ScalingWalk& walk, const Geometry& geometry) {
  const Shape& extents = geometry.cell_extents;
  const std::vector<std::int64_t> strides = row_major_strides(extents);
  ScaledPlaces places;
  std::vector<std::int64_t> steps;
  if ((walk.rate() >> extents.size()) != 0) return std::nullopt;  // varies over items
  for (std::size_t c = 0; c < extents.size(); ++c)
    if ((walk.rate() >> c & 1) != 0 && extents[c] != 1) {
      places.shape.push_back(extents[c]);
      steps.push_back(strides[c]);
    }
  const Result<std::int64_t> count = element_count(places.shape);
  if (!count || *count == 0 || *count > most_places) return std::nullopt;
  std::vector<std::int64_t> at(places.shape.size());
  for (std::int64_t place = 0; place < *count; ++place) {
    unravel(place, places.shape, at);
    std::int64_t cell = 0;
    for (std::size_t c = 0; c < at.size(); ++c) cell += at[c] * steps[c];
    auto chains = walk.at(cell);
    if (!chains || (place > 0 && !same_form(places.chains.front(), *chains))) return std::nullopt;
    places.chains.push_back(std::move(*chains));
  }
  return places;
}

/// Multiplier and shift of one chain at all places; nothing where it is no fixed-point product.
std::vector<Scaling> fixed_point(const ScaledPlaces& places, std::size_t chain) {
  Scaling multiplier{ExportRole::multiplier, places.chains.front()[chain].start, places.shape, {}};
  Scaling shift{ExportRole::shift, multiplier.start, places.shape, {}};
  for (const auto& chains : places.chains) {
    std::int64_t exponent = 0;
    int multipliers = 0;
    for (const ScalingStep& step : chains[chain].steps) {
      if (step.under_division && step.value.is_whole()) {
        ++multipliers;
        multiplier.values.push_back(step.value);
        continue;
      }
      const auto power = log2_of(step.value);
      if (!power) return {};
      exponent += step.divides ? -*power : *power;
    }
    if (multipliers != 1) return {};
    shift.values.emplace_back(exponent + 31);
  }
  return {std::move(multiplier), std::move(shift)};
}

/// The numbers one by one, in the order in which they are applied, without those that are operands or change nothing.
std::vector<Scaling> single_numbers(const ScaledPlaces& places, std::size_t chain) {
  std::vector<Scaling> found;
  const ScalingChain& first = places.chains.front()[chain];
  for (std::size_t s = first.steps.size(); s-- > 0;) {
    Scaling scaling{first.steps[s].divides ? ExportRole::divisor : ExportRole::factor, first.start, places.shape, {}};
    for (const auto& chains : places.chains) scaling.values.push_back(chains[chain].steps[s].value);
    const bool is_one = std::ranges::all_of(scaling.values, [](const Real& value) { return value == Real(1); });
    if (!first.steps[s].given && !is_one) found.push_back(std::move(scaling));
  }
  return found;
}

std::optional<std::vector<std::uint64_t>> codes_of(const std::vector<Real>& values, const ElementType& element) {
  std::vector<std::uint64_t> codes;
  for (const Real& value : values) {
    const auto code = element.encode(value);
    if (!code) return std::nullopt;
    codes.push_back(*code);
  }
  return codes;
}

}  // namespace

std::vector<Scaling> scalings(const Formula& formula, const notation::Op& op, std::size_t result) {
  if (result >= formula.results.size() || formula.results[result].per_item || formula.results[result].single) return {};
  if (formula.geometry.cells() == 0) return {};
  ScalingWalk walk(formula, op, formula.results[result].node);
  const std::optional<ScaledPlaces> places = walk_places(walk, formula.geometry);
  std::vector<Scaling> found;
  for (std::size_t chain = 0; places && chain < places->chains.front().size(); ++chain) {
    std::vector<Scaling> own = fixed_point(*places, chain);
    if (own.empty()) own = single_numbers(*places, chain);
    std::ranges::move(own, std::back_inserter(found));
  }
  return found;
}

Result<Tensor> tensor_of_scaling(const Scaling& scaling, std::vector<std::string>& notes) {
  const bool is_whole = scaling.role == ExportRole::multiplier || scaling.role == ExportRole::shift;
  std::optional<std::vector<std::uint64_t>> codes;
  ElementType element;
  for (const char* word : is_whole ? std::vector<const char*>{"i32", "i64"} : std::vector<const char*>{"f32", "f64"}) {
    if (codes) break;
    element = *ElementType::parse(word);
    codes = codes_of(scaling.values, element);
  }
  if (!codes && is_whole) return fail(Errc::limit, "a multiplier has more than 64 bits");
  if (!codes) {
    notes.emplace_back("the page's numbers are no floats of 64 bits: these are the nearest");
    codes.emplace();
    for (const Real& value : scaling.values) codes->push_back(std::bit_cast<std::uint64_t>(value.to_double()));
  }
  TIEBREAK_TRY(tensor, Tensor::zeros({element, scaling.shape}));
  for (std::size_t i = 0; i < codes->size(); ++i) tensor.set_code(static_cast<std::int64_t>(i), (*codes)[i]);
  return std::move(tensor);
}

}  // namespace tiebreak
