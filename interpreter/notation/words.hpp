// SPDX-License-Identifier: Apache-2.0
// The words of the notation, as tables: what a name in a formula may stand for without being defined in the page.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "interpreter/exact/float_format.hpp"
#include "interpreter/notation/syntax.hpp"

namespace tiebreak::notation {

using Words = std::span<const std::string_view>;

Words constants();         ///< true false inf nan none undefined count index
Words rounding_words();    ///< rne rna rhu rhd rnz rtz floor ceil odd
Words conversion_verbs();  ///< sat wrap trap each any
Words family_words();      ///< int uint float: in types and after `is`
Words kind_words();        ///< family words, quant, bool: after `is`
Words facts();             ///< of a tensor or a format: scale, zero_point, min, fraction ...
Words tensor_facts();
Words format_facts();
Words region_facts();           ///< of regions: what their types make them fit for
Words op_facts();               ///< version taps weight: names that every op knows
Words structure_names();        ///< elementwise rows dot ...
Words structure_conventions();  ///< onnx tflite tosa ...: the word after the structure's dot
Words structure_motions();      ///< what comes after the dot of `move`
Words structure_keys();         ///< pad fill at extent taps weight doubt: arguments with '='
Words place_words();            ///< what the formulas of `at`, `extent`, `taps`, `weight` and `doubt` may name
Words index_words();            ///< axis batch channel ...: in brackets after an operand, in `order` and `blocks`
Words modifier_words();         ///< pairwise any unordered order blocks lanes whole
Words statement_words();        ///< use def choice ...: what a statement may begin with
Words syntax_words();           ///< if then else where ...: never a name

struct FunctionWord {
  std::string_view word;
  int least = 1, most = 1;  ///< number of arguments
  bool real = false;        ///< may be irrational: exp, log ...
};
/// The formulas of `at`, `extent`, `taps`, `weight` and `doubt` are asked for by the structure, for values of place_words().
bool is_place_key(std::string_view key);

std::span<const FunctionWord> functions();
const FunctionWord* find_function(std::string_view word);

bool contains(Words words, std::string_view word);
/// iN, uN for N = 1..64 without leading zero, and bool.
bool is_integer_word(std::string_view word);
/// An integer word or a float format's name.
bool is_format_word(std::string_view word);
/// A word that a page may not define: formats, roundings, functions, constants, verbs, syntax.
bool is_reserved(std::string_view word);

enum class ConversionVerb : std::uint8_t { none, sat, wrap, trap, each, any };

/// `F`, `R.F`, `sat.F`, `sat.R.F`, `wrap.I`, `trap.I`, `each.F`, `any.F`, taken apart. Whether the target is one is the caller's to know.
struct Conversion {
  ConversionVerb verb = ConversionVerb::none;
  const Rounding* rounding = nullptr;  ///< nullptr: none written
  std::string_view target{};           ///< a format word, a type variable or the name of a tensor
};
/// nullopt where the text has not this form: a single rounding word, or more than one target word.
std::optional<Conversion> split_conversion(std::string_view text);

/// A number literal that is an integer (no point, whole): an integer has one zero, a real zero has a sign.
bool is_integer_literal(const Expr& number);

/// What stands before the first dot, and what after it ("" without dot).
std::pair<std::string_view, std::string_view> split_first(std::string_view path);
/// What stands before the last dot ("" without dot), and what after it.
std::pair<std::string_view, std::string_view> split_last(std::string_view path);

}  // namespace tiebreak::notation
