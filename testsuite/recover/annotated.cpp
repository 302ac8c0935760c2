// SPDX-License-Identifier: Apache-2.0
// Annotations against what types and operands state of the same codes: where both speak they agree, and else the annotation fills what is not known.
#include <algorithm>

#include "testsuite/recover/recovery.hpp"

namespace tiebreak::recover {
namespace {

constexpr std::size_t most_dimensions = 16;

std::string numbers_text(const std::vector<Real>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size() && i < 4; ++i) text += (i ? ", " : "") + (numbers[i].is_whole() ? numbers[i].to_string() : scale_text(numbers[i]));
  return numbers.size() > 4 ? text + ", ... (" + std::to_string(numbers.size()) + ")" : text;
}

/// Whom an annotation is held against.
struct Other {
  std::string words;  ///< onnx.QuantizeLinear, the type of x
  std::string place;
};

tl::unexpected<Error> contradiction(const Annotation& annotation, const std::string& what, const std::string& stated, const Other& other,
                                    const std::string& known) {
  return fail(Errc::constraint, "the annotation of " + annotation.tensor + " says " + what + " " + stated + ", and " + other.words + " says " + known,
              annotation.place, other.words + " stands at " + other.place);
}

/// One number stands for as many as the other side has.
bool are_same(const std::vector<Real>& a, const std::vector<Real>& b, const auto& rounded) {
  if (a.size() != b.size() && a.size() != 1 && b.size() != 1) return false;
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i)
    if (!(rounded(a[a.size() == 1 ? 0 : i]) == rounded(b[b.size() == 1 ? 0 : i]))) return false;
  return true;
}

/// Scales are compared as numbers of the float type that they are used in: `0.1` is a decimal in a type, and an f32 in an operand.
Status check_scales(const Annotation& annotation, const std::vector<Real>& known, const ElementType& expressed, const Other& other) {
  if (annotation.scales.empty() || known.empty()) return {};
  const auto rounded = [&](const Real& scale) { return round_to(scale, expressed.floating()).value_or(scale); };
  if (are_same(annotation.scales, known, rounded)) return {};
  return contradiction(annotation, "scale", numbers_text(annotation.scales), other, numbers_text(known));
}

Status check_zero_points(const Annotation& annotation, const std::vector<Real>& known, const Other& other) {
  if (annotation.zero_points.empty() || known.empty()) return {};
  if (are_same(annotation.zero_points, known, [](const Real& number) { return number; })) return {};
  return contradiction(annotation, "zero point", numbers_text(annotation.zero_points), other, numbers_text(known));
}

Status check_axis(const Annotation& annotation, const std::vector<QuantizedDimension>& known, const Other& other) {
  if (!annotation.axis || annotation.scales.size() < 2 || known.empty()) return {};
  if (known.size() == 1 && known[0] == QuantizedDimension{*annotation.axis, 1}) return {};
  std::string axes;
  for (const QuantizedDimension& dimension : known)
    axes += (axes.empty() ? "" : ", ") + std::to_string(dimension.axis) + (dimension.block == 1 ? "" : " in blocks of " + std::to_string(dimension.block));
  return contradiction(annotation, "axis", std::to_string(*annotation.axis), other, axes);
}

std::string range_text(const Real& low, const Real& high) { return low.to_string() + " .. " + high.to_string(); }

/// What follows may leave fewer codes than the type has, never more.
Status check_clip(const Annotation& annotation, const Real& least, const Real& greatest, const Other& other) {
  if (!annotation.clip || (least <= annotation.clip->low && annotation.clip->high <= greatest)) return {};
  return contradiction(annotation, "clip range", range_text(annotation.clip->low, annotation.clip->high), other, range_text(least, greatest));
}

Status check_type(const Annotation& annotation, const QuantizedType& type, const Other& other) {
  std::vector<Real> scales, zero_points;
  for (const Scale& scale : type.scales) scales.push_back(scale.value);
  for (const ZeroPoint& zero_point : type.zero_points) zero_points.push_back(zero_point.value);
  TIEBREAK_CHECK(check_scales(annotation, scales, type.expressed, other));
  TIEBREAK_CHECK(check_zero_points(annotation, zero_points, other));
  TIEBREAK_CHECK(check_axis(annotation, type.dimensions, other));
  return check_clip(annotation, type.storage_min, type.storage_max, other);
}

Status check_storage(const Annotation& annotation, const std::optional<ElementType>& element, const Other& other) {
  if (!element || !element->is_integer()) return {};
  if (annotation.storage && !(*annotation.storage == *element)) return contradiction(annotation, "storage", annotation.storage->name(), other, element->name());
  return check_clip(annotation, element->min(), element->max(), other);
}

Range within(const Range& a, const std::optional<Range>& b) {
  if (!b) return a;
  return {a.low < b->low ? b->low : a.low, b->high < a.high ? b->high : a.high};
}

/// What the annotation states and nobody else.
void fill(CodeFacts& known, const Annotation& annotation) {
  if (annotation.clip) known.clip = within(*annotation.clip, known.clip);
  if (!annotation.scale_tensor.empty() && known.scales.empty())
    known.why_no_scale = "its annotation names " + annotation.scale_tensor + ", which is no constant";
  if (!annotation.zero_point_tensor.empty() && known.zero_points.empty())
    known.why_no_zero_point = "its annotation names " + annotation.zero_point_tensor + ", which is no constant";
  if (!annotation.zero_points.empty() && !known.is_operand) known.zero_points = annotation.zero_points;
  if (annotation.scales.empty()) return;
  known.is_annotated = true;
  known.from = annotation.from;
  known.place = annotation.place;
  if (known.is_operand && !known.scales.empty()) return;
  known.scales = annotation.scales;
  if (known.zero_points.empty() && annotation.zero_point_tensor.empty()) known.zero_points = {Real(0)};
  if (known.scales.size() == 1) return;
  known.parameter_shape = {static_cast<std::int64_t>(known.scales.size())};
  known.dimensions.clear();
  if (annotation.axis) known.dimensions = {{*annotation.axis, 1}};
  else known.why_no_axis = "its annotation has " + std::to_string(known.scales.size()) + " scales and no axis";
}

}  // namespace

/// Texts in the place of numbers name values of the program, which one call may give.
void Recovery::find_named(Annotation& annotation) const {
  const auto find = [&](std::string& name, std::vector<Real>& values) {
    for (std::size_t i = 0; i < program_.values.size() && !name.empty(); ++i) {
      const auto id = static_cast<ValueId>(i);
      const Tensor* tensor = graph_.name(id) == name ? parameter_value(id) : nullptr;
      if (tensor == nullptr) continue;
      for (std::int64_t k = 0; k < tensor->size(); ++k) values.push_back(tensor->value(k));
      name.clear();
    }
  };
  find(annotation.scale_tensor, annotation.scales);
  find(annotation.zero_point_tensor, annotation.zero_points);
}

Status Recovery::take_annotations() {
  for (std::size_t i = 0; i < program_.values.size(); ++i) {
    if (program_.values[i].quantize_info.empty()) continue;
    const auto id = static_cast<ValueId>(i);
    const std::string place = graph_.producer(id) >= 0 ? graph_.place(id) : program_.file + ": '" + graph_.name(id) + "'";
    TIEBREAK_TRY(annotation, annotation_of(program_.values[i], graph_.name(id), place));
    find_named(annotation);
    const auto element = element_of(id);
    const auto held = facts_.find(id);
    const bool are_codes = (element && (element->is_integer() || element->bits() <= 8)) || (held != facts_.end() && !held->second.scales.empty());
    // Of a number in real space it speaks of the codes that are made from it, else of those that it is made from.
    std::set<ValueId> codes;
    if (are_codes) codes.insert(id);
    else if (quantized_as_.contains(id)) codes = quantized_as_.at(id);
    else if (dequantized_from_.contains(id)) codes = dequantized_from_.at(id);
    std::erase_if(codes, [&](ValueId each) { return each != id && element_of(each) && element_of(each)->bits() > 16; });  // an accumulator
    for (const ValueId each : codes) TIEBREAK_CHECK(annotate(each, annotation));
    if (codes.empty()) annotate_real(id, annotation);
  }
  return {};
}

Status Recovery::annotate(ValueId id, Annotation annotation) {
  CodeFacts& known = facts(id);
  const Other type{"the type of " + graph_.name(id), graph_.place(id)};
  if (known.stated) {
    TIEBREAK_CHECK(check_storage(annotation, known.stated->storage, type));
    TIEBREAK_CHECK(check_type(annotation, *known.stated, type));
    if (!known.stated->scales.empty()) {
      if (annotation.clip) {
        known.stated->storage_min = annotation.clip->low;
        known.stated->storage_max = annotation.clip->high;
        const Status status = check_quantized_type(*known.stated, Shape(most_dimensions, open_dimension), "");
        if (!status) known.why_no_storage = "within its annotated clip range: " + status.error().what;
      }
      known.is_annotated = true;
      known.from = annotation.from;
      known.place = annotation.place;
      return {};
    }
    known.storage = known.stated->storage;  // !quant.any: the annotation has what the type leaves out
    known.stated.reset();
    known.why_no_scale.clear();
    known.why_no_zero_point.clear();
  }
  TIEBREAK_CHECK(check_storage(annotation, known.storage ? known.storage : element_of(id), type));
  if (known.is_operand) {
    const Other operand{known.op, known.place};
    const auto expressed = known.real >= 0 ? element_of(known.real) : std::nullopt;
    TIEBREAK_CHECK(check_scales(annotation, known.scales, expressed && expressed->is_float() ? *expressed : *ElementType::parse("f32"), operand));
    TIEBREAK_CHECK(check_zero_points(annotation, known.zero_points, operand));
    TIEBREAK_CHECK(check_axis(annotation, known.dimensions, operand));
  }
  fill(known, annotation);
  return {};
}

/// No operation makes codes of it: what they would be stored as is stated, or the narrowest type that has the clip range.
void Recovery::annotate_real(ValueId id, const Annotation& annotation) {
  CodeFacts& known = facts(id);
  known.real = id;
  known.op = "quantize_info";
  known.place = annotation.place;
  fill(known, annotation);
  known.storage = annotation.storage;
  if (!known.storage && annotation.clip) {
    const bool is_signed = annotation.clip->low < Real(0);
    for (const int bits : {4, 8, 16, 32}) {
      known.storage = ElementType(IntegerFormat{is_signed, bits});
      if (known.storage->min() <= annotation.clip->low && annotation.clip->high <= known.storage->max()) break;
    }
  }
  if (!known.storage) known.why_no_storage = "its annotation has no storage type and no clip range";
}

}  // namespace tiebreak::recover
