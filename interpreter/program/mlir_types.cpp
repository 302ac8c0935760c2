// SPDX-License-Identifier: Apache-2.0
// Types: tensors, elements, quantized elements (per tensor, per axis, sub-channel) and aliases.
#include <algorithm>

#include "interpreter/program/mlir_parser.hpp"

namespace tiebreak::mlir {

Result<MlirType> Parser::type() {
  const std::size_t at = cursor_.offset();
  const Nesting nesting(depth_);
  if (nesting.too_deep()) return cursor_.error_at(at, Errc::limit, "types nested deeper than 200");
  if (cursor_.peek() == '!') return named_type();
  const std::string word(cursor_.word());
  if (word == "tensor") return tensor_type();
  if (word == "none") return MlirType{MlirType::Kind::none};
  if (word == "complex" || word == "tuple" || word == "vector" || word == "memref") {
    return cursor_.error_at(at, Errc::unsupported, "the type '" + word + "' is not supported");
  }
  // An index, which has as many bits as the machine, holds sizes and places here: 64 bits hold all of them.
  if (const auto element = word.empty() ? std::nullopt : ElementType::parse(word == "index" ? "i64" : word)) {
    return MlirType{MlirType::Kind::element, TensorType{*element, {}}};
  }
  if (word.empty()) return cursor_.error("expected a type, found " + cursor_.found());
  return cursor_.error_at(at, Errc::syntax, "unknown type '" + word + "'");
}

Result<MlirType> Parser::named_type() {
  const std::size_t at = cursor_.offset();
  TIEBREAK_CHECK(cursor_.expect("!", "a type"));
  const std::string name(cursor_.suffix());
  if ("!" + name == unknown_type) return MlirType{MlirType::Kind::unknown};
  if (name == "tosa.shape") return tosa_shape();
  if (name == "quant.uniform") {
    TIEBREAK_TRY(quantized, quantized_type());
    MlirType result{MlirType::Kind::element, TensorType{quantized.storage, {}}};
    result.tensor.quantized = std::move(quantized);
    return result;
  }
  if (name == "quant.any" || name == "quant.calibrated") return name == "quant.any" ? any_type() : calibrated_type();
  if (const auto found = types_.find(name); found != types_.end()) {
    TIEBREAK_CHECK(charge(at, found->second, 1));
    return found->second;
  }
  const bool dialect = name.find('.') != std::string::npos;
  return cursor_.error_at(at, dialect ? Errc::unsupported : Errc::unknown_name,
                          dialect ? "the type '!" + name + "' is not supported" : "no type alias '!" + name + "'");
}

/// `!quant.any<i8<-8:7>:f32>`: a quantized type whose parameters are not known yet.
Result<MlirType> Parser::any_type() {
  QuantizedType quantized;
  TIEBREAK_CHECK(cursor_.expect("<", "'!quant.any'"));
  TIEBREAK_CHECK(quantized_storage(quantized));
  if (cursor_.peek() == '>') return cursor_.error("a type !quant.any without an expressed type is not supported");
  TIEBREAK_CHECK(cursor_.expect(":", "the storage type"));
  TIEBREAK_TRY(expressed, expressed_type());
  quantized.expressed = expressed;
  TIEBREAK_CHECK(cursor_.expect(">", "the expressed type"));
  MlirType result{MlirType::Kind::element, TensorType{quantized.storage, {}}};
  result.tensor.quantized = std::move(quantized);
  return result;
}

/// `!quant.calibrated<f32<-1.0:1.0>>` holds floats: it is read as its expressed type, without the range.
Result<MlirType> Parser::calibrated_type() {
  TIEBREAK_CHECK(cursor_.expect("<", "'!quant.calibrated'"));
  TIEBREAK_TRY(expressed, expressed_type());
  TIEBREAK_CHECK(cursor_.expect("<", "the expressed type"));
  const std::size_t at = cursor_.offset();
  std::vector<Real> ends;
  for (const char* close : {":", ">"}) {
    const auto number = cursor_.number();
    if (!number) return cursor_.error("expected the calibrated range, found " + cursor_.found());
    TIEBREAK_TRY(value, exact_number(cursor_, *number));
    ends.push_back(std::move(value));
    TIEBREAK_CHECK(cursor_.expect(close, "a bound of the calibrated range"));
  }
  if (!ends[0].is_finite() || !ends[1].is_finite() || !(ends[0] < ends[1])) return cursor_.error_at(at, Errc::type, "a calibrated range ascends and is finite");
  TIEBREAK_CHECK(cursor_.expect(">", "the calibrated range"));
  return MlirType{MlirType::Kind::element, TensorType{expressed, {}}};
}

Result<ElementType> Parser::expressed_type() {
  const std::size_t at = cursor_.offset();
  const std::string word(cursor_.word());
  const auto expressed = ElementType::parse(word);
  if (!expressed || !expressed->is_float()) return cursor_.error_at(at, Errc::syntax, "unknown expressed type '" + word + "'");
  return *expressed;
}

Result<MlirType> Parser::tensor_type() {
  const std::size_t at = cursor_.offset();
  TIEBREAK_CHECK(cursor_.expect("<", "'tensor'"));
  MlirType result{MlirType::Kind::tensor};
  while (true) {
    const std::size_t place = cursor_.offset();
    if (cursor_.peek() == '*') return cursor_.error_at(place, Errc::unsupported, "tensors without a rank are not supported");
    const bool open = cursor_.accept("?");
    if (!open && !is_digit(cursor_.peek())) break;
    TIEBREAK_TRY(dimension, open ? Result<std::int64_t>(open_dimension) : cursor_.natural());
    if (!cursor_.accept("x")) return cursor_.error("expected 'x' after a dimension, found " + cursor_.found());
    result.tensor.shape.push_back(dimension);
  }
  TIEBREAK_TRY(element, type());
  if (element.kind != MlirType::Kind::element) return cursor_.error_at(at, Errc::syntax, "a tensor of something that is not an element type");
  result.tensor.element = element.tensor.element;
  result.tensor.quantized = std::move(element.tensor.quantized);
  if (cursor_.peek() == ',') return cursor_.error_at(cursor_.offset(), Errc::unsupported, "tensor encodings are not supported");
  TIEBREAK_CHECK(cursor_.expect(">", "a tensor's element type"));
  Shape known = result.tensor.shape;
  std::replace(known.begin(), known.end(), open_dimension, std::int64_t{1});
  if (auto count = element_count(known); !count) return cursor_.error_at(at, count.error().code, count.error().what);
  if (result.tensor.quantized) {
    TIEBREAK_CHECK(check_quantized_type(*result.tensor.quantized, result.tensor.shape, cursor_.where(at)));
  }
  return result;
}

Result<QuantizedType> Parser::quantized_type() {
  QuantizedType quantized;
  TIEBREAK_CHECK(cursor_.expect("<", "'!quant.uniform'"));
  TIEBREAK_CHECK(quantized_storage(quantized));
  TIEBREAK_CHECK(cursor_.expect(":", "the storage type"));
  const std::size_t at = cursor_.offset();
  const std::string word(cursor_.word());
  const auto expressed = ElementType::parse(word);
  if (!expressed) return cursor_.error_at(at, Errc::syntax, "unknown expressed type '" + word + "'");
  quantized.expressed = *expressed;
  TIEBREAK_CHECK(quantized_dimensions(quantized));
  TIEBREAK_CHECK(cursor_.expect(",", "the types of a quantized type"));
  quantized.parameter_shape.assign(quantized.dimensions.size(), -1);
  TIEBREAK_CHECK(quantized_parameters(quantized, 0));
  for (std::int64_t& extent : quantized.parameter_shape) extent = extent < 0 ? 0 : extent;
  TIEBREAK_CHECK(cursor_.expect(">", "the parameters of a quantized type"));
  return quantized;
}

Status Parser::quantized_storage(QuantizedType& quantized) {
  const std::size_t at = cursor_.offset();
  const std::string word(cursor_.word());
  const auto storage = ElementType::parse(word);
  if (!storage) return cursor_.error_at(at, Errc::syntax, "unknown storage type '" + word + "'");
  quantized.storage = *storage;
  quantized.storage_min = storage->min();
  quantized.storage_max = storage->max();
  if (!cursor_.accept("<")) return {};
  for (Real* end : {&quantized.storage_min, &quantized.storage_max}) {
    const auto number = cursor_.number();
    if (!number) return cursor_.error("expected the storage range, found " + cursor_.found());
    TIEBREAK_TRY(value, exact_number(cursor_, *number));
    *end = value;
    TIEBREAK_CHECK(cursor_.expect(end == &quantized.storage_min ? ":" : ">", "a bound of the storage range"));
  }
  return {};
}

Status Parser::quantized_dimensions(QuantizedType& quantized) {
  if (!cursor_.accept(":")) return {};
  const bool blocks = cursor_.accept("{");
  do {
    const std::size_t at = cursor_.offset();
    QuantizedDimension dimension;
    TIEBREAK_TRY(axis, cursor_.natural());
    if (axis > 1000) return cursor_.error_at(at, Errc::constraint, "C12: quantization dimension " + std::to_string(axis) + " is beyond every rank");
    dimension.axis = static_cast<int>(axis);
    if (blocks) {
      TIEBREAK_CHECK(cursor_.expect(":", "an axis"));
      TIEBREAK_TRY(block, cursor_.natural());
      dimension.block = block;
    }
    if (quantized.dimensions.size() >= 64) return cursor_.error_at(at, Errc::limit, "more than 64 quantization dimensions");
    quantized.dimensions.push_back(dimension);
  } while (blocks && cursor_.accept(","));
  if (blocks) TIEBREAK_CHECK(cursor_.expect("}", "the block sizes"));
  return {};
}

/// One brace a quantization dimension; lists at the same depth have the same length.
Status Parser::quantized_parameters(QuantizedType& quantized, std::size_t depth) {
  if (depth == quantized.dimensions.size()) return quantized_parameter(quantized);
  const std::size_t at = cursor_.offset();
  TIEBREAK_CHECK(cursor_.expect("{", "the types of a quantized type"));
  std::int64_t count = 0;
  if (cursor_.peek() != '}') {
    do {
      TIEBREAK_CHECK(quantized_parameters(quantized, depth + 1));
      ++count;
    } while (cursor_.accept(","));
  }
  TIEBREAK_CHECK(cursor_.expect("}", "the parameters along a dimension"));
  std::int64_t& extent = quantized.parameter_shape[depth];
  if (extent >= 0 && extent != count) {
    return cursor_.error_at(at, Errc::constraint, "C13: " + std::to_string(count) + " parameters beside a list of " + std::to_string(extent));
  }
  extent = count;
  return {};
}

Status Parser::quantized_parameter(QuantizedType& quantized) {
  TIEBREAK_TRY(scale, scale_number());
  quantized.scales.push_back(Scale{scale});
  ZeroPoint zero_point;
  if (cursor_.accept(":")) {
    const auto number = cursor_.number();
    if (!number) return cursor_.error("expected a zero point, found " + cursor_.found());
    TIEBREAK_TRY(value, exact_number(cursor_, *number));
    zero_point.value = value;
  }
  quantized.zero_points.push_back(zero_point);
  return {};
}

/// A decimal is the nearest double, as MLIR keeps it; a hex float and a fraction are exact.
Result<Real> Parser::scale_number() {
  const auto number = cursor_.number();
  if (!number) return cursor_.error("expected a scale, found " + cursor_.found());
  TIEBREAK_TRY(value, exact_number(cursor_, *number));
  const std::size_t after = cursor_.offset();
  if (cursor_.accept_raw("/")) {
    const auto divisor = cursor_.number();
    if (!divisor) return cursor_.error_at(after, Errc::syntax, "expected a divisor after '/'");
    TIEBREAK_TRY(below, exact_number(cursor_, *divisor));
    return value / below;
  }
  const bool hex = number->text.find_first_of("xX") != std::string_view::npos;
  return hex ? value : Real::from_double(value.to_double());
}

Status Parser::type_list(std::vector<MlirType>& types) {
  TIEBREAK_CHECK(cursor_.expect("(", "':'"));
  if (cursor_.accept(")")) return {};
  do {
    TIEBREAK_TRY(next, type());
    types.push_back(std::move(next));
  } while (cursor_.accept(","));
  return cursor_.expect(")", "a list of types");
}

}  // namespace tiebreak::mlir
