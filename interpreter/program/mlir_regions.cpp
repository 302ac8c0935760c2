// SPDX-License-Identifier: Apache-2.0
// Regions: one block each, with what it captures of the program around it. A captured value becomes an input of the region's program, after the block's
// arguments, once, in order of first use; a region inside a region captures through all regions between.
#include "interpreter/program/mlir_parser.hpp"

namespace tiebreak::mlir {

/// `({ ... }, { ... })`
Status Parser::regions(Function& function, Draft& draft) {
  TIEBREAK_CHECK(cursor_.expect("(", "operands"));
  do {
    TIEBREAK_CHECK(cursor_.expect("{", "'('"));
    TIEBREAK_TRY(parsed, region(function, {}));
    draft.regions.push_back(std::move(parsed));
  } while (cursor_.accept(","));
  return cursor_.expect(")", "the regions of " + draft.op);
}

/// After the opening brace. The arguments stand before it in pretty forms, in a label `^bb0(%x: T):` in the generic form.
Result<Region> Parser::region(Function& outer, const std::vector<Argument>& arguments) {
  const std::size_t at = cursor_.offset();
  const Nesting nesting(depth_);
  if (nesting.too_deep()) return cursor_.error_at(at, Errc::limit, "regions nested deeper than 200");
  Function inner;
  inner.outer = &outer;
  inner.program.file = cursor_.file();
  const auto define_all = [&](const std::vector<Argument>& list) -> Status {
    for (const Argument& argument : list) {
      TIEBREAK_TRY(id, define(inner, argument.place, argument.type));
      inner.program.inputs.push_back(id);
    }
    return {};
  };
  TIEBREAK_CHECK(define_all(arguments));
  if (cursor_.accept("^")) {
    cursor_.suffix();
    std::vector<Argument> labelled;
    if (cursor_.accept("(")) TIEBREAK_CHECK(argument_list(labelled));
    TIEBREAK_CHECK(cursor_.expect(":", "a block's label"));
    TIEBREAK_CHECK(define_all(labelled));
  }
  while (!cursor_.accept("}")) {
    if (cursor_.at_end()) return cursor_.error("expected '}' at the end of a region");
    if (cursor_.peek() == '^') return cursor_.error_at(cursor_.offset(), Errc::unsupported, "a region with more than one block is not supported");
    TIEBREAK_CHECK(operation(inner));
  }
  if (!inner.returned) return cursor_.error_at(at, Errc::syntax, "a region ends with stablehlo.return");
  return Region{std::move(inner.program), std::move(inner.captured)};
}

/// `%x: T, %y: T)`, after the opening parenthesis.
Status Parser::argument_list(std::vector<Argument>& arguments) {
  for (bool first = true; !cursor_.accept(")"); first = false) {
    if (!first) TIEBREAK_CHECK(cursor_.expect(",", "an argument"));
    TIEBREAK_TRY(place, value_name());
    TIEBREAK_CHECK(cursor_.expect(":", "an argument"));
    TIEBREAK_TRY(read, type());
    TIEBREAK_CHECK(location());
    arguments.push_back(Argument{std::move(place), std::move(read)});
  }
  return {};
}

/// The value of the program around this region, as an input of this one.
Result<ValueId> Parser::capture(Function& function, const Place& place, const MlirType* type) {
  TIEBREAK_TRY(outer, use(*function.outer, place, type));
  const ProgramValue& value = function.outer->program.values[static_cast<std::size_t>(outer)];
  MlirType known{MlirType::Kind::unknown};
  if (value.type) known = MlirType{MlirType::Kind::tensor, *value.type};
  TIEBREAK_CHECK(charge(place.offset, known, 1));
  TIEBREAK_TRY(id, define(function, Place{value.name, place.offset}, known));
  function.program.inputs.push_back(id);
  function.captured.push_back(outer);
  return id;
}

/// `stablehlo.while(%a = %x, %b = %y) : T, T [attributes {...}] cond { ... } do { ... }`: both regions have the same arguments.
Status Parser::pretty_while(Function& function, Draft& draft) {
  std::vector<Argument> arguments;
  TIEBREAK_CHECK(cursor_.expect("(", draft.op));
  for (bool first = true; !cursor_.accept(")"); first = false) {
    if (!first) TIEBREAK_CHECK(cursor_.expect(",", "an operand"));
    TIEBREAK_TRY(place, value_name());
    TIEBREAK_CHECK(cursor_.expect("=", "an argument"));
    TIEBREAK_TRY(operand, value_name());
    arguments.push_back(Argument{std::move(place), {}});
    draft.operands.push_back(std::move(operand));
  }
  const std::size_t at = cursor_.offset();
  if (!arguments.empty()) TIEBREAK_CHECK(cursor_.expect(":", "the operands of " + draft.op));
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (i > 0 && !cursor_.accept(",")) {
      return cursor_.error_at(at, Errc::type, draft.op + " has " + std::to_string(arguments.size()) + " operands and " + std::to_string(i) + " types");
    }
    TIEBREAK_TRY(read, type());
    arguments[i].type = read;
    draft.operand_types.push_back(read);
    draft.result_types.push_back(std::move(read));
  }
  if (!draft.results.empty() && draft.results.size() != arguments.size()) {
    return cursor_.error_at(at, Errc::type,
                            draft.op + " has " + std::to_string(arguments.size()) + " operands and " + std::to_string(draft.results.size()) + " results");
  }
  if (cursor_.accept_word("attributes")) TIEBREAK_CHECK(pretty_dictionary(draft));
  for (const char* word : {"cond", "do"}) {
    if (!cursor_.accept_word(word)) return cursor_.error("expected '" + std::string(word) + "' of " + draft.op + ", found " + cursor_.found());
    TIEBREAK_CHECK(cursor_.expect("{", std::string("'") + word + "'"));
    TIEBREAK_TRY(parsed, region(function, arguments));
    draft.regions.push_back(std::move(parsed));
  }
  return {};
}

/// `stablehlo.reduce(%x init: %a), (%y init: %b) [applies OP] across dimensions = [0] {...} : signature [reducer(%l: T, %r: T) ... {...}]`
Status Parser::pretty_reduce(Function& function, Draft& draft) {
  std::vector<Place> initial;
  do {
    TIEBREAK_CHECK(cursor_.expect("(", draft.op));
    TIEBREAK_TRY(operand, value_name());
    draft.operands.push_back(std::move(operand));
    if (!cursor_.accept_word("init")) return cursor_.error("expected 'init' of " + draft.op + ", found " + cursor_.found());
    TIEBREAK_CHECK(cursor_.expect(":", "'init'"));
    TIEBREAK_TRY(value, value_name());
    initial.push_back(std::move(value));
    TIEBREAK_CHECK(cursor_.expect(")", "an initial value"));
  } while (cursor_.accept(","));
  draft.operands.insert(draft.operands.end(), initial.begin(), initial.end());
  const std::size_t at = cursor_.offset();
  std::string op;
  if (cursor_.accept_word("applies")) {
    op = std::string(cursor_.word());
    if (op.find('.') == std::string::npos) return cursor_.error_at(at, Errc::syntax, "expected an operation after 'applies'");
  }
  for (const char* word : {"across", "dimensions"}) {
    if (!cursor_.accept_word(word)) return cursor_.error("expected 'across dimensions' of " + draft.op + ", found " + cursor_.found());
  }
  TIEBREAK_CHECK(cursor_.expect("=", "'dimensions'"));
  TIEBREAK_TRY(dimensions, list_attribute("[", "]"));
  TIEBREAK_CHECK(set(draft.attributes, at, "dimensions", std::move(dimensions)));
  TIEBREAK_CHECK(pretty_dictionary(draft));
  TIEBREAK_CHECK(cursor_.expect(":", "the dimensions of " + draft.op));
  TIEBREAK_CHECK(signature(draft));
  if (op.empty()) return reducer(function, draft);
  TIEBREAK_TRY(parsed, applied(draft, op, at));
  draft.regions.push_back(std::move(parsed));
  return {};
}

/// Pairs of accumulator and element, one pair an operand; the block takes all accumulators first.
Status Parser::reducer(Function& function, Draft& draft) {
  if (!cursor_.accept_word("reducer")) return cursor_.error("expected 'reducer' of " + draft.op + ", found " + cursor_.found());
  std::vector<Argument> arguments;
  std::vector<Argument> elements;
  while (cursor_.accept("(")) {
    const std::size_t at = cursor_.offset();
    std::vector<Argument> pair;
    TIEBREAK_CHECK(argument_list(pair));
    if (pair.size() != 2) return cursor_.error_at(at, Errc::syntax, "a reducer takes pairs of an accumulator and an element");
    arguments.push_back(std::move(pair[0]));
    elements.push_back(std::move(pair[1]));
  }
  TIEBREAK_CHECK(location());
  arguments.insert(arguments.end(), elements.begin(), elements.end());
  TIEBREAK_CHECK(cursor_.expect("{", "the arguments of a reducer"));
  TIEBREAK_TRY(parsed, region(function, arguments));
  draft.regions.push_back(std::move(parsed));
  return {};
}

/// The region that `applies stablehlo.add` stands for, in the type of the initial value.
Result<Region> Parser::applied(const Draft& draft, const std::string& op, std::size_t offset) const {
  if (draft.operands.size() != 2) return cursor_.error_at(offset, Errc::syntax, "'applies' takes one operand and one initial value");
  ProgramValue value;
  if (draft.operand_types[1].kind == MlirType::Kind::tensor) value.type = draft.operand_types[1].tensor;
  Region region;
  region.program.file = cursor_.file();
  for (const char* name : {"accumulator", "element", "result"}) {
    value.name = name;
    region.program.values.push_back(value);
  }
  region.program.inputs = {0, 1};
  region.program.outputs = {2};
  Operation operation;
  operation.op = op;
  operation.operands = {0, 1};
  operation.results = {2};
  operation.where = cursor_.where(offset);
  region.program.operations.push_back(std::move(operation));
  return region;
}

}  // namespace tiebreak::mlir
