// SPDX-License-Identifier: Apache-2.0
// Text -> tokens. Where one statement ends and the next begins is decided here, by indentation and open brackets.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/error.hpp"
#include "interpreter/notation/syntax.hpp"

namespace tiebreak::notation {

inline constexpr std::size_t text_limit = 1u << 20;  ///< bytes of one page's semantics
inline constexpr std::size_t number_limit = 1000;    ///< characters of one literal

enum class TokenKind : std::uint8_t {
  path,              ///< name or dotted path, keywords included
  number,            ///< as written
  string,            ///< without the quotes
  symbol,            ///< operators, brackets, separators
  end_of_statement,  ///< the next line is not deeper indented
  end_of_text,
};

struct Token {
  TokenKind kind = TokenKind::end_of_text;
  std::string_view text{};  ///< into the tokenized text
  Position at{};
};

Result<std::vector<Token>> tokenize(std::string_view text, const std::string& file);

/// `'x'`, `the string "x"`, `the end of the statement`: for messages.
std::string describe(const Token& token);
/// file:line:column
std::string place(const std::string& file, Position at);

}  // namespace tiebreak::notation
