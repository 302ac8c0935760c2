// SPDX-License-Identifier: Apache-2.0
// Cases from a source of any kind, and where an installation keeps its own.
#pragma once
#include "testsuite/case/case.hpp"

namespace tiebreak {

/// Asked with the op at the top of a case file before the rest of it is read; false leaves the file out.
using OpFilter = std::function<bool(const std::string& op)>;

/// Shapes for inputs that a model leaves open, by their names.
using InputShapes = std::map<std::string, Shape>;

/// Reads a SOURCE: case file (.json), golden file (.h5), node-test folder, .onnx with inputs beside it, .tflite, .mlir, spec page (.md or op name),
/// or a folder of such. Generators run here; everything is deterministic. `seed` is added to the seeds that case files write.
Result<std::vector<Case>> load_cases(const Library& library, const std::string& source, const CaseFilter& wanted = {}, std::uint64_t seed = 0,
                                     const OpFilter& wanted_ops = {}, const InputShapes& shapes = {});

/// The case files of this installation: $TIEBREAK_CASES, else found beside the spec folder. "" if there are none.
std::string default_case_folder();
/// Further cases beside them, made to kill mutants; golden files have none of them. "" if there are none, or if $TIEBREAK_CASES is set.
std::string default_mutant_folder();
/// Cases that only a full run takes: `stairs`, `deep`. "" if there are none, or if $TIEBREAK_CASES is set.
std::string further_case_folder(const std::string& name);
/// The golden files of this installation: $TIEBREAK_GOLDEN, else found beside the spec folder. "" if there are none.
std::string default_golden_folder();

}  // namespace tiebreak
