// SPDX-License-Identifier: Apache-2.0
// Attributes as text.
#include <algorithm>
#include <array>
#include <utility>

#include "interpreter/program/mlir_cursor.hpp"
#include "interpreter/program/mlir_parser.hpp"
#include "interpreter/program/mlir_print.hpp"

namespace tiebreak::mlir {
namespace {

constexpr std::array<const char*, 4> dot_names{"lhs_batching_dimensions", "rhs_batching_dimensions", "lhs_contracting_dimensions",
                                               "rhs_contracting_dimensions"};
constexpr std::array<const char*, 9> convolution_names{"input_batch_dimension",          "input_feature_dimension",         "input_spatial_dimensions",
                                                       "kernel_input_feature_dimension", "kernel_output_feature_dimension", "kernel_spatial_dimensions",
                                                       "output_batch_dimension",         "output_feature_dimension",        "output_spatial_dimensions"};
constexpr std::array<const char*, 6> gather_names{"offset_dims",     "collapsed_slice_dims", "operand_batching_dims", "start_indices_batching_dims",
                                                  "start_index_map", "index_vector_dim"};
constexpr std::array<const char*, 6> scatter_names{
    "update_window_dims", "inserted_window_dims", "input_batching_dims", "scatter_indices_batching_dims", "scatter_dims_to_operand_dims", "index_vector_dim"};
constexpr std::array<std::array<const char*, 2>, 7> enum_names{{{"comparison_direction", "comparison_direction"},
                                                                {"compare_type", "comparison_type"},
                                                                {"precision_config", "precision"},
                                                                {"transpose_a", "transpose"},
                                                                {"fft_type", "fft_type"},
                                                                {"rng_algorithm", "rng_algorithm"},
                                                                {"rng_distribution", "rng_distribution"}}};

using Entries = std::vector<std::pair<std::string, std::string>>;

/// A zero with a minus sign is a float's: an integer that is written -0 reads as 0.
bool is_negative_zero(const Real& number) { return number.is_zero() && number.is_negative(); }

std::string number_text(const Real& number) {
  if (number.is_nan()) return "0x7FF8000000000000 : f64";
  if (number.is_infinite()) return number.is_negative() ? "0xFFF0000000000000 : f64" : "0x7FF0000000000000 : f64";
  if (number.is_whole() && !is_negative_zero(number)) {
    if (number.to_int64()) return number.to_string() + " : i64";
    if (number.to_uint64()) return number.to_string() + " : ui64";
  }
  const std::string text = scale_text(number);
  return Real::from_double(number.to_double()).identical(number) ? text + " : f64" : text;
}

bool is_bare(const std::string& text) { return !text.empty() && is_word_start(text[0]) && std::all_of(text.begin(), text.end(), is_word_part); }

std::string name_text(const std::string& name) { return is_bare(name) ? name : quoted(name); }

struct TextOf {
  std::string operator()(std::monostate) const { return "none"; }
  std::string operator()(bool truth) const { return truth ? "true" : "false"; }
  std::string operator()(const Real& number) const { return number_text(number); }
  std::string operator()(const std::string& text) const { return quoted(text); }
  std::string operator()(const ElementType& element) const { return element.mlir_name(); }
  std::string operator()(const Tensor& tensor) const { return dense_text(tensor); }
  std::string operator()(const AttributeList& list) const {
    std::string text = "[";
    for (std::size_t i = 0; i < list.size(); ++i) text += (i ? ", " : "") + attribute_text(list[i]);
    return text + "]";
  }
  std::string operator()(const AttributeMap& map) const {
    std::string text = "{";
    for (const auto& [name, item] : map) text += (text.size() > 1 ? ", " : "") + name_text(name) + " = " + attribute_text(item);
    return text + "}";
  }
};

std::optional<std::int64_t> integer_of(const Attribute& attribute) {
  const Real* number = std::get_if<Real>(&attribute.value);
  return number && !is_negative_zero(*number) ? number->to_int64() : std::nullopt;
}

/// Integers, and lists of them, can stand without types.
bool has_plain_form(const Attribute& attribute) {
  if (const Tensor* tensor = std::get_if<Tensor>(&attribute.value)) return !tensor->element().is_float() && (attribute.as_integer() || attribute.as_integers());
  const AttributeList* list = std::get_if<AttributeList>(&attribute.value);
  return list ? std::all_of(list->begin(), list->end(), integer_of) : integer_of(attribute).has_value();
}

/// `[0, 1]` without types, as dimension numbers are written.
std::string plain(const Attribute& attribute) {
  if (const auto number = attribute.as_integer()) return std::to_string(*number);
  std::string text = "[";
  for (std::int64_t number : attribute.as_integers().value_or(std::vector<std::int64_t>{})) {
    text += (text.size() > 1 ? ", " : "") + std::to_string(number);
  }
  return text + "]";
}

/// Takes the named attributes out of the map and writes them as one dialect attribute, if all are there.
template <std::size_t n>
void group(AttributeMap& attributes, Entries& entries, const std::array<const char*, n>& names, const std::string& name, const std::string& open) {
  for (const char* part : names) {
    const auto found = attributes.find(part);
    if (found == attributes.end() || !has_plain_form(found->second)) return;
  }
  std::string text;
  for (const char* part : names) {
    text += (text.empty() ? "" : ", ") + std::string(part) + " = " + plain(attributes.at(part));
    attributes.erase(part);
  }
  entries.emplace_back(name, open + text + ">");
}

std::string typed_list(const AttributeList& list) {
  const bool truths = !list.empty() && std::all_of(list.begin(), list.end(), [](const Attribute& item) { return std::holds_alternative<bool>(item.value); });
  std::string text = truths ? "array<i1" : "array<i64";
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto number = integer_of(list[i]);
    if (!truths && !number) return {};
    text += (i ? ", " : ": ") + (truths ? std::string(std::get<bool>(list[i].value) ? "true" : "false") : std::to_string(*number));
  }
  return text + ">";
}

/// [[0, 1], [2, 3]] as dense<...> : tensor<2x2xi64>; nothing where rows differ or hold something else.
std::string matrix_text(const AttributeList& rows) {
  std::vector<std::int64_t> flat;
  std::optional<std::size_t> width;
  for (const Attribute& row : rows) {
    const AttributeList* items = std::get_if<AttributeList>(&row.value);
    if (!items || (width && *width != items->size())) return {};
    width = items->size();
    for (const Attribute& item : *items) {
      const auto number = integer_of(item);
      if (!number) return {};
      flat.push_back(*number);
    }
  }
  if (rows.size() * width.value_or(0) > 4096) return {};
  auto tensor =
      Tensor::zeros(TensorType{ElementType(IntegerFormat{true, 64}), {static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(width.value_or(0))}});
  if (!tensor) return {};
  for (std::size_t i = 0; i < flat.size(); ++i) tensor->set_code(static_cast<std::int64_t>(i), static_cast<std::uint64_t>(flat[i]));
  return dense_text(*tensor);
}

std::string enum_text(const std::string& name, const Attribute& attribute) {
  for (const auto& [attribute_name, enumeration] : enum_names) {
    if (name != attribute_name) continue;
    if (const auto text = attribute.as_string(); text && !is_bare(*text)) return {};
    if (const auto text = attribute.as_string()) return "#stablehlo<" + std::string(enumeration) + " " + *text + ">";
    const AttributeList* list = std::get_if<AttributeList>(&attribute.value);
    std::string all = "[";
    for (std::size_t i = 0; list && i < list->size(); ++i) {
      if (!(*list)[i].as_string() || !is_bare(*(*list)[i].as_string())) return {};
      all += (i ? ", " : "") + enum_text(name, (*list)[i]);
    }
    return list ? all + "]" : std::string{};
  }
  return {};
}

/// {lhs_precision_type = tf32, lhs_component_count = 1} as the dialect writes it.
std::string algorithm_text(const AttributeMap& fields) {
  std::string text;
  for (const auto& [name, value] : fields) {
    text += (text.empty() ? "" : ", ") + name_text(name) + " = " + (integer_of(value) ? plain(value) : attribute_text(value));
  }
  return "#stablehlo.dot_algorithm<" + text + ">";
}

/// The dialect's numbers of 32 bits: epsilon is a float, how reduce_precision counts bits an integer. "" for any other.
std::string short_number_text(const std::string& name, const Attribute& attribute) {
  const Real* number = std::get_if<Real>(&attribute.value);
  if (!number || !number->is_finite()) return {};
  if (name == "epsilon") return scale_text(*number) + " : f32";
  return (name == "exponent_bits" || name == "mantissa_bits") && integer_of(attribute) ? number->to_string() + " : i32" : "";
}

std::string stablehlo_text(const std::string& name, const Attribute& attribute) {
  if (const std::string number = short_number_text(name, attribute); !number.empty()) return number;
  if (const AttributeMap* fields = std::get_if<AttributeMap>(&attribute.value); fields && name == "algorithm") return algorithm_text(*fields);
  std::string text = enum_text(name, attribute);
  if (const AttributeList* list = std::get_if<AttributeList>(&attribute.value); list && text.empty()) {
    const bool nested = !list->empty() && std::holds_alternative<AttributeList>(list->front().value);
    text = nested ? matrix_text(*list) : typed_list(*list);
  }
  return text.empty() ? attribute_text(attribute) : text;
}

}  // namespace

std::string attribute_text(const Attribute& attribute) { return std::visit(TextOf{}, attribute.value); }

std::string attributes_text(const Operation& operation) {
  AttributeMap attributes = operation.attributes;
  attributes.erase("version");  // that name is the opset's in properties
  Entries entries;
  const bool stablehlo = operation.op.starts_with("stablehlo.");
  if (operation.op == "stablehlo.dot_general") group(attributes, entries, dot_names, "dot_dimension_numbers", "#stablehlo.dot<");
  if (operation.op == "stablehlo.gather" || operation.op == "stablehlo.dynamic_gather")
    group(attributes, entries, gather_names, "dimension_numbers", "#stablehlo.gather<");
  if (operation.op == "stablehlo.scatter") group(attributes, entries, scatter_names, "scatter_dimension_numbers", "#stablehlo.scatter<");
  if (operation.op == "stablehlo.convolution" || operation.op == "stablehlo.dynamic_conv")
    group(attributes, entries, convolution_names, "dimension_numbers", "#stablehlo.conv<raw ");
  for (const auto& [name, attribute] : attributes) {
    const Tensor* tensor = std::get_if<Tensor>(&attribute.value);
    const auto list = tensor && name != "value" ? as_list(*tensor) : std::nullopt;
    const Attribute& shown = list ? *list : attribute;
    entries.emplace_back(name_text(name), stablehlo ? stablehlo_text(name, shown) : attribute_text(shown));
  }
  if (operation.version != 0) entries.emplace_back("version", std::to_string(operation.version) + " : i64");
  std::sort(entries.begin(), entries.end());
  std::string text;
  for (const auto& [name, value] : entries) text += (text.empty() ? "" : ", ") + name + " = " + value;
  return text;
}

}  // namespace tiebreak::mlir
