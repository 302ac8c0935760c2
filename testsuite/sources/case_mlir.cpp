// SPDX-License-Identifier: Apache-2.0
// MLIR and Relay files and the examples of spec pages: inputs stand in comments before the ops, expectations and errors after them.
#include "interpreter/relay/relay.hpp"
#include "testsuite/case/literal_text.hpp"
#include "testsuite/case/value_name.hpp"
#include "testsuite/sources/case_readers.hpp"
#include "testsuite/sources/program_text.hpp"

namespace tiebreak {
namespace {

Result<Tensor> input_tensor(const ProgramValue& value, const ProgramExample::Literal& literal, const std::string& where) {
  if (!value.type) return fail(Errc::type, "the type of input %" + bare_name(value.name) + " is not known", where);
  return parse_literal(literal_part(literal.text), *value.type, where);
}

/// Inputs, expectations and errors are those of the comments.
Result<Case> make_case(Program program, const ProgramExample& example, const std::string& file, int first_line) {
  std::string where = file + ":" + std::to_string(first_line);
  Case test;
  test.source = file;
  test.program = std::move(program);
  auto place = [&](const ProgramExample::Literal& literal) { return file + ":" + std::to_string(literal.line); };
  for (ValueId id : test.program.inputs) {
    const ProgramValue& value = test.program.values[static_cast<std::size_t>(id)];
    const ProgramExample::Literal* found = nullptr;
    for (const ProgramExample::Literal& literal : example.before) {
      if (bare_name(literal.name) == bare_name(value.name)) found = &literal;
    }
    if (found == nullptr) {
      return fail(Errc::syntax, "input %" + bare_name(value.name) + " has no value", where, "write `// %" + bare_name(value.name) + ": [...]` before the op");
    }
    TIEBREAK_TRY(tensor, input_tensor(value, *found, place(*found)));
    test.inputs.push_back(std::move(tensor));
  }
  for (const ProgramExample::Literal& literal : example.after) {
    bool known = false;
    for (ValueId id : test.program.outputs) known |= bare_name(test.program, id) == bare_name(literal.name);
    if (!known) return fail(Errc::syntax, "%" + bare_name(literal.name) + " is no result of the example", place(literal));
    test.stated[literal.condition].push_back(stated_output(bare_name(literal.name), literal.text, place(literal)));
  }
  if (!example.errors.empty()) test.expected_error = example.errors.front();
  if (example.errors.size() > 1) return fail(Errc::syntax, "an example expects one error", where);
  return test;
}

/// Answers name outputs as the printed program does: `%r#1` prints as %r_1.
void name_outputs(Program& program) {
  for (ValueId id : program.outputs) {
    std::string& name = program.values[static_cast<std::size_t>(id)].name;
    const std::size_t mark = name.find('#');
    if (mark == std::string::npos) continue;
    name[mark] = '_';
    if (name[0] >= '0' && name[0] <= '9') name.insert(0, "_");
  }
}

/// A function of a file as a case: its checks are expectations, and so are comments where the file has one function.
Result<Case> case_of_function(MlirFunction& function, const std::string& path) {
  if (!function.program) return tl::unexpected<Error>(function.program.error());
  const bool has_values = function.program->inputs.empty() || !function.example.before.empty();
  if (!function.name.empty() && !has_values) {
    return fail(Errc::unsupported, "@" + function.name + " takes arguments, and the file gives no values for them", function.where);
  }
  TIEBREAK_TRY(checks, take_checks(*function.program));
  TIEBREAK_TRY(test, make_case(*std::move(function.program), function.example, path, 1));
  test.checks = std::move(checks);
  name_outputs(test.program);
  if (test.program.outputs.empty() && test.checks.empty()) {
    return fail(Errc::unsupported, "@" + function.name + " returns nothing and checks nothing", function.where);
  }
  if (auto unconditional = test.stated.extract(""); !unconditional.empty()) {
    unconditional.key() = "reference";
    test.stated.insert(std::move(unconditional));
  }
  return test;
}

/// A private function, or one that needs arguments and is called by others, is a part of their cases.
bool is_part_of_others(const MlirFunction& function) {
  if (function.is_private) return true;
  return function.is_called && (!function.program || !function.program->inputs.empty());
}

}  // namespace

Result<Case> case_from_example(const std::string& text, const std::string& file, int first_line) {
  TIEBREAK_TRY(parsed, parse_program(text, file, first_line));
  if (parsed.functions.size() != 1) {
    return fail(Errc::syntax, "an example is one function, or ops without one", file + ":" + std::to_string(first_line));
  }
  return make_case(std::move(parsed.functions[0]), parsed.example, file, first_line);
}

Result<CaseList> read_page_cases(const Page& page, const CaseFilter& wanted) {
  CaseList cases;
  for (std::size_t i = 0; i < page.examples.size(); ++i) {
    std::string id = page.name + "/example-" + std::to_string(i + 1);
    if (!is_wanted(wanted, id)) continue;
    TIEBREAK_TRY(test, case_from_example(page.examples[i].text, page.file, page.examples[i].line));
    test.id = id;
    test.source = page.file;  // an op of that name stands for its cases
    // What stands without a condition is the reading called `reference`; single choices are for `spec verify`.
    std::map<std::string, std::vector<StatedOutput>> stated;
    for (auto& [condition, outputs] : test.stated) {
      if (condition.empty()) stated["reference"] = outputs;
      else if (condition.find('=') == std::string::npos) stated[condition] = outputs;
    }
    test.stated = std::move(stated);
    cases.push_back(std::move(test));
  }
  return cases;
}

Result<CaseList> read_program_cases(const std::string& path, const CaseFilter& wanted, const Stop& stop) {
  TIEBREAK_TRY(read, read_program_text(path, stop));
  const std::string name = id_part(std::filesystem::path(path).stem().string());
  std::vector<MlirFunction> functions = parse_program_functions(read.text, read.place);
  CaseList cases;
  std::map<std::string, int> taken;
  for (MlirFunction& function : functions) {
    const bool alone = functions.size() == 1 && function.name.empty();
    if (alone && !function.program && function.program.error().code != Errc::unsupported) return tl::unexpected<Error>(function.program.error());
    if (is_part_of_others(function)) continue;
    // Ops without a function are an example; the functions of a file are its tests.
    std::string id = name + "/" + (function.name.empty() ? "part" : id_part(function.name));
    if (alone && function.program) id = op_names(*function.program) + "/" + name;
    if (const int times = ++taken[id]; times > 1) id += "-" + std::to_string(times);
    if (!is_wanted(wanted, id)) continue;
    Result<Case> made = case_of_function(function, path);
    if (!made && alone && made.error().code != Errc::unsupported) return tl::unexpected<Error>(made.error());
    Case test;
    if (made) test = *std::move(made);
    else test.unusable = made.error();
    test.id = id;
    test.source = path;
    cases.push_back(std::move(test));
  }
  return cases;
}

}  // namespace tiebreak
