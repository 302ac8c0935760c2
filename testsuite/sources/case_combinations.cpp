// SPDX-License-Identifier: Apache-2.0
#include "testsuite/sources/case_combinations.hpp"

#include <algorithm>

#include "interpreter/json/json_value.hpp"

namespace tiebreak {
namespace {

constexpr std::size_t most_copies = 4096;

}  // namespace

/// `[1, 2, "u8"]` or `"1 .. 69"`.
Result<EntryCopies::Word> EntryCopies::read_word(const std::string& name, const JsonValue& written) {
  Word word{name, {}};
  const bool letters = !name.empty() && name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_") == std::string::npos;
  if (!letters) return fail(Errc::syntax, "a word of 'for' has letters only", written.where);
  if (written.is(JsonValue::Kind::string)) {
    const std::size_t dots = written.text.find("..");
    if (dots == std::string::npos) return fail(Errc::syntax, "a list, or a range such as \"1 .. 69\", is expected here", written.where);
    TIEBREAK_TRY(first, integer_of_text(written.text.substr(0, dots), written.where));
    TIEBREAK_TRY(last, integer_of_text(written.text.substr(dots + 2), written.where));
    if (last < first || last - first >= static_cast<std::int64_t>(most_copies)) return fail(Errc::syntax, "the range is empty or too long", written.where);
    for (std::int64_t n = first; n <= last; ++n) word.values.push_back({.kind = JsonValue::Kind::number, .text = std::to_string(n), .where = written.where});
    return word;
  }
  TIEBREAK_CHECK(check_array(written));
  for (const JsonValue& value : written.items)
    if (!value.is(JsonValue::Kind::number) && !value.is(JsonValue::Kind::string)) return fail(Errc::syntax, "numbers and texts only", value.where);
  word.values = written.items;
  if (word.values.empty()) return fail(Errc::syntax, "the list is empty", written.where);
  return word;
}

Result<EntryCopies> EntryCopies::of(const JsonValue& entry) {
  EntryCopies copies(entry);
  const JsonValue* written = entry.find("for");
  if (written == nullptr) return copies;
  if (!written->is(JsonValue::Kind::object) || written->keys.empty()) return fail(Errc::syntax, "an object {\"word\": [...]} is expected here", written->where);
  for (std::size_t i = 0; i < written->keys.size(); ++i) {
    TIEBREAK_TRY(word, read_word(written->keys[i], written->items[i]));
    copies.size_ *= word.values.size();
    if (copies.size_ > most_copies) return fail(Errc::limit, "'for' makes more than 4096 cases", written->where);
    copies.words_.push_back(std::move(word));
  }
  return copies;
}

/// The last word runs fastest.
const JsonValue& EntryCopies::value_of(const Word& word, std::size_t copy) const {
  for (std::size_t w = words_.size(); w-- > 0 && &words_[w] != &word;) copy /= words_[w].values.size();
  return word.values[copy % word.values.size()];
}

/// `$word` alone becomes the value, a number too; inside a text it becomes its text. The longest word that fits counts.
void EntryCopies::substitute(JsonValue& value, std::size_t copy) const {
  for (JsonValue& item : value.items) substitute(item, copy);
  if (!value.is(JsonValue::Kind::string) || value.text.find('$') == std::string::npos) return;
  std::string text;
  for (std::size_t at = 0; at < value.text.size();) {
    const Word* found = nullptr;
    for (const Word& word : words_)
      if (value.text[at] == '$' && value.text.compare(at + 1, word.name.size(), word.name) == 0 && (found == nullptr || word.name.size() > found->name.size()))
        found = &word;
    if (found == nullptr) {
      text += value.text[at++];
      continue;
    }
    const JsonValue& replacement = value_of(*found, copy);
    if (value.text.size() == found->name.size() + 1) value.kind = replacement.kind;
    text += replacement.text;
    at += found->name.size() + 1;
  }
  value.text = std::move(text);
}

std::optional<JsonValue> EntryCopies::member(std::size_t copy, const std::string& key) const {
  const JsonValue* found = entry_.find(key);
  if (found == nullptr) return std::nullopt;
  JsonValue value = *found;
  substitute(value, copy);
  return value;
}

JsonValue EntryCopies::copy(std::size_t copy) const {
  JsonValue pattern = entry_;
  if (const auto place = std::ranges::find(pattern.keys, "for"); place != pattern.keys.end()) {
    pattern.items.erase(pattern.items.begin() + (place - pattern.keys.begin()));
    pattern.keys.erase(place);
  }
  substitute(pattern, copy);
  return pattern;
}

}  // namespace tiebreak
