// SPDX-License-Identifier: Apache-2.0
#include "testsuite/generate/varied_call.hpp"

#include <algorithm>

namespace tiebreak::generate {
namespace {

constexpr std::int64_t most_elements = 4096, longest_extent = 40;

bool chance(PseudoRandom& random, std::uint64_t of) { return random.below(of) == 0; }

std::int64_t drawn_extent(PseudoRandom& random) {
  if (chance(random, 100)) return 0;
  if (chance(random, 24)) return 1 + static_cast<std::int64_t>(random.below(longest_extent));
  return 1 + static_cast<std::int64_t>(random.below(6));
}

class Variation {
 public:
  Variation(const CallSeeds& seeds, PseudoRandom& random) : seeds_(seeds), random_(random) {}

  OpCall call() {
    OpCall call = seeds_.calls[random_.below(seeds_.calls.size())];
    const bool keeps_shapes = chance(random_, 6);
    for (auto& operand : call.operands) {
      if (!operand) continue;
      const TensorType type = keeps_shapes ? operand->type() : varied_type(operand->type());
      if (const auto count = element_count(type.shape); count && *count <= most_elements) operand = varied_values(*operand, type, random_);
    }
    const bool leaves_open = chance(random_, 3) ? false : true;
    for (auto& type : call.result_types)
      if (type && !keeps_shapes) type = varied_result(*type, leaves_open);
    if (!chance(random_, 4))
      for (auto& [name, attribute] : call.attributes) attribute = varied(name, attribute);
    call.undefined.clear();
    return call;
  }

 private:
  /// What has this extent in the seed, or is computed of it, has that one here.
  std::int64_t renamed(std::int64_t extent) {
    const auto [place, is_new] = extents_.try_emplace(extent, extent);
    if (is_new && (extent > 6 || !chance(random_, 3))) place->second = drawn_extent(random_);
    return place->second;
  }

  TensorType varied_type(TensorType type) {
    for (std::int64_t& extent : type.shape) extent = chance(random_, 8) ? drawn_extent(random_) : renamed(extent);
    return with_parameters(std::move(type));
  }

  TensorType varied_result(TensorType type, bool leaves_open) {
    const bool has_axes = type.quantized && !type.quantized->is_per_tensor();
    for (std::int64_t& extent : type.shape) extent = leaves_open && !has_axes ? open_dimension : renamed(extent);
    return with_parameters(std::move(type));
  }

  /// As many scales and zero points as the shape has places for them: those that there are, in turn. Now and then other ones.
  TensorType with_parameters(TensorType type) {
    if (!type.quantized) return type;
    QuantizedType& quantized = *type.quantized;
    std::size_t count = 1;
    for (std::size_t d = 0; d < quantized.dimensions.size() && d < quantized.parameter_shape.size(); ++d) {
      const auto axis = static_cast<std::size_t>(quantized.dimensions[d].axis);
      if (axis < type.shape.size()) quantized.parameter_shape[d] = type.shape[axis] / std::max<std::int64_t>(quantized.dimensions[d].block, 1);
      count *= static_cast<std::size_t>(std::max<std::int64_t>(quantized.parameter_shape[d], 0));
    }
    if (quantized.scales.empty() || quantized.zero_points.empty()) return type;
    const bool has_points = std::ranges::any_of(quantized.zero_points, [](const ZeroPoint& point) { return !point.value.is_zero(); });
    const std::vector<Scale> scales = quantized.scales;
    const std::vector<ZeroPoint> points = quantized.zero_points;
    quantized.scales.clear();
    quantized.zero_points.clear();
    const bool other_points = has_points && chance(random_, 2);
    const auto width = (quantized.storage_max - quantized.storage_min + Real(1)).to_uint64().value_or(1);
    for (std::size_t i = 0; i < count; ++i) {
      quantized.scales.push_back(scales[i % scales.size()]);
      quantized.zero_points.push_back(other_points ? ZeroPoint{quantized.storage_min + Real::from_unsigned(random_.below(std::max<std::uint64_t>(width, 1)))}
                                                   : points[i % points.size()]);
    }
    return type;
  }

  Attribute varied(const std::string& name, const Attribute& attribute) {
    if (const AttributeList* list = std::get_if<AttributeList>(&attribute.value)) {
      AttributeList other;
      const bool anew = chance(random_, 4);
      for (const Attribute& item : *list) other.push_back(anew && item.as_integer() ? small(item) : varied(name, item));
      return Attribute{std::move(other)};
    }
    if (const bool* truth = std::get_if<bool>(&attribute.value)) return Attribute{chance(random_, 6) ? !*truth : *truth};
    if (std::holds_alternative<std::string>(attribute.value)) {
      const std::vector<Attribute>& words = seeds_.words.at(name);
      return chance(random_, 3) ? words[random_.below(words.size())] : attribute;
    }
    if (!std::holds_alternative<Real>(attribute.value)) return attribute;
    const auto whole = attribute.as_integer();
    if (!whole) return attribute;
    if (chance(random_, 8)) return small(attribute);
    const auto extent = extents_.find(*whole);
    return *whole > 1 && extent != extents_.end() && chance(random_, 2) ? Attribute{Real(extent->second)} : attribute;
  }

  Attribute small(const Attribute& attribute) {
    if (!std::holds_alternative<Real>(attribute.value)) return attribute;
    return Attribute{Real(static_cast<std::int64_t>(random_.below(5)) - (chance(random_, 12) ? 2 : 0))};
  }

  const CallSeeds& seeds_;
  PseudoRandom& random_;
  std::map<std::int64_t, std::int64_t> extents_{};
};

void add_words(const std::string& name, const Attribute& attribute, std::map<std::string, std::vector<Attribute>>& words) {
  if (const AttributeList* list = std::get_if<AttributeList>(&attribute.value))
    for (const Attribute& item : *list) add_words(name, item, words);
  const std::string* word = std::get_if<std::string>(&attribute.value);
  if (word == nullptr) return;
  std::vector<Attribute>& known = words[name];
  if (std::ranges::none_of(known, [word](const Attribute& one) { return one.as_string() == *word; })) known.push_back(attribute);
}

}  // namespace

void CallSeeds::add(OpCall call) {
  for (const auto& [name, attribute] : call.attributes) add_words(name, attribute, words);
  calls.push_back(std::move(call));
}

OpCall varied_call(const CallSeeds& seeds, PseudoRandom& random) { return Variation(seeds, random).call(); }

}  // namespace tiebreak::generate
