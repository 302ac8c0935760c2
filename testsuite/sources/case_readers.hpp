// SPDX-License-Identifier: Apache-2.0
// One reader for each kind of source. load_cases chooses among them.
#pragma once
#include <filesystem>

#include "testsuite/exchange/exchange.hpp"
#include "testsuite/sources/load_cases.hpp"

namespace tiebreak {

using CaseList = std::vector<Case>;

Result<CaseList> read_case_file(const Library& library, const std::string& path, const CaseFilter& wanted, std::uint64_t seed, const OpFilter& wanted_ops);
/// The program of a stored case, with the call's attributes where it is one op.
Result<Program> stored_program(const ExchangeCase& stored, const std::string& where);
Result<CaseList> read_golden_cases(const std::string& path, const CaseFilter& wanted);
/// `one_of_many`: a damaged test becomes a case that is not usable, instead of an error.
Result<CaseList> read_node_test(const std::filesystem::path& folder, const CaseFilter& wanted, bool one_of_many = false);
/// MLIR or Relay text: each function is a case.
Result<CaseList> read_program_cases(const std::string& path, const CaseFilter& wanted, const Stop& stop = {});
Result<CaseList> read_page_cases(const Page& page, const CaseFilter& wanted);
/// A model of TensorFlow Lite is one case, on the data set beside it or on inputs that are drawn. `seed`: of these.
Result<CaseList> read_tflite_cases(const std::string& path, const CaseFilter& wanted, std::uint64_t seed, const InputShapes& shapes, const Stop& stop);
/// The file that a word for a model means: of a folder the model.onnx in it.
std::string model_path(const std::string& word);
/// The program of a model file, .onnx or .tflite.
Result<Program> read_model_file(const std::string& path);

bool is_node_test(const std::filesystem::path& folder);
/// A model, which can be run layer by layer: an .onnx or .tflite file, or a node test.
bool is_model(const std::string& source);
/// The page a word or a file path names, nullptr if it names none.
const Page* find_page(const Library& library, const std::string& word);

/// A case from one example of a program: program, inputs from the comments before it, expectations and errors after it.
Result<Case> case_from_example(const std::string& text, const std::string& file, int first_line);

/// An empty filter wants everything.
inline bool is_wanted(const CaseFilter& wanted, const std::string& id) { return !wanted || wanted(id); }
/// Letters, digits and _.+- as ids allow them; everything else becomes '-'.
std::string id_part(const std::string& text);

}  // namespace tiebreak
