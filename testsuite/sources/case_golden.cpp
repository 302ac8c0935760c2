// SPDX-License-Identifier: Apache-2.0
// Golden files as cases: inputs and program as stored, the stored outputs as an expectation under the stored profile.
#include "testsuite/exchange/exchange.hpp"
#include "testsuite/sources/case_readers.hpp"

namespace tiebreak {
namespace {

Result<Case> golden_case(const ExchangeCase& stored, const std::string& path) {
  std::string where = path + ":" + stored.id;
  TIEBREAK_TRY(program, stored_program(stored, where));
  Case test;
  test.id = stored.id;
  test.source = path;
  test.program = std::move(program);
  test.golden_profile = stored.profile;
  if (stored.inputs.size() != test.program.inputs.size() || stored.outputs.size() != test.program.outputs.size()) {
    return fail(Errc::corrupt, "stored tensors do not fit the stored program", where);
  }
  for (const ExchangeTensor& input : stored.inputs) test.inputs.push_back(input.tensor);
  std::vector<ResultTensor> results;
  for (const ExchangeTensor& output : stored.outputs) {
    results.push_back(ResultTensor{output.name, output.tensor, output.undefined, output.before, output.distance});
  }
  test.golden = std::move(results);
  return test;
}

}  // namespace

Result<Program> stored_program(const ExchangeCase& stored, const std::string& where) {
  TIEBREAK_TRY(parsed, parse_mlir(stored.program, where, 1, &stored.constants));
  if (parsed.functions.size() != 1) return fail(Errc::corrupt, "the stored program is not one function", where);
  Program& program = parsed.functions[0];
  // MLIR has neither ONNX's versions nor attributes that are types: for one op the stored call says them.
  if (program.operations.size() == 1 && !stored.op.empty()) {
    program.operations[0].attributes = stored.attributes;
    program.operations[0].version = stored.version;
  }
  return std::move(program);
}

Result<CaseList> read_golden_cases(const std::string& path, const CaseFilter& wanted) {
  TIEBREAK_TRY(file, read_exchange(path));
  if (file.kind != "golden") return fail(Errc::corrupt, "not a golden file but a " + file.kind, path);
  CaseList cases;
  for (const ExchangeCase& stored : file.cases) {
    if (!is_wanted(wanted, stored.id)) continue;
    TIEBREAK_TRY(test, golden_case(stored, path));
    cases.push_back(std::move(test));
  }
  return cases;
}

}  // namespace tiebreak
