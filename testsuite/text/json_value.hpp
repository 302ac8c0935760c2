// SPDX-License-Identifier: Apache-2.0
// JSON as cases, manifests and baselines are read: comments allowed, duplicate keys refused, numbers kept as written (a number is
// never a double here), and every value knows its place.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/error.hpp"

namespace tiebreak {

struct JsonValue {
  enum class Kind : std::uint8_t { null, boolean, number, string, array, object } kind = Kind::null;
  bool truth = false;
  std::string text{};               ///< a string's content; a number as written
  std::vector<std::string> keys{};  ///< of an object, in order; items has their values
  std::vector<JsonValue> items{};
  std::string where{};  ///< file:/json/pointer

  bool is(Kind wanted) const { return kind == wanted; }
  const JsonValue* find(const std::string& key) const;  ///< nullptr if absent or no object
};

Result<JsonValue> parse_json(const std::string& text, const std::string& file);
Result<JsonValue> read_json_file(const std::string& path);
/// The text at `key` of an object, found without reading past its first list: "" if none stands before that, or if this is no JSON.
std::string early_text(const std::string& text, const std::string& key);
/// Whole file as text: Errc::io with the reason.
Result<std::string> read_text_file(const std::string& path);

/// An object with known keys only, else an error with the nearest one.
Status check_object(const JsonValue& value, const std::vector<std::string>& known_keys);
Result<std::string> string_of(const JsonValue& value);
Result<std::int64_t> integer_of(const JsonValue& value);
/// A whole number that stands in a text, with spaces around it or without.
Result<std::int64_t> integer_of_text(const std::string& text, const std::string& where);
/// The version of an operator set: a whole number that an int holds, not negative.
Result<int> version_of(const JsonValue& value);
Result<const JsonValue*> member(const JsonValue& object, const std::string& key);  ///< error if absent
Result<std::string> text_at(const JsonValue& object, const char* key);             ///< a string's content, error if absent
std::string text_or_empty(const JsonValue& object, const char* key);
/// {"key": "text"} as a map, over those that there are.
Result<std::map<std::string, std::string>> read_texts(const JsonValue& object, std::map<std::string, std::string> texts = {});
Status check_array(const JsonValue& value);
Result<const JsonValue*> array_at(const JsonValue& object, const std::string& key);  ///< error if absent or no array

}  // namespace tiebreak
