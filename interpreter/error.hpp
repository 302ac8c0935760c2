// SPDX-License-Identifier: Apache-2.0
// Errors are values: what happened, where, and what to do next. Nothing in the library throws across its API.
#pragma once
#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace tiebreak {

/// The kinds of failure. Each has one exit code (docs/exit-codes.md).
enum class Errc : std::uint8_t {
  usage,         ///< the command line or an API argument is wrong
  unknown_name,  ///< no such page, op, profile, backend, format, word
  syntax,        ///< a text (page, MLIR, JSON, model) cannot be read
  type,          ///< types, shapes or attributes do not fit the op
  constraint,    ///< a numbered constraint of the op does not hold
  limit,         ///< input larger than the stated limits
  io,            ///< a file cannot be read or written
  corrupt,       ///< a file is truncated, foreign or damaged
  undecided,     ///< a rounding that the precision limit cannot decide (N09)
  unsupported,   ///< a legal input that this build does not execute
  backend,       ///< a backend crashed, hung, or answered garbage
  internal,      ///< a defect of Tiebreak
};

/// One failure. `where` is file:line:column for texts, file:/json/pointer for data, case:index for values.
struct Error {
  Errc code = Errc::internal;
  std::string what;
  std::string where{};
  std::string hint{};
};

template <class T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

/// Builds the error half of a Result: `return fail(Errc::type, "...", where, hint);`
[[nodiscard]] inline tl::unexpected<Error> fail(Errc code, std::string what, std::string where = {}, std::string hint = {}) {
  return tl::unexpected<Error>(Error{code, std::move(what), std::move(where), std::move(hint)});
}

/// The text a user sees: `what (where)`, then the hint on a line of its own.
[[nodiscard]] std::string to_text(const Error& error);

/// Stable word for a code ("type", "constraint", ...), for reports.
[[nodiscard]] const char* to_word(Errc code);

/// The candidate nearest to `word` by edit distance, or "" if none is near. For hints.
template <class Range>
[[nodiscard]] std::string nearest(const std::string& word, const Range& candidates);
[[nodiscard]] std::size_t edit_distance(const std::string& a, const std::string& b);

template <class Range>
std::string nearest(const std::string& word, const Range& candidates) {
  std::string best;
  std::size_t least = word.size() / 2 + 2;
  for (const std::string& candidate : candidates) {
    if (std::size_t distance = edit_distance(word, candidate); distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace tiebreak

/// Unwraps a Result or returns its error: `TIEBREAK_TRY(page, load(path));`
#define TIEBREAK_TRY(name, expression)                                                            \
  auto name##_result = (expression);                                                              \
  if (!name##_result) return tl::unexpected<::tiebreak::Error>(std::move(name##_result).error()); \
  auto&& name = *std::move(name##_result)

/// The same for a Status.
#define TIEBREAK_CHECK(expression)                                                                                                           \
  do {                                                                                                                                       \
    if (auto tiebreak_status = (expression); !tiebreak_status) return tl::unexpected<::tiebreak::Error>(std::move(tiebreak_status).error()); \
  } while (false)
