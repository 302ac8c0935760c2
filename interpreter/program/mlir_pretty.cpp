// SPDX-License-Identifier: Apache-2.0
// Pretty forms: one grammar for all of them, `op [@symbol] [WORD,] operands [, key = value]* {attributes} : types`.
#include "interpreter/program/mlir_parser.hpp"

namespace tiebreak::mlir {

Status Parser::pretty(Function& function, Draft& draft) {
  draft.op = std::string(cursor_.word());
  if (draft.op.empty()) return cursor_.error("expected an operation, found " + cursor_.found());
  if (draft.op.find('.') == std::string::npos && draft.op != "return" && draft.op != "call") {
    return cursor_.error_at(draft.offset, Errc::syntax, "'" + draft.op + "' is not an operation",
                            "operations are written dialect.name, as stablehlo." + draft.op);
  }
  TIEBREAK_CHECK(no_function(draft));
  if (draft.op == "stablehlo.constant" || draft.op == "arith.constant") return pretty_constant(draft);
  if (draft.op == "stablehlo.while") return pretty_while(function, draft);
  if (draft.op == "stablehlo.reduce") return pretty_reduce(function, draft);
  const std::size_t at = cursor_.offset();
  if (cursor_.peek() == '@') {
    TIEBREAK_TRY(symbol, attribute());
    TIEBREAK_CHECK(set(draft.attributes, at, draft.op == "stablehlo.custom_call" ? "call_target_name" : "callee", std::move(symbol)));
  } else if (cursor_.peek() == '"') {
    TIEBREAK_TRY(name, cursor_.string());
    TIEBREAK_CHECK(set(draft.attributes, at, "name", Attribute{std::move(name)}));
  } else if (starts_tosa(draft.op) && cursor_.accept_word("values")) {
    TIEBREAK_CHECK(tosa_values(draft));
  } else if (draft.op == "stablehlo.compare" && is_word_start(cursor_.peek())) {
    TIEBREAK_CHECK(set(draft.attributes, at, "comparison_direction", Attribute{std::string(cursor_.word())}));
    TIEBREAK_CHECK(cursor_.expect(",", "the direction of a comparison"));
  }
  TIEBREAK_CHECK(pretty_operands(draft));
  TIEBREAK_CHECK(pretty_dictionary(draft));
  return pretty_signature(draft);
}

/// `dense<...> : T`, which is also the result's type.
Status Parser::pretty_constant(Draft& draft) {
  TIEBREAK_CHECK(pretty_dictionary(draft));
  const std::size_t at = cursor_.offset();
  TIEBREAK_TRY(value, attribute());
  const Tensor* tensor = std::get_if<Tensor>(&value.value);
  if (!tensor) return cursor_.error_at(at, Errc::unsupported, "a constant is written dense<...> : tensor<...>");
  draft.result_types.push_back(MlirType{MlirType::Kind::tensor, tensor->type()});
  return set(draft.attributes, at, "value", std::move(value));
}

/// `%a, %b` or `(%a, %b)`, then clauses, with a comma before each where operands stood bare.
Status Parser::pretty_operands(Draft& draft) {
  const bool parenthesised = cursor_.accept("(");
  if (parenthesised && cursor_.accept(")")) return pretty_clauses(draft);
  while (cursor_.peek() == '%') {
    TIEBREAK_TRY(place, value_name());
    draft.operands.push_back(std::move(place));
    if (cursor_.accept(",")) continue;
    if (parenthesised) TIEBREAK_CHECK(cursor_.expect(")", "operands"));
    if (parenthesised || cursor_.peek() == '[') return pretty_clauses(draft);
    return {};
  }
  if (!parenthesised) return pretty_clauses(draft);
  if (!is_word_start(cursor_.peek())) return cursor_.error("expected an operand, found " + cursor_.found());
  TIEBREAK_CHECK(pretty_clauses(draft));  // (%a, k = 5)
  return cursor_.expect(")", "operands");
}

Status Parser::pretty_clauses(Draft& draft) {
  if (draft.op == "stablehlo.slice" && cursor_.peek() == '[') return slice_ranges(draft);
  const char first = cursor_.peek();
  if (first == ':' || first == '{' || first == '<' || first == '\0' || first == '}') return {};
  if (draft.operands.empty() && draft.op.ends_with("return")) return {};  // nothing follows but the next line
  do {
    const std::size_t at = cursor_.offset();
    const bool keyed = !cursor_.word().empty() && cursor_.peek() == '=';
    cursor_.rewind(at);
    if (keyed) {
      TIEBREAK_CHECK(pretty_clause(draft));
      continue;
    }
    const bool check = draft.op.starts_with("check.");
    if (!check && draft.op != "stablehlo.compare") return cursor_.error("unexpected " + cursor_.found() + " in " + draft.op);
    TIEBREAK_TRY(value, attribute());
    TIEBREAK_CHECK(set(draft.attributes, at, check ? "value" : "compare_type", std::move(value)));
  } while (cursor_.accept(","));
  return {};
}

/// `: (T, ...) -> T`, `: T` for all, or a type an operand.
Status Parser::pretty_signature(Draft& draft) {
  if (!cursor_.accept(":")) {
    if (draft.results.empty()) return {};
    return cursor_.error("expected ':' and the types of " + draft.op + ", found " + cursor_.found());
  }
  if (cursor_.peek() == '(') return signature(draft);
  const std::size_t at = cursor_.offset();
  std::vector<MlirType> types;
  do {
    TIEBREAK_TRY(next, type());
    types.push_back(std::move(next));
  } while (cursor_.accept(","));
  if (cursor_.peek() == '-') return arrow_signature(draft, std::move(types), at);
  return spread_types(draft, std::move(types), at);
}

/// `: T -> T`, `: T, T -> (T, T)`: the operands' types without parentheses; one type may stand for all.
Status Parser::arrow_signature(Draft& draft, std::vector<MlirType> types, std::size_t offset) {
  TIEBREAK_CHECK(cursor_.expect("->", "the operands' types"));
  if (cursor_.peek() == '(') {
    TIEBREAK_CHECK(type_list(draft.result_types));
  } else {
    TIEBREAK_TRY(result, type());
    draft.result_types.push_back(std::move(result));
  }
  for (const MlirType& type : types) TIEBREAK_CHECK(charge(offset, type, draft.operands.size()));
  draft.operand_types = types.size() == 1 ? std::vector<MlirType>(draft.operands.size(), types[0]) : std::move(types);
  if (draft.operand_types.size() == draft.operands.size() && (draft.results.empty() || draft.results.size() == draft.result_types.size())) return {};
  return cursor_.error_at(offset, Errc::type,
                          draft.op + " has " + std::to_string(draft.operands.size()) + " operands and " + std::to_string(draft.results.size()) +
                              " results, and other numbers of types");
}

Status Parser::spread_types(Draft& draft, std::vector<MlirType> types, std::size_t offset) {
  const std::size_t operands = draft.operands.size();
  for (const MlirType& type : types) TIEBREAK_CHECK(charge(offset, type, operands + draft.results.size()));
  if (draft.op == "stablehlo.select" && types.size() == 2 && operands == 3) {
    draft.operand_types = {types[0], types[1], types[1]};
    draft.result_types.assign(draft.results.size(), types[1]);
    return {};
  }
  if (types.size() == 1 && !draft.op.ends_with("return")) {
    draft.operand_types.assign(operands, types[0]);
    draft.result_types.assign(draft.results.size(), types[0]);
    return {};
  }
  if (types.size() == operands && (draft.results.empty() || draft.results.size() == operands)) {
    draft.operand_types = types;
    if (!draft.results.empty()) draft.result_types = std::move(types);
    return {};
  }
  return cursor_.error_at(offset, Errc::type, draft.op + " has " + std::to_string(operands) + " operands and " + std::to_string(types.size()) + " types",
                          "one type for all, or (T, ...) -> T");
}

}  // namespace tiebreak::mlir
