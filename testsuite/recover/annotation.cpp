// SPDX-License-Identifier: Apache-2.0
#include "testsuite/recover/annotation.hpp"

#include <algorithm>

#include "interpreter/hint.hpp"

namespace tiebreak {
namespace recover {
namespace {

const std::vector<std::string> keys{"axis", "clip_max", "clip_min", "from", "scale", "storage", "zero_point"};

class AnnotationReader {
 public:
  AnnotationReader(const AttributeMap& stated, const std::string& name, const std::string& place) : stated_(stated) {
    made_.tensor = name;
    made_.place = place;
  }

  Result<Annotation> run() {
    for (const auto& [key, attribute] : stated_)
      if (std::ranges::find(keys, key) == keys.end())
        return fail(Errc::syntax, "quantize_info of " + made_.tensor + " has no key '" + key + "'", made_.place, did_you_mean(key, keys));
    TIEBREAK_CHECK(numbers("scale", made_.scales, made_.scale_tensor));
    TIEBREAK_CHECK(numbers("zero_point", made_.zero_points, made_.zero_point_tensor));
    TIEBREAK_CHECK(check_numbers());
    TIEBREAK_CHECK(clip_range());
    TIEBREAK_CHECK(words());
    return std::move(made_);
  }

 private:
  const Attribute* find(const char* key) const {
    const auto found = stated_.find(key);
    return found == stated_.end() || found->second.is_none() ? nullptr : &found->second;
  }

  tl::unexpected<Error> wrong(const char* key, const std::string& what) const {
    return fail(Errc::type, std::string("quantize_info of ") + made_.tensor + ": '" + key + "' " + what, made_.place);
  }

  /// A number, a list of them, or a tensor; a text names a tensor that is no constant.
  Status numbers(const char* key, std::vector<Real>& values, std::string& tensor) const {
    const Attribute* attribute = find(key);
    if (attribute == nullptr) return {};
    if (const Real* number = std::get_if<Real>(&attribute->value)) values = {*number};
    if (const std::string* name = std::get_if<std::string>(&attribute->value)) tensor = *name;
    if (const Tensor* given = std::get_if<Tensor>(&attribute->value))
      for (std::int64_t i = 0; i < given->size(); ++i) values.push_back(given->value(i));
    if (const AttributeList* list = std::get_if<AttributeList>(&attribute->value))
      for (const Attribute& item : *list) {
        const Real* number = std::get_if<Real>(&item.value);
        if (number == nullptr) return wrong(key, "is a number, or a list of numbers");
        values.push_back(*number);
      }
    if (values.empty() && tensor.empty()) return wrong(key, "is a number, or a list of numbers");
    return {};
  }

  Status check_numbers() const {
    for (const Real& scale : made_.scales)
      if (!scale.is_finite() || scale.sign() <= 0) return wrong("scale", "is positive and finite, got " + scale.to_decimal());
    for (const Real& zero_point : made_.zero_points)
      if (!zero_point.is_finite() || !zero_point.is_whole()) return wrong("zero_point", "is a whole number, got " + zero_point.to_decimal());
    if (made_.zero_points.size() > 1 && made_.scales.size() != made_.zero_points.size())
      return wrong("zero_point", "has " + std::to_string(made_.zero_points.size()) + " values, and 'scale' " + std::to_string(made_.scales.size()));
    return {};
  }

  Status clip_range() {
    const Attribute *least = find("clip_min"), *greatest = find("clip_max");
    if (least == nullptr && greatest == nullptr) return {};
    if (least == nullptr || greatest == nullptr)
      return wrong(least == nullptr ? "clip_max" : "clip_min", std::string("stands without '") + (least == nullptr ? "clip_min'" : "clip_max'"));
    const Real *low = std::get_if<Real>(&least->value), *high = std::get_if<Real>(&greatest->value);
    if (low == nullptr || !low->is_finite() || !low->is_whole()) return wrong("clip_min", "is a whole number");
    if (high == nullptr || !high->is_finite() || !high->is_whole()) return wrong("clip_max", "is a whole number");
    if (!(*low < *high)) return wrong("clip_min", low->to_string() + " is not below 'clip_max' " + high->to_string());
    made_.clip = Range{*low, *high};
    return {};
  }

  Status words() {
    if (const Attribute* axis = find("axis")) {
      const auto number = axis->as_integer();
      if (!number || *number < 0 || *number > 63) return wrong("axis", "is counted from 0");
      made_.axis = static_cast<int>(*number);
    }
    if (const Attribute* storage = find("storage")) {
      const ElementType* type = std::get_if<ElementType>(&storage->value);
      if (type == nullptr || !type->is_integer()) return wrong("storage", "is the integer type of the codes");
      made_.storage = *type;
    }
    if (const Attribute* from = find("from")) {
      const auto text = from->as_string();
      if (!text || text->empty()) return wrong("from", "is a text that says where the parameters come from");
      made_.from = "annotation: " + *text;
    }
    return {};
  }

  const AttributeMap& stated_;
  Annotation made_{};
};

}  // namespace

Result<Annotation> annotation_of(const ProgramValue& value, const std::string& name, const std::string& place) {
  return AnnotationReader(value.quantize_info, name, place).run();
}

}  // namespace recover

bool has_annotations(const Program& program) {
  return std::ranges::any_of(program.values, [](const ProgramValue& value) { return !value.quantize_info.empty(); });
}

}  // namespace tiebreak
