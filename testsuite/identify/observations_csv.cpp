// SPDX-License-Identifier: Apache-2.0
// A line becomes inputs, parameters, attributes and outputs by the names in the header; the JSON reader does the rest, and its errors have
// the field's line and column.
#include "testsuite/identify/observations_csv.hpp"

#include <algorithm>
#include <map>

#include "interpreter/notation/walk.hpp"
#include "testsuite/case/op_roles.hpp"

namespace tiebreak {
namespace {

JsonValue text_value(const std::string& text, const std::string& where) { return {.kind = JsonValue::Kind::string, .text = text, .where = where}; }
JsonValue object_at(const std::string& where) { return {.kind = JsonValue::Kind::object, .where = where}; }

void put_member(JsonValue& object, const std::string& key, JsonValue value) {
  object.keys.push_back(key);
  object.items.push_back(std::move(value));
}

struct CsvColumn {
  enum class Role : std::uint8_t { data, parameter, attribute, output, part } role = Role::data;
  std::string name;
};

class Table {
 public:
  Table(const notation::Op& op, const std::string& file) : op_(op), file_(file) {
    const notation::Structure* structure = notation::structure_of(op);
    is_elementwise_ = structure != nullptr && structure->path == "elementwise";
  }

  Result<JsonValue> read(const std::vector<std::vector<CsvField>>& records) {
    JsonValue types = object_at(file_ + ":1:1");
    TIEBREAK_CHECK(read_header(records.front(), types));
    JsonValue list{.kind = JsonValue::Kind::array, .where = file_ + ":2:1"};
    for (std::size_t i = 1; i < records.size(); ++i) TIEBREAK_CHECK(add(records[i], list));
    JsonValue root = object_at(file_);
    put_member(root, "schema", text_value("tiebreak.observations/1", file_));
    put_member(root, "op", text_value(op_.path, file_));
    put_member(root, "types", std::move(types));
    put_member(root, "observations", std::move(list));
    return root;
  }

 private:
  static const notation::Operand* find(const std::vector<notation::Operand>& list, const std::string& name) {
    const auto found = std::ranges::find(list, name, &notation::Operand::name);
    return found == list.end() ? nullptr : &*found;
  }

  Result<CsvColumn> column_of(const std::string& name, const CsvField& field) const {
    if (const notation::Operand* operand = find(op_.operands, name)) {
      const bool is_data = kind_of(op_, *operand) == OperandRole::Kind::data && operand->indices.empty();
      return CsvColumn{is_data ? CsvColumn::Role::data : CsvColumn::Role::parameter, name};
    }
    if (find(op_.results, name) != nullptr) return CsvColumn{CsvColumn::Role::output, name};
    if (find(op_.attributes, name) != nullptr) return CsvColumn{CsvColumn::Role::attribute, name};
    if (name == "part") return CsvColumn{CsvColumn::Role::part, name};
    std::vector<std::string> known{"part"};
    for (const auto* list : {&op_.operands, &op_.attributes, &op_.results})
      for (const notation::Operand& one : *list) known.push_back(one.name);
    const std::string near = nearest(name, known);
    return fail(Errc::unknown_name, op_.path + " has no operand, result or attribute '" + name + "'", field.where,
                near.empty() ? "" : "did you mean '" + near + "'?");
  }

  Status read_header(const std::vector<CsvField>& header, JsonValue& types) {
    for (const CsvField& field : header) {
      const std::size_t colon = field.text.find(':');
      const std::string name = field.text.substr(0, colon);
      TIEBREAK_TRY(column, column_of(name, field));
      if (std::ranges::find(columns_, name, &CsvColumn::name) != columns_.end()) return fail(Errc::syntax, "column '" + name + "' appears twice", field.where);
      if (colon != std::string::npos) put_member(types, name, text_value(field.text.substr(colon + 1), field.where));
      columns_.push_back(std::move(column));
    }
    return {};
  }

  /// A field as JSON: a list in brackets, else its text; null of a result that was not seen.
  static Result<JsonValue> value_of(const CsvField& field) {
    if (field.text.empty()) return JsonValue{.where = field.where};
    if (!field.text.starts_with('[')) return text_value(field.text, field.where);
    TIEBREAK_TRY(value, parse_json(field.text, field.where));
    return place_all(std::move(value), field.where);
  }

  static JsonValue place_all(JsonValue value, const std::string& where) {
    value.where = where;
    for (JsonValue& item : value.items) item = place_all(std::move(item), where);
    return value;
  }

  /// What an attribute's text means, by the page's default: a type's name, a truth value, a number, else a text.
  Result<JsonValue> attribute_of(const CsvColumn& column, const CsvField& field) const {
    const notation::Operand& declared = *find(op_.attributes, column.name);
    const bool is_type = ElementType::parse(field.text).has_value() && declared.default_value && declared.default_value->kind != notation::ExprKind::string;
    if (is_type) {
      JsonValue type = object_at(field.where);
      put_member(type, "type", text_value(field.text, field.where));
      return type;
    }
    if (field.text == "true" || field.text == "false") return JsonValue{.kind = JsonValue::Kind::boolean, .truth = field.text == "true", .where = field.where};
    TIEBREAK_TRY(value, value_of(field));
    const bool is_number = !field.text.empty() && field.text.find_first_not_of("+-0123456789.eE") == std::string::npos;
    if (value.is(JsonValue::Kind::string) && is_number) value.kind = JsonValue::Kind::number;
    return value;
  }

  bool is_single(const std::vector<CsvField>& record) const {
    if (!is_elementwise_) return true;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const bool is_data = columns_[i].role == CsvColumn::Role::data;
      if (is_data && record[i].text.empty()) return true;
      if ((is_data || columns_[i].role == CsvColumn::Role::output) && record[i].text.starts_with('[')) return true;
    }
    return false;
  }

  /// What lines of one observation have in common.
  std::string key_of(const std::vector<CsvField>& record) const {
    std::string key;
    for (std::size_t i = 0; i < columns_.size(); ++i)
      if (columns_[i].role != CsvColumn::Role::data && columns_[i].role != CsvColumn::Role::output) key += record[i].text + "\n";
    return key;
  }

  static JsonValue& member_of(JsonValue& observation, const std::string& key, const std::string& where) {
    const auto found = std::ranges::find(observation.keys, key);
    if (found != observation.keys.end()) return observation.items[static_cast<std::size_t>(found - observation.keys.begin())];
    put_member(observation, key, object_at(where));
    return observation.items.back();
  }

  Status add(const std::vector<CsvField>& record, JsonValue& list) {
    const bool alone = is_single(record);
    if (!alone) {
      const auto [place, is_new] = groups_.try_emplace(key_of(record), list.items.size());
      if (!is_new) return extend(record, list.items[place->second]);
    }
    JsonValue observation = object_at(record.front().where);
    put_member(observation, "inputs", object_at(record.front().where));
    put_member(observation, "outputs", object_at(record.front().where));
    for (std::size_t i = 0; i < columns_.size(); ++i) TIEBREAK_CHECK(add_field(columns_[i], record[i], alone, observation));
    list.items.push_back(std::move(observation));
    return {};
  }

  Status add_field(const CsvColumn& column, const CsvField& field, bool alone, JsonValue& observation) const {
    if (field.text.empty() && column.role != CsvColumn::Role::output) return {};  // an operand that is not given
    if (column.role == CsvColumn::Role::part) {
      put_member(observation, "part", text_value(field.text, field.where));
      return {};
    }
    if (column.role == CsvColumn::Role::attribute) {
      TIEBREAK_TRY(value, attribute_of(column, field));
      put_member(member_of(observation, "attributes", field.where), column.name, std::move(value));
      return {};
    }
    TIEBREAK_TRY(value, value_of(field));
    const bool runs = column.role == CsvColumn::Role::data || column.role == CsvColumn::Role::output;
    if (runs && !alone) value = JsonValue{.kind = JsonValue::Kind::array, .items = {std::move(value)}, .where = field.where};
    const char* key = column.role == CsvColumn::Role::data ? "inputs" : column.role == CsvColumn::Role::output ? "outputs" : "parameters";
    put_member(member_of(observation, key, field.where), column.name, std::move(value));
    return {};
  }

  /// One more element of an observation.
  Status extend(const std::vector<CsvField>& record, JsonValue& observation) const {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const bool is_data = columns_[i].role == CsvColumn::Role::data;
      if (!is_data && columns_[i].role != CsvColumn::Role::output) continue;
      JsonValue& values = member_of(observation, is_data ? "inputs" : "outputs", record[i].where);
      TIEBREAK_TRY(value, value_of(record[i]));
      member_of(values, columns_[i].name, record[i].where).items.push_back(std::move(value));
    }
    return {};
  }

  const notation::Op& op_;
  const std::string& file_;
  bool is_elementwise_ = false;
  std::vector<CsvColumn> columns_{};
  std::map<std::string, std::size_t> groups_{};
};

}  // namespace

Result<JsonValue> observations_of_csv(const Library& library, const std::string& op, const std::string& text, const std::string& file) {
  if (op.empty()) return fail(Errc::usage, "a log as CSV does not say which op it is of", "--op", "tiebreak spec list");
  TIEBREAK_TRY(place, library.find_op(op));
  TIEBREAK_TRY(records, parse_csv(text, file));
  if (records.empty()) return fail(Errc::syntax, "the file is empty", file, "a header with the names of operands and results, then a call in each line");
  if (records.size() == 1) return fail(Errc::syntax, "there are no observations", file + ":2:1");
  return Table(*place.op, file).read(records);
}

}  // namespace tiebreak
