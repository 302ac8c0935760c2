// SPDX-License-Identifier: Apache-2.0
#include "testsuite/export/identifiers.hpp"

#include <algorithm>
#include <cctype>

#include "testsuite/export/words.hpp"

namespace tiebreak {
namespace {

constexpr std::size_t longest_identifier = 100;  // file names have 255 with what stands around them

bool is_letter_or_digit(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

std::string in_small_letters(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

}  // namespace

const char* to_word(ExportRole role) {
  switch (role) {
    case ExportRole::input: return "in";
    case ExportRole::constant: return "const";
    case ExportRole::expected: return "expected";
    case ExportRole::defined: return "defined";
    case ExportRole::accumulator: return "accumulator";
    case ExportRole::multiplier: return "multiplier";
    case ExportRole::shift: return "shift";
    case ExportRole::factor: return "factor";
    case ExportRole::divisor: return "divisor";
    case ExportRole::table: return "table";
  }
  return "";
}

std::string Identifiers::numbered(std::string name) {
  std::string free = name;
  for (int number = 2; !taken_.insert(in_small_letters(free)).second; ++number) free = name + "_" + std::to_string(number);
  return free;
}

std::string Identifiers::unique(ExportRole role, const std::string& of) {
  std::string name = std::string(to_word(role)) + "_";
  for (char c : of) name += is_letter_or_digit(c) ? c : '_';
  name.resize(std::min(name.size(), longest_identifier));
  return numbered(std::move(name));
}

std::string Identifiers::unique_folder(const std::string& id) {
  std::string name;
  for (char c : id) name += is_letter_or_digit(c) || c == '.' || c == '-' ? c : '_';
  name.resize(std::min(name.size(), longest_identifier));
  if (name.empty() || name.starts_with('.')) name.insert(0, "_");
  return numbered(std::move(name));
}

std::string macro_name(const std::string& identifier) { return in_capitals(identifier); }

}  // namespace tiebreak
