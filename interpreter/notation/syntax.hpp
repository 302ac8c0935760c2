// SPDX-License-Identifier: Apache-2.0
// The tree of a page's `semantics` text, as docs/notation.md has the grammar. One node type a production; places for every message.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "interpreter/exact/real.hpp"

namespace tiebreak::notation {

struct Position {
  int line = 0;    ///< of the page, from 1
  int column = 0;  ///< from 1
};

struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;

enum class ExprKind : std::uint8_t {
  number,       ///< value; text: as written (empty in trees that no text was read for)
  string,       ///< text
  constant,     ///< text: true false inf nan none undefined count index
  name,         ///< text: dotted path as written (x, x.scale, requantize.code)
  call,         ///< text(args): definitions, choices, conversions (f32, sat.i8, rtz.bf16, each.f32, any.y), functions, rounding words
  unary,        ///< text: - not
  binary,       ///< text: + - * / ^ == != < <= > >= in and or
  is,           ///< args[0] is text
  conditional,  ///< args: condition, then, otherwise
  item,         ///< args[0] [ args[1] ]
  tuple,        ///< (a, b, ...), two parts or more
  list,         ///< [a, b, ...]
  data,         ///< text: file beside the page
  aggregate,    ///< text: sum product min max fold; args: body, start?; modifiers
};

struct Modifier {
  std::string name;  ///< f32, sat.i14, pairwise, any, unordered, order, blocks, lanes, whole, or a definition
  std::vector<ExprPtr> args;
  Position at;
};

struct Expr {
  ExprKind kind = ExprKind::number;
  Position at{};
  Real value{};
  std::string text{};
  std::vector<ExprPtr> args{};
  std::vector<Modifier> modifiers{};
};

/// One or more names bound at once: `y = ...`, `(m, e) = ...`.
struct Binding {
  std::vector<std::string> targets;
  ExprPtr value;
  Position at;
};

struct Body {
  ExprPtr value;
  std::vector<Binding> where;
};

struct Definition {
  std::string name;
  std::vector<std::string> parameters;
  Body body;
  Position at;
};

struct Alternative {
  std::string name;
  Body body;
  Position at;
  std::string file{};  ///< of the page where it stands; empty: where the choice stands
};

struct Choice {
  std::string name;
  std::vector<std::string> parameters;
  std::vector<Alternative> alternatives;  ///< the first is the page's own reading
  Position at;
};

/// alternative onnx.QLinearConv/accumulator: name = body: further alternatives of a choice that stands elsewhere.
struct Addition {
  std::string key;  ///< module/choice or op/choice, as profiles have it
  std::vector<Alternative> alternatives;
  Position at;
};

struct Claim {
  std::string name;
  std::vector<std::pair<std::string, std::string>> parameters;  ///< name, type
  ExprPtr condition;
  Position at;
};

/// use module as alias (choice = alternative, ...)
struct Use {
  std::string module;  ///< dotted: quant.requantize
  std::string alias;   ///< last word of the module unless `as`
  std::vector<std::pair<std::string, std::string>> readings;
  Position at;
};

/// `channel` or `axis by block_size` inside [...]; `*` for a table.
struct Index {
  std::string name;
  ExprPtr by{};
};

/// x: T · x: quant(S:E) · s: S[axis by 32] · b: i32?[channel] = 0 · x: Q... · t: i8[*]
struct Operand {
  std::string name;
  std::vector<std::string> types{};                                ///< alternatives, empty: any
  std::optional<std::pair<std::string, std::string>> quantized{};  ///< storage and expressed variables
  bool optional = false;
  bool variadic = false;
  bool indexed = false;  ///< brackets were written; [] = one value
  std::vector<Index> indices{};
  ExprPtr default_value{};
  Position at{};
};

struct Argument {  ///< of a structure: name, `axis by n`, `pad = e`
  std::string name;
  ExprPtr by{};
  ExprPtr value{};
};

struct Structure {
  std::string path;  ///< elementwise, convolution.onnx ...
  std::vector<Argument> arguments;
  Position at;
};

struct TypeVariables {  ///< types T: f32 f16; Q: i8 u8
  std::vector<std::pair<std::string, std::vector<std::string>>> variables;
  Position at;
};

struct TypeAlias {  ///< type E = y.expressed
  std::string name;
  ExprPtr value;
  Position at;
};

struct Constraint {
  std::string label;
  bool require = false;  ///< true: `require`, per cell, else undefined
  ExprPtr condition;
  Position at;
};

struct Stage {  ///< q, s <- quant.dynamic_rows(x) {axis = -1}
  std::vector<std::string> targets;
  std::string op;
  std::vector<ExprPtr> args;
  std::vector<std::pair<std::string, ExprPtr>> attributes;
  Position at;
};

/// y = body (where included)
struct Let {
  std::vector<std::string> targets;
  Body body;
  Position at;
};

using Statement = std::variant<TypeVariables, TypeAlias, Structure, Constraint, Stage, Let, Definition, Choice, Claim>;

struct Op {
  std::string path;  ///< onnx.QuantizeLinear
  std::vector<Operand> operands;
  std::vector<Operand> attributes;  ///< name and default_value
  std::vector<std::string> regions;
  std::vector<Operand> results;
  std::vector<Statement> statements;
  Position at;
};

/// All semantics blocks of one page.
struct Module {
  std::string name;  ///< onnx.QuantizeLinear for spec/onnx/QuantizeLinear.md
  std::string file;  ///< as shown in messages
  std::vector<Use> uses;
  std::vector<Definition> definitions;
  std::vector<Choice> choices;
  std::vector<Addition> additions{};  ///< to choices of other pages; the library joins them to these
  std::vector<Claim> claims;
  std::vector<Op> ops;
};

}  // namespace tiebreak::notation
