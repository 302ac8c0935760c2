// SPDX-License-Identifier: Apache-2.0
#include "testsuite/exchange/stored_parameters.hpp"

#include <algorithm>
#include <utility>

namespace tiebreak {
namespace {

const std::vector<std::string> tensor_attributes{"type",     "order",           "operand",     "scale",       "scale_text",     "zero_point", "axes",
                                                 "blocks",   "parameter_shape", "storage_min", "storage_max", "expressed_type", "tensor",     "from",
                                                 "clip_min", "clip_max",        "exact_scale", "real_type",   "code_type",      "axis",       "block"};

/// Not written: HDF5 keeps up to eight attributes in a dataset's header, and gives more of them blocks of their own, which take four times the room.
constexpr const char* usual_real_type = "f32";

Result<StoredArray> whole_number(const Real& value, const std::string& what, const std::string& where) {
  if (const auto number = value.to_int64()) return StoredArray::integer(*number);
  return fail(Errc::unsupported, what + " " + value.to_string() + " is no 64-bit integer", where);
}

/// Scales, zero points and the dimensions along which they change, in the types that they are stored in.
struct Numbers {
  std::vector<double> scales{};
  std::vector<std::string> scale_texts{};
  std::vector<std::int64_t> zero_points{}, axes{}, blocks{};
  bool is_exact = true;  ///< every scale is its double

  StoredArray scale_array() const { return StoredArray::reals(scales, {static_cast<std::int64_t>(scales.size())}); }
};

Result<Numbers> numbers_of(const QuantizedType& type, const std::string& where) {
  Numbers numbers;
  for (const Scale& scale : type.scales) {
    numbers.scales.push_back(scale.value.to_double());
    numbers.scale_texts.push_back(scale.value.to_string());
    numbers.is_exact &= Real::from_double(numbers.scales.back()) == scale.value;
  }
  for (const ZeroPoint& zero_point : type.zero_points) {
    const auto number = zero_point.value.to_int64();
    if (!number) return fail(Errc::unsupported, "zero point " + zero_point.value.to_string() + " is no 64-bit integer", where);
    numbers.zero_points.push_back(*number);
  }
  for (const QuantizedDimension& dimension : type.dimensions) {
    numbers.axes.push_back(dimension.axis);
    numbers.blocks.push_back(dimension.block);
  }
  return numbers;
}

Status load_dimensions(const std::vector<std::int64_t>& axes, const std::vector<std::int64_t>& blocks, const Shape& shape, QuantizedType& type,
                       const std::string& where) {
  if (axes.size() != blocks.size()) return fail(Errc::corrupt, "as many blocks as axes are wanted", where);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[i] < 0 || std::cmp_greater_equal(axes[i], shape.size())) return fail(Errc::corrupt, "an axis beyond the rank", where);
    type.dimensions.push_back({static_cast<int>(axes[i]), blocks[i]});
  }
  return {};
}

Status load_scale_texts(const std::vector<std::string>& texts, QuantizedType& type) {
  for (const std::string& text : texts) {
    TIEBREAK_TRY(value, Real::parse(text));
    type.scales.push_back({value});
  }
  return {};
}

/// Parameters beside a plain type. The parameters along a dimension are as many as blocks fit there.
Result<QuantizedType> load_known(const TensorAttributes& attributes, const TensorType& whole, const std::string& where) {
  QuantizedType type;
  type.expressed = *ElementType::parse(usual_real_type);
  if (attributes.has("real_type")) {
    TIEBREAK_TRY(expressed, attributes.element("real_type"));
    type.expressed = expressed;
  }
  type.storage = whole.element;
  if (attributes.has("code_type")) {
    TIEBREAK_TRY(storage, attributes.element("code_type"));
    type.storage = storage;
  }
  TIEBREAK_TRY(scales, attributes.reals("scale"));
  if (attributes.has("exact_scale")) {
    TIEBREAK_TRY(texts, attributes.texts("exact_scale"));
    TIEBREAK_CHECK(load_scale_texts(texts, type));
  } else {
    for (const double scale : scales) type.scales.push_back({Real::from_double(scale)});
  }
  TIEBREAK_TRY(zero_points, attributes.integers("zero_point"));
  for (const std::int64_t zero_point : zero_points) type.zero_points.push_back({Real(zero_point)});
  if (!attributes.has("axis") && !attributes.has("block")) return type;
  TIEBREAK_TRY(axes, attributes.integers("axis"));
  TIEBREAK_TRY(blocks, attributes.integers("block"));
  TIEBREAK_CHECK(load_dimensions(axes, blocks, whole.shape, type, where));
  for (const QuantizedDimension& dimension : type.dimensions) {
    if (dimension.block < 1) return fail(Errc::corrupt, "a block of no element", where);
    type.parameter_shape.push_back(whole.shape[static_cast<std::size_t>(dimension.axis)] / dimension.block);
  }
  return type;
}

Status checked(const QuantizedType& type, const Shape& shape, const std::string& where) {
  if (auto status = check_quantized_type(type, shape, where); !status) return fail(Errc::corrupt, status.error().what, where);
  return {};
}

template <class T>
Result<T> stored(const StoredAttributes& attributes, const std::string& where, const char* name, std::optional<T> (StoredArray::*as)() const,
                 const char* wanted) {
  const auto found = attributes.find(name);
  if (found == attributes.end()) return fail(Errc::corrupt, std::string("attribute '") + name + "' is missing", where);
  auto value = (found->second.*as)();
  if (!value) return fail(Errc::corrupt, std::string("attribute '") + name + "' is not " + wanted, where);
  return std::move(*value);
}

}  // namespace

Result<std::string> TensorAttributes::text(const char* name) const { return stored(attributes_, where_, name, &StoredArray::as_text, "a text"); }
Result<std::int64_t> TensorAttributes::integer(const char* name) const { return stored(attributes_, where_, name, &StoredArray::as_integer, "an integer"); }
Result<std::vector<std::int64_t>> TensorAttributes::integers(const char* name) const {
  return stored(attributes_, where_, name, &StoredArray::as_integers, "integers");
}
Result<std::vector<double>> TensorAttributes::reals(const char* name) const { return stored(attributes_, where_, name, &StoredArray::as_reals, "f64 numbers"); }
Result<std::vector<std::string>> TensorAttributes::texts(const char* name) const { return stored(attributes_, where_, name, &StoredArray::as_texts, "texts"); }

Result<ElementType> TensorAttributes::element(const char* name) const {
  TIEBREAK_TRY(word, text(name));
  const auto type = ElementType::parse(word);
  if (!type) return fail(Errc::corrupt, "unknown element type '" + word + "'", where_ + "@" + name);
  return *type;
}

Status TensorAttributes::only_known() const {
  for (const auto& [name, value] : attributes_) {
    if (std::find(tensor_attributes.begin(), tensor_attributes.end(), name) != tensor_attributes.end()) continue;
    const std::string near = nearest(name, tensor_attributes);
    return fail(Errc::corrupt, "unknown attribute '" + name + "'", where_, near.empty() ? "" : "did you mean '" + near + "'?");
  }
  return {};
}

Status store_quantization(const QuantizedType& type, const TensorType& whole, StoredAttributes& attributes, const std::string& where) {
  TIEBREAK_CHECK(check_quantized_type(type, whole.shape, where));
  if (!(type.storage == whole.element)) return fail(Errc::type, "the storage type is not the element type", where);
  TIEBREAK_TRY(least, whole_number(type.storage_min, "storage minimum", where));
  TIEBREAK_TRY(greatest, whole_number(type.storage_max, "storage maximum", where));
  TIEBREAK_TRY(numbers, numbers_of(type, where));
  attributes["scale"] = numbers.scale_array();
  attributes["scale_text"] = StoredArray::texts(numbers.scale_texts);
  attributes["zero_point"] = StoredArray::integers(numbers.zero_points);
  attributes["axes"] = StoredArray::integers(numbers.axes);
  attributes["blocks"] = StoredArray::integers(numbers.blocks);
  attributes["parameter_shape"] = StoredArray::integers(type.parameter_shape);
  attributes["storage_min"] = std::move(least);
  attributes["storage_max"] = std::move(greatest);
  attributes["expressed_type"] = StoredArray::text(type.expressed.name());
  return {};
}

Result<QuantizedType> load_quantization(const TensorAttributes& attributes, const TensorType& whole, const std::string& where) {
  QuantizedType type;
  type.storage = whole.element;
  TIEBREAK_TRY(expressed, attributes.element("expressed_type"));
  TIEBREAK_TRY(least, attributes.integer("storage_min"));
  TIEBREAK_TRY(greatest, attributes.integer("storage_max"));
  TIEBREAK_TRY(scales, attributes.texts("scale_text"));
  TIEBREAK_TRY(zero_points, attributes.integers("zero_point"));
  TIEBREAK_TRY(axes, attributes.integers("axes"));
  TIEBREAK_TRY(blocks, attributes.integers("blocks"));
  TIEBREAK_TRY(parameter_shape, attributes.integers("parameter_shape"));
  type.expressed = expressed;
  type.storage_min = Real(least);
  type.storage_max = Real(greatest);
  type.parameter_shape = std::move(parameter_shape);
  TIEBREAK_CHECK(load_scale_texts(scales, type));
  for (std::int64_t zero_point : zero_points) type.zero_points.push_back({Real(zero_point)});
  TIEBREAK_CHECK(load_dimensions(axes, blocks, whole.shape, type, where));
  TIEBREAK_CHECK(checked(type, whole.shape, where));
  return type;
}

Status store_parameters(const ExchangeParameters& parameters, const TensorType& whole, StoredAttributes& attributes, const std::string& where) {
  const QuantizedType& type = parameters.type;
  if (parameters.from.empty() || parameters.tensor.empty()) return fail(Errc::usage, "parameters say of what tensor they are, and where they come from", where);
  TIEBREAK_CHECK(check_quantized_type(type, whole.shape, where));
  TIEBREAK_TRY(least, whole_number(type.storage_min, "least code", where));
  TIEBREAK_TRY(greatest, whole_number(type.storage_max, "greatest code", where));
  attributes["clip_min"] = std::move(least);
  attributes["clip_max"] = std::move(greatest);
  attributes["from"] = StoredArray::text(parameters.from);
  attributes["tensor"] = StoredArray::text(parameters.tensor);
  if (whole.quantized) return {};  // the rest is its type's
  TIEBREAK_TRY(numbers, numbers_of(type, where));
  attributes["scale"] = numbers.scale_array();
  if (!numbers.is_exact) attributes["exact_scale"] = StoredArray::texts(numbers.scale_texts);
  attributes["zero_point"] = StoredArray::integers(numbers.zero_points);
  if (type.expressed.name() != usual_real_type) attributes["real_type"] = StoredArray::text(type.expressed.name());
  if (!(type.storage == whole.element)) attributes["code_type"] = StoredArray::text(type.storage.name());
  if (type.is_per_tensor()) return {};
  attributes["axis"] = StoredArray::integers(numbers.axes);
  attributes["block"] = StoredArray::integers(numbers.blocks);
  return {};
}

Result<std::optional<ExchangeParameters>> load_parameters(const TensorAttributes& attributes, const TensorType& whole, const std::string& where) {
  if (!attributes.has("from") && !attributes.has("clip_min")) return std::optional<ExchangeParameters>();
  ExchangeParameters parameters;
  TIEBREAK_TRY(type, whole.quantized ? Result<QuantizedType>(*whole.quantized) : load_known(attributes, whole, where));
  TIEBREAK_TRY(least, attributes.integer("clip_min"));
  TIEBREAK_TRY(greatest, attributes.integer("clip_max"));
  TIEBREAK_TRY(from, attributes.text("from"));
  if (attributes.has("tensor")) {
    TIEBREAK_TRY(tensor, attributes.text("tensor"));
    parameters.tensor = std::move(tensor);
  }
  parameters.type = std::move(type);
  parameters.type.storage_min = Real(least);
  parameters.type.storage_max = Real(greatest);
  parameters.from = std::move(from);
  TIEBREAK_CHECK(checked(parameters.type, whole.shape, where));
  return std::optional(std::move(parameters));
}

bool same_parameters(const ExchangeParameters& a, const ExchangeParameters& b) { return to_text(a) == to_text(b); }

std::string to_text(const ExchangeParameters& parameters) {
  return parameters.tensor + ": " + element_text({parameters.type.storage, {}, parameters.type}) + " from " + parameters.from;
}

}  // namespace tiebreak
