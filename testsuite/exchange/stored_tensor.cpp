// SPDX-License-Identifier: Apache-2.0
// Every attribute is written, even where a reader could infer it; datasets without attributes come from other programs.
#include "testsuite/exchange/stored_tensor.hpp"

#include <algorithm>
#include <utility>

namespace tiebreak {
namespace {

using Kind = StoredArray::Kind;
constexpr std::string_view hex_digits = "0123456789ABCDEF";
const std::vector<std::string> tensor_attributes{"type", "order",  "operand",         "scale",       "scale_text",  "zero_point",
                                                 "axes", "blocks", "parameter_shape", "storage_min", "storage_max", "expressed_type"};

Kind storage_kind(const ElementType& element) {
  if (element.is_integer()) return element.integer().is_signed ? Kind::signed_integer : Kind::unsigned_integer;
  if (!element.is_float()) return Kind::unsigned_integer;
  const std::string name = element.name();
  return name == "f16" || name == "f32" || name == "f64" ? Kind::floating : Kind::unsigned_integer;
}

Result<StoredArray> whole_number(const Real& value, const std::string& what, const std::string& where) {
  if (const auto number = value.to_int64()) return StoredArray::integer(*number);
  return fail(Errc::unsupported, what + " " + value.to_string() + " is no 64-bit integer", where);
}

Status store_quantization(const QuantizedType& type, const TensorType& whole, StoredAttributes& attributes, const std::string& where) {
  TIEBREAK_CHECK(check_quantized_type(type, whole.shape, where));
  if (!(type.storage == whole.element)) return fail(Errc::type, "the storage type is not the element type", where);
  std::vector<double> scales;
  std::vector<std::string> scale_texts;
  std::vector<std::int64_t> zero_points;
  std::vector<std::int64_t> axes;
  std::vector<std::int64_t> blocks;
  for (const Scale& scale : type.scales) {
    scales.push_back(scale.value.to_double());
    scale_texts.push_back(scale.value.to_string());
  }
  for (const ZeroPoint& zero_point : type.zero_points) {
    const auto number = zero_point.value.to_int64();
    if (!number) return fail(Errc::unsupported, "zero point " + zero_point.value.to_string() + " is no 64-bit integer", where);
    zero_points.push_back(*number);
  }
  for (const QuantizedDimension& dimension : type.dimensions) {
    axes.push_back(dimension.axis);
    blocks.push_back(dimension.block);
  }
  TIEBREAK_TRY(least, whole_number(type.storage_min, "storage minimum", where));
  TIEBREAK_TRY(greatest, whole_number(type.storage_max, "storage maximum", where));
  const Shape count{static_cast<std::int64_t>(scales.size())};
  attributes["scale"] = StoredArray::reals(scales, count);
  attributes["scale_text"] = StoredArray::texts(scale_texts);
  attributes["zero_point"] = StoredArray::integers(zero_points);
  attributes["axes"] = StoredArray::integers(axes);
  attributes["blocks"] = StoredArray::integers(blocks);
  attributes["parameter_shape"] = StoredArray::integers(type.parameter_shape);
  attributes["storage_min"] = std::move(least);
  attributes["storage_max"] = std::move(greatest);
  attributes["expressed_type"] = StoredArray::text(type.expressed.name());
  return {};
}

/// Typed access to the attributes of a dataset; what is missing or of another kind is an error that names it.
class Attributes {
 public:
  Attributes(const StoredAttributes& attributes, const std::string& where) : attributes_(attributes), where_(where) {}

  bool has(const char* name) const { return attributes_.contains(name); }
  Result<std::string> text(const char* name) const { return get(name, &StoredArray::as_text, "a text"); }
  Result<std::int64_t> integer(const char* name) const { return get(name, &StoredArray::as_integer, "an integer"); }
  Result<std::vector<std::int64_t>> integers(const char* name) const { return get(name, &StoredArray::as_integers, "integers"); }
  Result<std::vector<std::string>> texts(const char* name) const { return get(name, &StoredArray::as_texts, "texts"); }
  Result<ElementType> element(const char* name) const {
    TIEBREAK_TRY(word, text(name));
    const auto type = ElementType::parse(word);
    if (!type) return fail(Errc::corrupt, "unknown element type '" + word + "'", where_ + "@" + name);
    return *type;
  }
  Status only_known() const {
    for (const auto& [name, value] : attributes_) {
      if (std::find(tensor_attributes.begin(), tensor_attributes.end(), name) != tensor_attributes.end()) continue;
      const std::string near = nearest(name, tensor_attributes);
      return fail(Errc::corrupt, "unknown attribute '" + name + "'", where_, near.empty() ? "" : "did you mean '" + near + "'?");
    }
    return {};
  }

 private:
  template <class T>
  Result<T> get(const char* name, std::optional<T> (StoredArray::*as)() const, const char* wanted) const {
    const auto found = attributes_.find(name);
    if (found == attributes_.end()) return fail(Errc::corrupt, std::string("attribute '") + name + "' is missing", where_);
    auto value = (found->second.*as)();
    if (!value) return fail(Errc::corrupt, std::string("attribute '") + name + "' is not " + wanted, where_);
    return std::move(*value);
  }

  const StoredAttributes& attributes_;
  const std::string& where_;
};

Result<QuantizedType> load_quantization(const Attributes& attributes, const TensorType& whole, const std::string& where) {
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
  for (const std::string& scale : scales) {
    TIEBREAK_TRY(value, Real::parse(scale));
    type.scales.push_back({value});
  }
  for (std::int64_t zero_point : zero_points) type.zero_points.push_back({Real(zero_point)});
  if (axes.size() != blocks.size()) return fail(Errc::corrupt, "as many blocks as axes are wanted", where);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[i] < 0 || std::cmp_greater_equal(axes[i], whole.shape.size())) return fail(Errc::corrupt, "an axis beyond the rank", where);
    type.dimensions.push_back({static_cast<int>(axes[i]), blocks[i]});
  }
  if (auto status = check_quantized_type(type, whole.shape, where); !status) return fail(Errc::corrupt, status.error().what, where);
  return type;
}

/// The element type of a dataset without `type`, by its storage alone.
std::optional<ElementType> storage_element(const StoredArray& array) {
  switch (array.kind) {
    case Kind::signed_integer: return ElementType(IntegerFormat{true, static_cast<int>(8 * array.bytes)});
    case Kind::unsigned_integer: return ElementType(IntegerFormat{false, static_cast<int>(8 * array.bytes)});
    case Kind::floating: return ElementType::parse("f" + std::to_string(8 * array.bytes));
    case Kind::truth: return ElementType::boolean();
    case Kind::text: break;
  }
  return std::nullopt;
}

std::string storage_text(const StoredArray& array) {
  const auto element = storage_element(array);
  return element ? element->name() : "text";
}

bool holds(const StoredArray& array, const ElementType& element) {
  if (array.kind == Kind::truth) return element.is_boolean();
  return array.kind == storage_kind(element) && std::cmp_equal(array.bytes, element.storage_bytes());
}

}  // namespace

Result<StoredDataset> store_tensor(const Tensor& tensor, const std::string& where) {
  StoredDataset dataset;
  const TensorType& type = tensor.type();
  if (type.shape.size() > exchange_limit::rank) return fail(Errc::limit, "rank " + std::to_string(type.shape.size()) + " is beyond 16", where);
  dataset.attributes["type"] = StoredArray::text(type.element.name());
  if (type.quantized) TIEBREAK_CHECK(store_quantization(*type.quantized, type, dataset.attributes, where));
  dataset.array.kind = storage_kind(type.element);
  dataset.array.bytes = static_cast<std::uint32_t>(type.element.storage_bytes());
  dataset.array.shape = type.shape;
  dataset.array.is_scalar = type.shape.empty();
  dataset.array.data.assign(tensor.bytes().begin(), tensor.bytes().end());
  TIEBREAK_TRY(count, element_count(type.shape));
  if (dataset.array.count() != static_cast<std::size_t>(count)) return fail(Errc::usage, "the tensor has no data of its shape", where);
  return dataset;
}

Result<LoadedTensor> load_tensor(StoredDataset& dataset, const std::string& where) {
  LoadedTensor loaded;
  const Attributes attributes(dataset.attributes, where);
  TIEBREAK_CHECK(attributes.only_known());
  if (dataset.array.shape.size() > exchange_limit::rank) return fail(Errc::limit, "a rank beyond 16", where);
  TensorType type;
  type.shape = dataset.array.shape;
  if (attributes.has("type")) {
    TIEBREAK_TRY(element, attributes.element("type"));
    if (!holds(dataset.array, element)) {
      return fail(Errc::corrupt, "elements of type " + element.name() + " are not stored as " + storage_text(dataset.array), where);
    }
    type.element = element;
  } else {
    const auto element = storage_element(dataset.array);
    if (!element) return fail(Errc::corrupt, "texts are not a tensor", where);
    type.element = *element;
    loaded.inferred = true;
  }
  if (attributes.has("order")) {
    TIEBREAK_TRY(order, attributes.integer("order"));
    loaded.order = order;
  }
  if (attributes.has("operand")) {
    TIEBREAK_TRY(operand, attributes.text("operand"));
    loaded.operand = operand;
  }
  if (attributes.has("expressed_type")) {
    TIEBREAK_TRY(quantized, load_quantization(attributes, type, where));
    type.quantized = std::move(quantized);
  }
  auto tensor = Tensor::from_bytes(std::move(type), std::move(dataset.array.data), where);
  if (!tensor) return fail(Errc::corrupt, tensor.error().what, where);
  loaded.tensor = std::move(*tensor);
  return loaded;
}

std::string link_name(const std::string& name) {
  if (name.empty()) return "%";
  std::string link;
  for (char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '/' || c == '%' || byte < 0x20 || name == ".") {
      link += '%';
      link += hex_digits[byte >> 4];
      link += hex_digits[byte & 15];
    } else {
      link += c;
    }
  }
  return link;
}

Result<std::string> name_of_link(const std::string& link, const std::string& where) {
  if (link == "%") return std::string();
  std::string name;
  for (std::size_t i = 0; i < link.size(); ++i) {
    if (link[i] != '%') {
      name += link[i];
      continue;
    }
    const std::size_t high = i + 1 < link.size() ? hex_digits.find(link[i + 1]) : std::string_view::npos;
    const std::size_t low = i + 2 < link.size() ? hex_digits.find(link[i + 2]) : std::string_view::npos;
    if (high == std::string_view::npos || low == std::string_view::npos) return fail(Errc::corrupt, "two hex digits are wanted after %", where);
    name += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return name;
}

}  // namespace tiebreak
