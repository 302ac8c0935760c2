// SPDX-License-Identifier: Apache-2.0
// Writes JSON in the order it is told, two spaces a level. Text that is not UTF-8 (a backend may print anything) is converted.
// There is no way to write a floating-point number, hence no NaN and no Infinity: exact values are strings.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tiebreak {

class JsonWriter {
 public:
  JsonWriter& begin_object();
  JsonWriter& end_object();
  JsonWriter& begin_array();
  JsonWriter& end_array();
  JsonWriter& key(std::string_view name);
  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(const std::string& text) { return value(std::string_view(text)); }
  JsonWriter& value(std::int64_t number);
  JsonWriter& value(std::uint64_t number);
  JsonWriter& value(int number) { return value(std::int64_t{number}); }
  JsonWriter& value(bool truth);
  JsonWriter& value(const std::vector<std::string>& texts);
  JsonWriter& value(const std::map<std::string, std::string>& texts);
  JsonWriter& null();
  template <class Value>
  JsonWriter& member(std::string_view name, const Value& content) {
    return key(name).value(content);
  }
  /// The text, ended by a newline.
  std::string text() const { return out_ + "\n"; }

 private:
  void separate();
  void open(char bracket);
  void close(char bracket);
  void raw(std::string_view text);
  std::string out_;
  std::vector<bool> has_items_;
  bool after_key_ = false;
};

std::string json_quoted(std::string_view text);
/// Length of the well-formed UTF-8 sequence at the start of `text`, 0 if there is none.
std::size_t utf8_length(std::string_view text);

}  // namespace tiebreak
