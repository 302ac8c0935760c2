// SPDX-License-Identifier: Apache-2.0
// Every attribute is written, even where a reader could infer it; datasets without attributes come from other programs.
#include "testsuite/exchange/stored_tensor.hpp"

#include <utility>

#include "testsuite/exchange/stored_parameters.hpp"

namespace tiebreak {
namespace {

using Kind = StoredArray::Kind;
constexpr std::string_view hex_digits = "0123456789ABCDEF";

Kind storage_kind(const ElementType& element) {
  if (element.is_integer()) return element.integer().is_signed ? Kind::signed_integer : Kind::unsigned_integer;
  if (!element.is_float()) return Kind::unsigned_integer;
  const std::string name = element.name();
  return name == "f16" || name == "f32" || name == "f64" ? Kind::floating : Kind::unsigned_integer;
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
  const TensorAttributes attributes(dataset.attributes, where);
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
  TIEBREAK_TRY(parameters, load_parameters(attributes, type, where));
  loaded.parameters = std::move(parameters);
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
