// SPDX-License-Identifier: Apache-2.0
// The tree is built from nlohmann's event interface, because its own tree keeps the last of two equal keys and numbers as doubles.
#include "interpreter/json/json_value.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

namespace tiebreak {
namespace {

constexpr std::size_t deepest_json = 200;

/// The place of byte `position` as line:column.
std::string text_place(const std::string& text, std::size_t position) {
  const std::size_t end = std::min(position, text.size());
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n');
  const std::size_t before = end == 0 ? std::string::npos : text.rfind('\n', end - 1);
  return std::to_string(line) + ":" + std::to_string(end - (before == std::string::npos ? 0 : before + 1) + 1);
}

class Builder {
 public:
  Builder(const std::string& text, const std::string& file) : text_(text), file_(file) {}

  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = nlohmann::json::string_t;
  using binary_t = nlohmann::json::binary_t;

  bool null() { return add({}); }
  bool boolean(bool value) {
    JsonValue json{JsonValue::Kind::boolean};
    json.truth = value;
    return add(std::move(json));
  }
  bool number_integer(number_integer_t value) {
    // "-0" reaches this event as 0; a whole number without sign comes as unsigned.
    return add_text(JsonValue::Kind::number, value == 0 ? "-0" : std::to_string(value));
  }
  bool number_unsigned(number_unsigned_t value) { return add_text(JsonValue::Kind::number, std::to_string(value)); }
  bool number_float(number_float_t, const string_t& written) { return add_text(JsonValue::Kind::number, written); }
  bool string(string_t& value) { return add_text(JsonValue::Kind::string, value); }
  bool binary(binary_t&) { return false; }
  bool start_object(std::size_t) { return open(JsonValue::Kind::object); }
  bool start_array(std::size_t) { return open(JsonValue::Kind::array); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(string_t& name) {
    JsonValue& object = *open_.back();
    if (std::find(object.keys.begin(), object.keys.end(), name) != object.keys.end()) {
      error_ = Error{Errc::syntax, "key '" + name + "' appears twice", json_place(object, name)};
      return false;
    }
    object.keys.push_back(name);
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception& exception) {
    std::string what = exception.what();
    if (std::size_t start = what.find("syntax error"); start != std::string::npos) what = what.substr(start);
    error_ = Error{Errc::syntax, "not JSON: " + what, file_ + ":" + text_place(text_, position == 0 ? 0 : position - 1)};
    return false;
  }

  JsonValue root{};
  const Error& error() const { return error_; }

 private:
  bool add(JsonValue value) {
    place(std::move(value));
    return true;
  }
  bool add_text(JsonValue::Kind kind, std::string text) {
    JsonValue json{kind};
    json.text = std::move(text);
    return add(std::move(json));
  }
  JsonValue& place(JsonValue value) {
    if (open_.empty()) {
      value.where = file_ + ":/";
      root = std::move(value);
      return root;
    }
    JsonValue& parent = *open_.back();
    std::string name = parent.kind == JsonValue::Kind::object ? parent.keys.back() : std::to_string(parent.items.size());
    value.where = json_place(parent, name);
    parent.items.push_back(std::move(value));
    return parent.items.back();
  }
  bool open(JsonValue::Kind kind) {
    if (open_.size() >= deepest_json) {
      error_ = Error{Errc::limit, "JSON nested deeper than " + std::to_string(deepest_json) + " levels", file_};
      return false;
    }
    // The pointer stays good: the parent's items do not grow while a child is open.
    open_.push_back(&place(JsonValue{kind}));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  const std::string& text_;
  const std::string& file_;
  std::vector<JsonValue*> open_;
  Error error_{Errc::syntax, "not JSON", ""};
};

/// Ends the reading, by false, with the text that is looked for, or with the first list.
class Glance {
 public:
  explicit Glance(const std::string& key) : key_(key) {}

  bool null() { return true; }
  bool boolean(bool) { return true; }
  bool number_integer(nlohmann::json::number_integer_t) { return true; }
  bool number_unsigned(nlohmann::json::number_unsigned_t) { return true; }
  bool number_float(nlohmann::json::number_float_t, const std::string&) { return true; }
  bool string(std::string& value) {
    if (is_next_) found = value;
    return !is_next_;
  }
  bool binary(nlohmann::json::binary_t&) { return false; }
  bool start_object(std::size_t) { return ++depth_, true; }
  bool start_array(std::size_t) { return false; }
  bool end_object() { return --depth_, true; }
  bool end_array() { return false; }
  bool key(std::string& name) { return is_next_ = depth_ == 1 && name == key_, true; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) { return false; }

  std::string found{};

 private:
  const std::string& key_;
  std::size_t depth_ = 0;
  bool is_next_ = false;
};

}  // namespace

const JsonValue* JsonValue::find(const std::string& key) const {
  for (std::size_t i = 0; i < items.size() && i < keys.size(); ++i) {
    if (keys[i] == key) return &items[i];
  }
  return nullptr;
}

std::string json_place(const JsonValue& parent, const std::string& key) {
  std::string place = parent.where.ends_with(":/") ? parent.where : parent.where + "/";
  for (const char c : key) place += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return place;
}

Result<JsonValue> parse_json(const std::string& text, const std::string& file) {
  Builder builder(text, file);
  try {
    if (!nlohmann::json::sax_parse(text, &builder, nlohmann::json::input_format_t::json, true, true)) {
      return tl::unexpected<Error>(builder.error());
    }
  } catch (const std::exception& exception) {
    return fail(Errc::syntax, std::string("not JSON: ") + exception.what(), file);
  }
  return std::move(builder.root);
}

std::string early_text(const std::string& text, const std::string& key) {
  Glance glance(key);
  try {
    nlohmann::json::sax_parse(text, &glance, nlohmann::json::input_format_t::json, true, true);
  } catch (const std::exception&) {
    return "";
  }
  return glance.found;
}

Result<std::string> read_text_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return fail(Errc::io, std::string("cannot read file: ") + std::strerror(errno), path);
  std::ostringstream content;
  content << stream.rdbuf();
  if (stream.bad()) return fail(Errc::io, "cannot read file", path);
  return std::move(content).str();
}

Result<JsonValue> read_json_file(const std::string& path) {
  TIEBREAK_TRY(text, read_text_file(path));
  return parse_json(text, path);
}

Status check_object(const JsonValue& value, const std::vector<std::string>& known_keys) {
  if (!value.is(JsonValue::Kind::object)) return fail(Errc::syntax, "an object {...} is expected here", value.where);
  for (std::size_t i = 0; i < value.keys.size(); ++i) {
    const std::string& key = value.keys[i];
    if (std::find(known_keys.begin(), known_keys.end(), key) != known_keys.end()) continue;
    std::string near = nearest(key, known_keys);
    std::string all;
    for (const std::string& known : known_keys) all += (all.empty() ? "" : " ") + known;
    return fail(Errc::syntax, "unknown key '" + key + "'", value.items[i].where, near.empty() ? "one of " + all : "did you mean '" + near + "'?");
  }
  return {};
}

Result<std::string> string_of(const JsonValue& value) {
  if (!value.is(JsonValue::Kind::string)) return fail(Errc::syntax, "a string is expected here", value.where);
  return value.text;
}

Result<std::int64_t> integer_of(const JsonValue& value) {
  std::int64_t number = 0;
  const char* end = value.text.data() + value.text.size();
  auto [stop, code] = std::from_chars(value.text.data(), end, number);
  if (!value.is(JsonValue::Kind::number) || code != std::errc{} || stop != end) {
    return fail(Errc::syntax, "a whole number is expected here", value.where);
  }
  return number;
}

Result<std::int64_t> integer_of_text(const std::string& text, const std::string& where) {
  const std::size_t first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
  return integer_of({.kind = JsonValue::Kind::number, .text = first == std::string::npos ? "" : text.substr(first, last - first + 1), .where = where});
}

Result<int> version_of(const JsonValue& value) {
  TIEBREAK_TRY(number, integer_of(value));
  if (number < 0 || number > std::numeric_limits<int>::max())
    return fail(Errc::syntax, "no operator set has the version " + std::to_string(number), value.where);
  return static_cast<int>(number);
}

Result<const JsonValue*> member(const JsonValue& object, const std::string& key) {
  if (!object.is(JsonValue::Kind::object)) return fail(Errc::syntax, "an object {...} is expected here", object.where);
  const JsonValue* found = object.find(key);
  if (found == nullptr) return fail(Errc::syntax, "key '" + key + "' is missing", object.where);
  return found;
}

Status check_array(const JsonValue& value) {
  if (!value.is(JsonValue::Kind::array)) return fail(Errc::syntax, "a list [...] is expected here", value.where);
  return {};
}

Result<const JsonValue*> array_at(const JsonValue& object, const std::string& key) {
  TIEBREAK_TRY(value, member(object, key));
  TIEBREAK_CHECK(check_array(*value));
  return value;
}

Result<std::string> text_at(const JsonValue& object, const char* key) {
  TIEBREAK_TRY(value, member(object, key));
  return string_of(*value);
}

std::string text_or_empty(const JsonValue& object, const char* key) {
  const JsonValue* value = object.find(key);
  return value != nullptr && value->is(JsonValue::Kind::string) ? value->text : "";
}

Result<std::map<std::string, std::string>> read_texts(const JsonValue& object, std::map<std::string, std::string> texts) {
  if (!object.is(JsonValue::Kind::object)) return fail(Errc::syntax, "an object {...} is expected here", object.where);
  for (std::size_t i = 0; i < object.keys.size(); ++i) {
    TIEBREAK_TRY(text, string_of(object.items[i]));
    texts[object.keys[i]] = text;
  }
  return texts;
}

}  // namespace tiebreak
