// SPDX-License-Identifier: Apache-2.0
// Operations, generic and pretty, and what becomes of them: values, types that must agree, constants, returns.
#include "interpreter/program/mlir_parser.hpp"

namespace tiebreak::mlir {
namespace {

bool is_return(const std::string& op) {
  return op == "return" || op == "func.return" || op == "stablehlo.return" || op == "onnx.Yield" || op == "iree_compress.return";
}
bool is_constant(const std::string& op) { return op == "stablehlo.constant" || op == "arith.constant" || is_tosa_constant(op); }

std::string type_text(const std::optional<TensorType>& type) { return type ? to_text(*type) : std::string(unknown_type); }

}  // namespace

Status Parser::operation(Function& function) {
  Draft draft;
  TIEBREAK_CHECK(results(draft));
  draft.offset = cursor_.offset();
  if (cursor_.peek() == '^') return cursor_.error_at(draft.offset, Errc::unsupported, "blocks are not supported");
  TIEBREAK_CHECK(cursor_.peek() == '"' ? generic(function, draft) : pretty(function, draft));
  TIEBREAK_CHECK(location());
  TIEBREAK_CHECK(nested_attributes(draft));
  complete(draft);
  return finish(function, std::move(draft));
}

/// `%a, %b =` or `%r:2 =`
Status Parser::results(Draft& draft) {
  if (cursor_.peek() != '%') return {};
  do {
    TIEBREAK_TRY(place, value_name());
    if (place.name == "none") return cursor_.error_at(place.offset, Errc::syntax, "%none stands for an absent operand and cannot be a result");
    if (!cursor_.accept(":")) {
      draft.results.push_back(place);
      continue;
    }
    TIEBREAK_TRY(count, cursor_.natural());
    if (count < 1 || count > 4096) return cursor_.error_at(place.offset, Errc::limit, "an operation has 1 to 4096 results");
    for (std::int64_t i = 0; i < count; ++i) {
      draft.results.push_back(Place{count == 1 ? place.name : place.name + "#" + std::to_string(i), place.offset});
    }
  } while (cursor_.accept(","));
  return cursor_.expect("=", "results");
}

Result<Parser::Place> Parser::value_name() {
  Place place{"", cursor_.offset()};
  TIEBREAK_CHECK(cursor_.expect("%", "an operand list"));
  place.name = std::string(cursor_.suffix());
  if (place.name.empty()) return cursor_.error_at(place.offset, Errc::syntax, "expected a name after '%'");
  if (cursor_.accept_raw("#")) {
    TIEBREAK_TRY(index, cursor_.natural());
    place.name += "#" + std::to_string(index);
  }
  return place;
}

/// Functions and modules hold operations and are none.
Status Parser::no_function(const Draft& draft) const {
  if (draft.op != "func.func" && draft.op != "builtin.module") return {};
  return cursor_.error_at(draft.offset, Errc::unsupported, draft.op + " among operations is not supported", "write func.func @name(...) { ... }");
}

Status Parser::generic(Function& function, Draft& draft) {
  TIEBREAK_TRY(name, cursor_.string());
  draft.op = std::move(name);
  TIEBREAK_CHECK(no_function(draft));
  TIEBREAK_CHECK(cursor_.expect("(", "the operation's name"));
  if (cursor_.peek() != ')') {
    do {
      TIEBREAK_TRY(place, value_name());
      draft.operands.push_back(std::move(place));
    } while (cursor_.accept(","));
  }
  TIEBREAK_CHECK(cursor_.expect(")", "operands"));
  if (cursor_.peek() == '[') return cursor_.error_at(cursor_.offset(), Errc::unsupported, "successors are not supported");
  TIEBREAK_CHECK(pretty_dictionary(draft));
  if (cursor_.peek() == '(') {
    TIEBREAK_CHECK(regions(function, draft));
    TIEBREAK_CHECK(pretty_dictionary(draft));
  }
  TIEBREAK_CHECK(cursor_.expect(":", "an operation in generic form"));
  return signature(draft);
}

/// `<{...}>` and `{...}`, each or none.
Status Parser::pretty_dictionary(Draft& draft) {
  const std::size_t at = cursor_.offset();
  if (cursor_.accept("<{")) {
    TIEBREAK_TRY(map, dictionary("}"));
    TIEBREAK_CHECK(cursor_.expect(">", "properties"));
    TIEBREAK_CHECK(merge(draft, at, std::move(map), true));
  }
  if (cursor_.accept("{")) {
    TIEBREAK_TRY(map, dictionary("}"));
    TIEBREAK_CHECK(merge(draft, at, std::move(map), false));
  }
  return {};
}

/// `(T, ...) -> T` or `(T, ...) -> (T, ...)`
Status Parser::signature(Draft& draft) {
  TIEBREAK_CHECK(type_list(draft.operand_types));
  TIEBREAK_CHECK(cursor_.expect("->", "the operands' types"));
  const std::size_t at = cursor_.offset();
  if (cursor_.peek() == '(') {
    TIEBREAK_CHECK(type_list(draft.result_types));
  } else {
    TIEBREAK_TRY(result, type());
    draft.result_types.push_back(std::move(result));
  }
  if (draft.operand_types.size() != draft.operands.size()) {
    return cursor_.error_at(
        draft.offset, Errc::type,
        draft.op + " has " + std::to_string(draft.operands.size()) + " operands and " + std::to_string(draft.operand_types.size()) + " operand types");
  }
  if (!draft.results.empty() && draft.result_types.size() != draft.results.size()) {
    return cursor_.error_at(
        at, Errc::type,
        draft.op + " has " + std::to_string(draft.results.size()) + " results and " + std::to_string(draft.result_types.size()) + " result types");
  }
  return {};
}

Status Parser::location() {
  if (!cursor_.accept_word("loc")) return {};
  TIEBREAK_CHECK(cursor_.expect("(", "'loc'"));
  TIEBREAK_TRY(end, cursor_.closing('(', ')'));
  cursor_.rewind(end + 1);
  return {};
}

Status Parser::finish(Function& function, Draft draft) {
  if (function.returned) return cursor_.error_at(draft.offset, Errc::syntax, "an operation after the return");
  if (is_return(draft.op)) return finish_return(function, draft);
  if (is_constant(draft.op)) return finish_constant(function, std::move(draft));
  TIEBREAK_TRY(annotations, take_annotations(draft.attributes, draft.offset, draft.result_types.size()));
  Operation operation;
  operation.op = draft.op;
  operation.version = draft.version;
  operation.where = cursor_.where(draft.offset);
  operation.attributes = std::move(draft.attributes);
  operation.regions = std::move(draft.regions);
  for (std::size_t i = 0; i < draft.operands.size(); ++i) {
    const MlirType* type = i < draft.operand_types.size() ? &draft.operand_types[i] : nullptr;
    TIEBREAK_TRY(id, use(function, draft.operands[i], type));
    operation.operands.push_back(id);
  }
  if (draft.results.size() > draft.result_types.size()) {
    return cursor_.error_at(draft.offset, Errc::type, draft.op + " has results but no result types");
  }
  draft.results.resize(draft.result_types.size(), Place{"", draft.offset});
  for (std::size_t i = 0; i < draft.results.size(); ++i) {
    TIEBREAK_TRY(id, define(function, draft.results[i], draft.result_types[i]));
    if (i < annotations.size()) function.program.values[static_cast<std::size_t>(id)].quantize_info = std::move(annotations[i]);
    operation.results.push_back(id);
  }
  function.program.operations.push_back(std::move(operation));
  return {};
}

Status Parser::finish_return(Function& function, const Draft& draft) {
  for (std::size_t i = 0; i < draft.operands.size(); ++i) {
    const MlirType* type = i < draft.operand_types.size() ? &draft.operand_types[i] : nullptr;
    TIEBREAK_TRY(id, use(function, draft.operands[i], type));
    if (id < 0) return cursor_.error_at(draft.operands[i].offset, Errc::type, "%none cannot be returned");
    function.program.outputs.push_back(id);
  }
  function.returned = true;
  return {};
}

/// `%r` and `%r#0` are the same value.
std::optional<ValueId> Parser::find(const Function& function, const std::string& name) {
  auto found = function.scope.find(name);
  if (found == function.scope.end() && name.ends_with("#0")) found = function.scope.find(name.substr(0, name.size() - 2));
  if (found == function.scope.end()) found = function.scope.find(name + "#0");
  return found == function.scope.end() ? std::nullopt : std::optional<ValueId>(found->second);
}

/// The value may be given in the storage type of a quantized result.
Status Parser::finish_constant(Function& function, Draft draft) {
  const char* key = is_tosa_constant(draft.op) ? "values" : "value";
  const auto value = draft.attributes.find(key);
  Tensor* tensor = value == draft.attributes.end() ? nullptr : std::get_if<Tensor>(&value->second.value);
  if (!tensor) return cursor_.error_at(draft.offset, Errc::type, draft.op + " needs a " + key + " = dense<...> : tensor<...>");
  if (draft.results.size() != 1) return cursor_.error_at(draft.offset, Errc::type, draft.op + " has one result");
  MlirType type{MlirType::Kind::tensor, tensor->type()};
  if (!draft.result_types.empty() && draft.result_types[0].kind == MlirType::Kind::tensor) {
    type = draft.result_types[0];
    const bool storage = type.tensor.quantized && !tensor->type().quantized && tensor->element() == type.tensor.element && tensor->shape() == type.tensor.shape;
    if (!storage && !same_type(type.tensor, tensor->type())) {
      return cursor_.error_at(draft.offset, Errc::type, "a constant of type " + to_text(tensor->type()) + " as " + to_text(type.tensor));
    }
    for (std::int64_t i = 0; storage && i < tensor->size(); ++i) {
      const Real code = tensor->value(i);
      if (code < type.tensor.quantized->storage_min || code > type.tensor.quantized->storage_max) {
        return cursor_.error_at(draft.offset, Errc::type, "element " + std::to_string(i) + ": " + code.to_string() + " is outside the storage range");
      }
    }
    tensor->set_type(type.tensor);
  }
  TIEBREAK_TRY(annotations, take_annotations(draft.attributes, draft.offset, 1));
  TIEBREAK_TRY(id, define(function, draft.results[0], type));
  ProgramValue& made = function.program.values[static_cast<std::size_t>(id)];
  made.constant = std::move(*tensor);
  if (!annotations.empty()) made.quantize_info = std::move(annotations[0]);
  return {};
}

Result<ValueId> Parser::use(Function& function, const Place& place, const MlirType* type) {
  const bool none = type && type->kind == MlirType::Kind::none;
  if (place.name == "none" || none) {
    if (place.name == "none" && (none || !type)) return -1;
    return cursor_.error_at(place.offset, Errc::type, "the absent operand is %none of type none");
  }
  const auto found = find(function, place.name);
  if (!found && function.outer) return capture(function, place, type);
  if (!found) {
    if (!function.bare || !type) return cursor_.error_at(place.offset, Errc::syntax, "%" + place.name + " is not defined before this use");
    TIEBREAK_TRY(id, define(function, place, *type));
    function.program.inputs.push_back(id);
    return id;
  }
  if (!type || type->kind == MlirType::Kind::unknown) return *found;
  const std::optional<TensorType>& known = function.program.values[static_cast<std::size_t>(*found)].type;
  if (type->kind != MlirType::Kind::tensor) return cursor_.error_at(place.offset, Errc::type, "%" + place.name + " is not used as a tensor");
  if (known && !same_type(*known, type->tensor)) {
    return cursor_.error_at(place.offset, Errc::type, "%" + place.name + " has the type " + type_text(known) + " but is used as " + to_text(type->tensor));
  }
  return *found;
}

Result<ValueId> Parser::define(Function& function, const Place& place, const MlirType& type) {
  ProgramValue value{place.name};
  if (type.kind == MlirType::Kind::tensor) {
    value.type = type.tensor;
  } else if (type.kind != MlirType::Kind::unknown) {
    return cursor_.error_at(place.offset, Errc::type, "%" + place.name + " is not a tensor");
  }
  const auto id = static_cast<ValueId>(function.program.values.size());
  if (!place.name.empty() && !function.scope.emplace(place.name, id).second) {
    return cursor_.error_at(place.offset, Errc::syntax,
                            "%" + place.name + " is defined twice" + (function.bare || function.outer ? ", or used before its definition" : ""));
  }
  function.program.values.push_back(std::move(value));
  return id;
}

}  // namespace tiebreak::mlir
