// SPDX-License-Identifier: Apache-2.0
#include "testsuite/text/json_writer.hpp"

#include <array>

namespace tiebreak {
namespace {

std::string hex_escape(unsigned code) {
  constexpr std::string_view digits = "0123456789abcdef";
  return std::string("\\u00") + digits[(code >> 4) & 15u] + digits[code & 15u];
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
  auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  auto follows = [&](std::size_t i) { return (byte(i) & 0xC0u) == 0x80u; };
  unsigned first = byte(0);
  if (first < 0x80u) return 1;
  if (first >= 0xC2u && first < 0xE0u && follows(1)) return 2;
  if ((first & 0xF0u) == 0xE0u && follows(1) && follows(2)) {
    bool overlong = first == 0xE0u && byte(1) < 0xA0u;
    bool surrogate = first == 0xEDu && byte(1) >= 0xA0u;
    return overlong || surrogate ? 0 : 3;
  }
  if (first >= 0xF0u && first < 0xF5u && follows(1) && follows(2) && follows(3)) {
    bool overlong = first == 0xF0u && byte(1) < 0x90u;
    bool beyond = first == 0xF4u && byte(1) >= 0x90u;
    return overlong || beyond ? 0 : 4;
  }
  return 0;
}

std::string json_quoted(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    std::size_t length = utf8_length(text);
    auto first = static_cast<unsigned char>(text[0]);
    if (length == 0) {
      out += "\\ufffd";
      length = 1;
    } else if (first == '"' || first == '\\') {
      out += '\\';
      out += text[0];
    } else if (first == '\n') {
      out += "\\n";
    } else if (first == '\t') {
      out += "\\t";
    } else if (first < 0x20u || first == 0x7Fu) {
      out += hex_escape(first);
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return out + "\"";
}

void JsonWriter::separate() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (has_items_.empty()) return;
  if (has_items_.back()) out_ += ',';
  has_items_.back() = true;
  out_ += '\n';
  out_.append(has_items_.size() * 2, ' ');
}

void JsonWriter::open(char bracket) {
  separate();
  out_ += bracket;
  has_items_.push_back(false);
}

void JsonWriter::close(char bracket) {
  bool had_items = has_items_.back();
  has_items_.pop_back();
  if (had_items) {
    out_ += '\n';
    out_.append(has_items_.size() * 2, ' ');
  }
  out_ += bracket;
}

void JsonWriter::raw(std::string_view text) {
  separate();
  out_ += text;
}

JsonWriter& JsonWriter::begin_object() { return open('{'), *this; }
JsonWriter& JsonWriter::end_object() { return close('}'), *this; }
JsonWriter& JsonWriter::begin_array() { return open('['), *this; }
JsonWriter& JsonWriter::end_array() { return close(']'), *this; }

JsonWriter& JsonWriter::key(std::string_view name) {
  raw(json_quoted(name) + ": ");
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) { return raw(json_quoted(text)), *this; }
JsonWriter& JsonWriter::value(std::int64_t number) { return raw(std::to_string(number)), *this; }
JsonWriter& JsonWriter::value(std::uint64_t number) { return raw(std::to_string(number)), *this; }
JsonWriter& JsonWriter::value(bool truth) { return raw(truth ? "true" : "false"), *this; }
JsonWriter& JsonWriter::null() { return raw("null"), *this; }

JsonWriter& JsonWriter::value(const std::vector<std::string>& texts) {
  begin_array();
  for (const std::string& text : texts) value(text);
  return end_array();
}

JsonWriter& JsonWriter::value(const std::map<std::string, std::string>& texts) {
  begin_object();
  for (const auto& [name, text] : texts) member(name, text);
  return end_object();
}

}  // namespace tiebreak
