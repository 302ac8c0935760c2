// SPDX-License-Identifier: Apache-2.0
// Attribute values: numbers, strings, symbols, lists, dictionaries, dense and array literals, dialect attributes, types.
#include "interpreter/program/mlir_parser.hpp"

namespace tiebreak::mlir {
namespace {

bool is_dimension_numbers(const std::string& name) {
  return name == "dot_dimension_numbers" || name == "dimension_numbers" || name == "scatter_dimension_numbers";
}

}  // namespace

std::optional<Attribute> as_list(const Tensor& tensor) {
  constexpr std::int64_t listed_elements = 4096;
  const std::size_t rank = tensor.shape().size();
  if (tensor.element().is_float() || tensor.type().quantized || rank < 1 || rank > 2 || tensor.size() > listed_elements) return std::nullopt;
  const std::int64_t row = rank == 2 ? tensor.shape()[1] : tensor.shape()[0];
  const std::int64_t rows = rank == 2 ? tensor.shape()[0] : 1;
  if (rows > listed_elements) return std::nullopt;
  AttributeList lists;
  for (std::int64_t i = 0; i < rows; ++i) {
    AttributeList list;
    for (std::int64_t j = 0; j < row; ++j) {
      const Real value = tensor.value(i * row + j);
      list.push_back(tensor.element().is_boolean() ? Attribute{!value.is_zero()} : Attribute{value});
    }
    lists.push_back(Attribute{std::move(list)});
  }
  return rank == 2 ? Attribute{std::move(lists)} : std::move(lists.front());
}

Result<Attribute> Parser::attribute() {
  const Nesting nesting(depth_);
  if (nesting.too_deep()) return cursor_.error_at(cursor_.offset(), Errc::limit, "attributes nested deeper than 200");
  TIEBREAK_CHECK(charge(cursor_.offset(), units_an_attribute));
  switch (cursor_.peek()) {
    case '"': {
      TIEBREAK_TRY(text, cursor_.string());
      return Attribute{std::move(text)};
    }
    case '[': return list_attribute("[", "]");
    case '{': {
      cursor_.accept("{");
      TIEBREAK_TRY(map, dictionary("}"));
      return Attribute{std::move(map)};
    }
    case '<': return dialect_fields("");  // a dialect attribute whose name the operation knows
    case '#': return hash_attribute();
    case '@': {
      cursor_.accept("@");
      if (cursor_.next_raw() != '"') return Attribute{std::string(cursor_.suffix())};
      TIEBREAK_TRY(text, cursor_.string());
      return Attribute{std::move(text)};
    }
    case '!': {
      TIEBREAK_TRY(named, type());
      return Attribute{named.kind == MlirType::Kind::element ? element_text(named.tensor) : to_text(named.tensor)};
    }
    default: break;
  }
  if (const auto number = cursor_.number()) return number_attribute(*number);
  return word_attribute();
}

/// `1 : i64`, `0.5 : f32`, `0x7FC00000 : f32`, `1`. A colon that starts the operation's signature is left alone.
Result<Attribute> Parser::number_attribute(const NumberText& number) {
  const std::size_t after = cursor_.offset();
  if (cursor_.accept(":")) {
    const std::string word(cursor_.word());
    if (const auto element = ElementType::parse(word)) {
      TIEBREAK_TRY(code, number_code(cursor_, number, *element, ""));
      if (element->is_boolean()) return Attribute{code != 0};
      return Attribute{element->decode(code)};
    }
    if (word != "index") cursor_.rewind(after);
  }
  TIEBREAK_TRY(value, exact_number(cursor_, number));
  if (cursor_.accept_raw("/")) {  // an exact fraction, which only Tiebreak's own printer writes
    const auto divisor = cursor_.number();
    if (!divisor) return cursor_.error("expected a divisor after '/'");
    TIEBREAK_TRY(below, exact_number(cursor_, *divisor));
    return Attribute{value / below};
  }
  const bool is_hex = number.text.find_first_of("xX") != std::string_view::npos;
  const bool is_float = number.text.find_first_of(is_hex ? ".pP" : ".eE") != std::string_view::npos;
  if (!is_float && value.is_zero()) return Attribute{Real(0)};  // -0 is an integer, whose zero has no sign
  return Attribute{is_float && !is_hex ? Real::from_double(value.to_double()) : value};
}

Result<Attribute> Parser::word_attribute() {
  const std::size_t at = cursor_.offset();
  const std::string word(cursor_.word());
  if (word.empty()) return cursor_.error("expected an attribute value, found " + cursor_.found());
  if (word == "true" || word == "false") {
    const std::size_t after = cursor_.offset();
    if (cursor_.accept(":") && !cursor_.accept_word("i1")) cursor_.rewind(after);
    return Attribute{word == "true"};
  }
  if (word == "unit") return Attribute{true};
  if (word == "none") return Attribute{};
  if (word == "array") return array_attribute();
  if (word == "dense") return dense_attribute();
  if (word == "dense_resource" && resources_ != nullptr) return resource_attribute();
  if (word == "tensor") {
    TIEBREAK_TRY(tensor, tensor_type());
    return Attribute{to_text(tensor.tensor)};
  }
  if (word == "loc" && cursor_.accept("(")) {
    TIEBREAK_TRY(end, cursor_.closing('(', ')'));
    cursor_.rewind(end + 1);
    return Attribute{};
  }
  if (const auto element = ElementType::parse(word)) return Attribute{*element};
  if (cursor_.next_raw() == '<') return cursor_.error_at(at, Errc::unsupported, "the attribute '" + word + "<...>' is not supported");
  return Attribute{word};  // an enum word in a pretty form
}

Result<Attribute> Parser::array_attribute() {
  TIEBREAK_CHECK(cursor_.expect("<", "'array'"));
  const std::size_t at = cursor_.offset();
  const std::string word(cursor_.word());
  const auto element = ElementType::parse(word);
  if (!element) return cursor_.error_at(at, Errc::syntax, "unknown element type '" + word + "' of an array");
  AttributeList list;
  if (cursor_.accept(":")) {
    do {
      TIEBREAK_CHECK(charge(at, units_an_attribute));
      if (element->is_boolean() && cursor_.accept_word("true")) {
        list.push_back(Attribute{true});
      } else if (element->is_boolean() && cursor_.accept_word("false")) {
        list.push_back(Attribute{false});
      } else {
        const auto number = cursor_.number();
        if (!number) return cursor_.error("expected a number, found " + cursor_.found());
        TIEBREAK_TRY(code, number_code(cursor_, *number, *element, ""));
        list.push_back(element->is_boolean() ? Attribute{code != 0} : Attribute{element->decode(code)});
      }
    } while (cursor_.accept(","));
  }
  TIEBREAK_CHECK(cursor_.expect(">", "an array"));
  return Attribute{std::move(list)};
}

/// The type stands behind the elements, so they are read when it is known.
Result<Attribute> Parser::dense_attribute() {
  TIEBREAK_CHECK(cursor_.expect("<", "'dense'"));
  const std::size_t begin = cursor_.offset();
  TIEBREAK_TRY(end, cursor_.closing('<', '>'));
  cursor_.rewind(end + 1);
  TIEBREAK_CHECK(cursor_.expect(":", "dense<...>"));
  const std::size_t at = cursor_.offset();
  TIEBREAK_TRY(tensor, type());
  if (tensor.kind != MlirType::Kind::tensor) return cursor_.error_at(at, Errc::syntax, "dense<...> has a tensor type");
  if (const auto count = element_count(tensor.tensor.shape)) TIEBREAK_CHECK(charge(begin, *count));
  TIEBREAK_TRY(elements, read_elements(cursor_.part(begin, end), tensor.tensor));
  return Attribute{std::move(elements)};
}

Result<Attribute> Parser::resource_attribute() {
  TIEBREAK_CHECK(cursor_.expect("<", "'dense_resource'"));
  const std::size_t at = cursor_.offset();
  const std::string name(cursor_.word());
  TIEBREAK_CHECK(cursor_.expect(">", "the name of a resource"));
  TIEBREAK_CHECK(cursor_.expect(":", "dense_resource<...>"));
  TIEBREAK_TRY(stated, type());
  const auto found = resources_->find(name);
  if (found == resources_->end()) return cursor_.error_at(at, Errc::type, "there is no resource '" + name + "'");
  const TensorType& own = found->second.type();
  if (stated.kind != MlirType::Kind::tensor || stated.tensor.quantized || stated.tensor.element != own.element || stated.tensor.shape != own.shape)
    return cursor_.error_at(at, Errc::type, "the resource '" + name + "' is a " + to_text(own));
  return Attribute{found->second};
}

Result<Attribute> Parser::list_attribute(std::string_view open, std::string_view close) {
  TIEBREAK_CHECK(cursor_.expect(open, "a list"));
  AttributeList list;
  if (cursor_.accept(close)) return Attribute{std::move(list)};
  do {
    TIEBREAK_TRY(item, attribute());
    list.push_back(std::move(item));
  } while (cursor_.accept(","));
  TIEBREAK_CHECK(cursor_.expect(close, "a list"));
  return Attribute{std::move(list)};
}

Result<Attribute> Parser::hash_attribute() {
  const std::size_t at = cursor_.offset();
  cursor_.accept("#");
  const std::string name(cursor_.suffix());
  if (cursor_.next_raw() == '<') {
    if (name.find('.') != std::string::npos) return starts_tosa(name) ? tosa_word() : dialect_fields(name);
    cursor_.accept("<");  // #stablehlo<precision DEFAULT>
    const std::string kind(cursor_.word());
    const std::string value(cursor_.word());
    if (kind.empty() || value.empty()) return cursor_.error("expected an enum and its value, found " + cursor_.found());
    TIEBREAK_CHECK(cursor_.expect(">", "an enum value"));
    return Attribute{value};
  }
  if (const auto found = attributes_.find(name); found != attributes_.end()) {
    TIEBREAK_CHECK(charge(at, found->second));
    return found->second;
  }
  return cursor_.error_at(at, Errc::unknown_name, "no attribute alias '#" + name + "'");
}

/// `<key = value, ...>`, and the two forms of convolution dimension numbers.
Result<Attribute> Parser::dialect_fields(const std::string& name) {
  TIEBREAK_CHECK(cursor_.expect("<", name.empty() ? "'='" : "'#" + name + "'"));
  if (name == "stablehlo.conv" && !cursor_.accept_word("raw")) {
    TIEBREAK_TRY(dimensions, convolution_dimensions());
    TIEBREAK_CHECK(cursor_.expect(">", "dimension numbers"));
    return Attribute{std::move(dimensions)};
  }
  TIEBREAK_TRY(map, dictionary(">"));
  return Attribute{std::move(map)};
}

/// Entries up to and with the closing symbol; a name without a value is a unit attribute.
Result<AttributeMap> Parser::dictionary(std::string_view close) {
  AttributeMap map;
  if (cursor_.accept(close)) return map;
  do {
    if (close == ">" && cursor_.accept(close)) return map;  // fields of dialect attributes may end with a comma
    const std::size_t at = cursor_.offset();
    std::string name(cursor_.word());
    if (name.empty() && cursor_.peek() == '"') {
      TIEBREAK_TRY(text, cursor_.string());
      name = std::move(text);
    }
    if (name.empty()) return cursor_.error("expected an attribute name, found " + cursor_.found());
    Attribute value{true};
    if (cursor_.accept("=")) {
      TIEBREAK_TRY(read, attribute());
      value = std::move(read);
    }
    TIEBREAK_CHECK(set(map, at, name, std::move(value)));
  } while (cursor_.accept(","));
  TIEBREAK_CHECK(cursor_.expect(close, "attributes"));
  return map;
}

Status Parser::set(AttributeMap& map, std::size_t offset, const std::string& name, Attribute value) const {
  if (map.emplace(name, std::move(value)).second) return {};
  return cursor_.error_at(offset, Errc::syntax, "the attribute '" + name + "' stands twice");
}

/// Into an operation's attributes, under the names the StableHLO spec has.
Status Parser::merge(Draft& draft, std::size_t offset, AttributeMap attributes, bool properties) const {
  for (auto& [name, value] : attributes) {
    if (properties && name == "version") {
      const auto version = value.as_integer();
      if (!version || *version < 0 || *version > 1'000'000) return cursor_.error_at(offset, Errc::type, "'version' is a small whole number");
      draft.version = static_cast<int>(*version);
    } else if (auto* inner = std::get_if<AttributeMap>(&value.value); inner && is_dimension_numbers(name)) {
      for (auto& [key, item] : *inner) TIEBREAK_CHECK(set(draft.attributes, offset, key, std::move(item)));
    } else if (draft.op.starts_with("stablehlo.") && is_dimension_numbers(name)) {
      return cursor_.error_at(offset, Errc::type, "'" + name + "' names no dimensions",
                              "write it as the dialect does: #stablehlo.dot<lhs_contracting_dimensions = [1], ...>");
    } else {
      const Tensor* tensor = std::get_if<Tensor>(&value.value);
      auto list = tensor && name != "value" && name != "values" ? as_list(*tensor) : std::nullopt;
      TIEBREAK_CHECK(set(draft.attributes, offset, name, list ? std::move(*list) : std::move(value)));
    }
  }
  return {};
}

/// What `quantize_info` states of the values that something makes: a dictionary for the first, or a list with one for each. It is no attribute of the
/// operation, whose page knows nothing of it.
Result<std::vector<AttributeMap>> Parser::take_annotations(AttributeMap& attributes, std::size_t offset, std::size_t values) const {
  std::vector<AttributeMap> taken;
  const auto found = attributes.find(quantize_info);
  if (found == attributes.end()) return taken;
  const Attribute stated = std::move(found->second);
  attributes.erase(found);
  const AttributeList alone{stated};
  const AttributeList* list = std::get_if<AttributeList>(&stated.value);
  for (const Attribute& one : list == nullptr ? alone : *list) {
    const AttributeMap* dictionary = std::get_if<AttributeMap>(&one.value);
    if (dictionary == nullptr) {
      return cursor_.error_at(offset, Errc::type, "quantize_info is a dictionary, or a list with one for each result", "quantize_info = {scale = 0.5 : f32}");
    }
    taken.push_back(*dictionary);
  }
  if (taken.size() > values) {
    return cursor_.error_at(offset, Errc::type,
                            "quantize_info states parameters of " + std::to_string(taken.size()) + " values where " + std::to_string(values) + " are made");
  }
  return taken;
}

/// The dictionary that a custom call or a composite has for the op that it names: under the same names, too.
Status Parser::nested_attributes(Draft& draft) const {
  if (draft.op != "stablehlo.custom_call" && draft.op != "stablehlo.composite") return {};
  for (const char* name : {"backend_config", "composite_attributes"}) {
    const auto found = draft.attributes.find(name);
    AttributeMap* fields = found == draft.attributes.end() ? nullptr : std::get_if<AttributeMap>(&found->second.value);
    if (fields == nullptr) continue;
    Draft named;
    TIEBREAK_CHECK(merge(named, draft.offset, std::move(*fields), false));
    *fields = std::move(named.attributes);
  }
  return {};
}

}  // namespace tiebreak::mlir
