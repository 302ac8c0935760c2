// SPDX-License-Identifier: Apache-2.0
#include "testsuite/harness/case_for.hpp"

#include <algorithm>

namespace tiebreak {
namespace {

constexpr std::size_t most_copies = 4096;

struct Word {
  std::string name;               ///< without the dollar sign
  std::vector<JsonValue> values;  ///< numbers and texts
};

Result<std::int64_t> whole(const std::string& text, const std::string& where) {
  const std::size_t first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
  JsonValue number{.kind = JsonValue::Kind::number, .text = first == std::string::npos ? "" : text.substr(first, last - first + 1), .where = where};
  return integer_of(number);
}

/// `[1, 2, "u8"]` or `"1 .. 69"`.
Result<Word> read_word(const std::string& name, const JsonValue& written) {
  Word word{name, {}};
  const bool letters = !name.empty() && name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_") == std::string::npos;
  if (!letters) return fail(Errc::syntax, "a word of 'for' has letters only", written.where);
  if (written.is(JsonValue::Kind::string)) {
    const std::size_t dots = written.text.find("..");
    if (dots == std::string::npos) return fail(Errc::syntax, "a list, or a range such as \"1 .. 69\", is expected here", written.where);
    TIEBREAK_TRY(first, whole(written.text.substr(0, dots), written.where));
    TIEBREAK_TRY(last, whole(written.text.substr(dots + 2), written.where));
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

/// `$word` alone becomes the value, a number too; inside a text it becomes its text. The longest word that fits counts.
void substitute(JsonValue& value, const std::vector<Word>& words, const std::vector<std::size_t>& chosen) {
  for (JsonValue& item : value.items) substitute(item, words, chosen);
  if (!value.is(JsonValue::Kind::string) || value.text.find('$') == std::string::npos) return;
  std::string text;
  for (std::size_t at = 0; at < value.text.size();) {
    const Word* found = nullptr;
    std::size_t index = 0;
    for (std::size_t w = 0; w < words.size() && value.text[at] == '$'; ++w)
      if (value.text.compare(at + 1, words[w].name.size(), words[w].name) == 0 && (found == nullptr || words[w].name.size() > found->name.size())) {
        found = &words[w];
        index = chosen[w];
      }
    if (found == nullptr) {
      text += value.text[at++];
      continue;
    }
    const JsonValue& replacement = found->values[index];
    if (value.text.size() == found->name.size() + 1) value.kind = replacement.kind;
    text += replacement.text;
    at += found->name.size() + 1;
  }
  value.text = std::move(text);
}

}  // namespace

Result<std::vector<JsonValue>> expand_entry(const JsonValue& entry) {
  const JsonValue* written = entry.find("for");
  if (written == nullptr) return std::vector<JsonValue>{entry};
  if (!written->is(JsonValue::Kind::object) || written->keys.empty()) return fail(Errc::syntax, "an object {\"word\": [...]} is expected here", written->where);
  std::vector<Word> words;
  std::size_t copies = 1;
  for (std::size_t i = 0; i < written->keys.size(); ++i) {
    TIEBREAK_TRY(word, read_word(written->keys[i], written->items[i]));
    copies *= word.values.size();
    if (copies > most_copies) return fail(Errc::limit, "'for' makes more than 4096 cases", written->where);
    words.push_back(std::move(word));
  }
  JsonValue pattern = entry;
  const auto place = std::ranges::find(pattern.keys, "for") - pattern.keys.begin();
  pattern.keys.erase(pattern.keys.begin() + place);
  pattern.items.erase(pattern.items.begin() + place);
  std::vector<JsonValue> entries;
  for (std::size_t copy = 0; copy < copies; ++copy) {
    std::vector<std::size_t> chosen(words.size());
    std::size_t rest = copy;  // the last word runs fastest
    for (std::size_t w = words.size(); w-- > 0;) {
      chosen[w] = rest % words[w].values.size();
      rest /= words[w].values.size();
    }
    entries.push_back(pattern);
    substitute(entries.back(), words, chosen);
  }
  return entries;
}

}  // namespace tiebreak
