// SPDX-License-Identifier: Apache-2.0
// From tokens to programs, in one pass: an expression is read and becomes operations at once. A function is read again at each call of it,
// with the arguments in its parameters' place. Its parts lie in files of their own: types, literals and attributes, expressions, functions.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "interpreter/program/mlir_parser.hpp"
#include "interpreter/relay/tokens.hpp"

namespace tiebreak::relay {

inline constexpr std::int64_t step_limit = std::int64_t{1} << 18;  ///< operations, literals and members of tuples that a text makes, calls included

struct Type {
  enum class Kind : std::uint8_t { tensor, tuple, function, unknown };
  Kind kind = Kind::unknown;
  TensorType tensor{};
  std::vector<Type> fields{};
};

struct Scope;

/// What an expression stands for.
struct Value {
  enum class Kind : std::uint8_t { tensor, tuple, function, attributes };
  Kind kind = Kind::tensor;
  ValueId id = -1;
  int operation = -1;  ///< of a tensor: whose first result it is, which may turn out to be a tuple
  std::vector<Value> fields{};
  std::size_t function = 0;     ///< the token behind `fn` or the name of a `def`
  const Scope* home = nullptr;  ///< what a function's body sees around it
  std::string text{};           ///< of attributes that stand in the metadata: their name there
};

struct Scope {
  std::map<std::string, Value> names{};
  const Scope* outer = nullptr;
};

class Reader {
 public:
  Reader(Tokens tokens, mlir::Cursor places) : tokens_(std::move(tokens)), places_(std::move(places)) {}
  /// With `strict`, the first function that cannot be read is the error of all.
  Result<std::vector<MlirFunction>> run(bool strict);

 private:
  struct Attributes {
    AttributeMap map{};
    std::vector<Value> operands{};
  };

  // tokens
  const Token& peek();
  Token take();
  bool accept(std::string_view symbol);
  bool accept_word(std::string_view word);
  Status expect(std::string_view symbol, std::string_view after);
  std::string found();
  std::string where(std::size_t offset) const { return places_.where(offset); }
  tl::unexpected<Error> error(Errc code, std::string what) { return error_at(peek().offset, code, std::move(what)); }
  tl::unexpected<Error> error_at(std::size_t offset, Errc code, std::string what, std::string hint = {}) const {
    return places_.error_at(offset, code, std::move(what), std::move(hint));
  }
  Status closed(std::string_view open, std::string_view close);
  Status charge(std::size_t offset);

  // types
  Result<Type> type();
  Result<Type> tensor_type();
  Result<std::int64_t> extent();
  Result<Type> tuple_type();
  Result<Type> function_type();
  Result<ElementType> element_type();
  Status stated_types(Value& value, std::size_t offset);
  Status agree(Value& value, const Type& stated, std::size_t offset);
  Status agree_function(const Value& value, const Type& stated, std::size_t offset);

  // literals and attributes
  Result<Tensor> scalar(const Token& number, bool is_attribute = false) const;
  Result<Attribute> attribute(const std::string& name);
  Result<Attribute> attribute_list(const std::string& name, std::string_view close);
  Result<Attribute> attribute_word(const std::string& name);
  Result<std::string> meta_name();
  Status skip_attribute();

  // expressions
  Result<Value> expression(Scope& scope);
  Result<Value> atom(Scope& scope);
  Result<Value> word_atom(Scope& scope);
  Result<Value> parenthesis(Scope& scope);
  Result<Value> variable(const Scope& scope);
  Result<Value> meta();
  Result<Value> project(Value value, std::size_t index, std::size_t offset);
  Result<Attributes> arguments(Scope& scope);
  Result<Value> operator_call(Scope& scope);
  Result<Value> function_call(Scope& scope, const Value& callee, std::size_t offset);
  Result<std::vector<ValueId>> operands(const std::vector<Value>& values, std::size_t offset) const;
  Value constant(Tensor tensor);
  void give_name(const Value& value, const std::string& name);

  // functions
  Status globals();
  MlirFunction whole_function(const std::string& name, const Token& start, bool is_bare);
  Result<Value> bare(Scope& scope);
  Result<Value> function_value(const Scope& scope);
  Status skip_function();
  Status parameters(Scope& scope, const std::vector<Value>* given, std::size_t offset);
  Result<Value> parameter(const Token& name, const Value* given);
  Result<Value> input(const std::string& name, const Type& type, std::size_t offset);
  Result<Value> statements(Scope& scope);
  Status binding(Scope& scope, bool is_let);
  Status bind(Scope& scope, const Token& name, Value value);
  Result<Value> invoke(const Value& callee, const std::vector<Value>* given, std::size_t offset);
  Status outputs(const Value& value, const std::string& name, std::size_t offset);

  Tokens tokens_;
  mlir::Cursor places_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::int64_t steps_ = 0;
  Program program_{};
  std::map<std::string, std::size_t> globals_{};  ///< the token behind each name
  std::set<std::string> called_{};
  std::set<std::size_t> active_{};              ///< functions that are being read
  std::map<std::string, ValueId> constants_{};  ///< meta[relay.Constant][i]
};

}  // namespace tiebreak::relay
