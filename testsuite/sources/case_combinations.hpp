// SPDX-License-Identifier: Apache-2.0
// "for" in a case file: one entry that stands for many, a case for each combination of its words.
#pragma once
#include <optional>

#include "interpreter/json/json_value.hpp"

namespace tiebreak {

/// The cases that an entry stands for: itself, or copies with every `$word` replaced by one of the word's values. At most 4096.
class EntryCopies {
 public:
  /// `entry` outlives the copies.
  static Result<EntryCopies> of(const JsonValue& entry);

  std::size_t size() const { return size_; }
  /// The value at `key` in a copy, nullopt if the entry has none: for a name, before the whole copy is made.
  std::optional<JsonValue> member(std::size_t copy, const std::string& key) const;
  JsonValue copy(std::size_t copy) const;

 private:
  struct Word {
    std::string name{};               ///< without the dollar sign
    std::vector<JsonValue> values{};  ///< numbers and texts
  };

  explicit EntryCopies(const JsonValue& entry) : entry_(entry) {}
  static Result<Word> read_word(const std::string& name, const JsonValue& written);
  const JsonValue& value_of(const Word& word, std::size_t copy) const;
  void substitute(JsonValue& value, std::size_t copy) const;

  const JsonValue& entry_;
  std::vector<Word> words_{};
  std::size_t size_ = 1;
};

}  // namespace tiebreak
