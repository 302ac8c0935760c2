// SPDX-License-Identifier: Apache-2.0
// Relay text as tokens. Comments that state a type, `/* ty=Tensor[(1, 8), int8] */`, are tokens, too; others are not.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/program/mlir_cursor.hpp"

namespace tiebreak::relay {

struct Token {
  enum class Kind : std::uint8_t {
    end,
    word,      ///< nn.dense, let
    variable,  ///< %x, %0, %0.1 without the %
    global,    ///< @main without the @
    number,    ///< -1.5e-3f, with its sign and suffix
    string,    ///< "..." with its quotes
    symbol,    ///< a character, or ->
    type,      ///< the start of a comment that states a type; the tokens of the type and `type_end` follow
    type_end,
    metadata,  ///< #[metadata] and all behind it
  };
  Kind kind = Kind::end;
  std::string_view text{};
  std::size_t offset = 0;
  std::size_t after = 0;  ///< of `type`: the index of the token behind its end

  bool is(std::string_view symbol) const { return kind == Kind::symbol && text == symbol; }
  bool is_word(std::string_view word) const { return kind == Kind::word && text == word; }
};

struct Tokens {
  std::vector<Token> list{};              ///< ends with `end`
  std::vector<mlir::Comment> comments{};  ///< those behind //
};

/// `places` is over the same text.
Result<Tokens> read_tokens(std::string_view text, const mlir::Cursor& places);

}  // namespace tiebreak::relay
