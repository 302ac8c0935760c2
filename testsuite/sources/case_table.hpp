// SPDX-License-Identifier: Apache-2.0
// Tables of published cases, as other projects' tests were recorded: recognised by content, never by name. A row that cannot become a
// case (its op has no page, its source expects a refusal) is a case that is not usable, with the reason.
#pragma once
#include "testsuite/sources/case_readers.hpp"
#include "testsuite/text/json_value.hpp"

namespace tiebreak {

/// {"meta", "cases": [{"id", "op", "domain", "opset", "attrs", "inputs": [{"name", "dtype", "shape", "data"}], "outputs", "expect"}]}
bool is_operator_table(const JsonValue& root);
Result<CaseList> read_operator_table(const Library& library, const JsonValue& root, const std::string& path, const CaseFilter& wanted);

/// {"schema": "qnn-cases/1", "cases": [{"id", "inputs": {name: tensor}, "program": [{"op", "inputs", "attrs", "output"}], "expected"}]}
bool is_program_table(const JsonValue& root);
Result<CaseList> read_program_table(const Library& library, const JsonValue& root, const std::string& path, const CaseFilter& wanted);

/// {"schema": "mlir-quant/1", "cases": [{"id", "kind", "attrs", "input", "expected"}]}: what compilers derive and fold.
bool is_kind_table(const JsonValue& root);
Result<CaseList> read_kind_table(const Library& library, const JsonValue& root, const std::string& path, const CaseFilter& wanted);

/// {"meta", "cases": [{"id", "model": {"nodes", "initializers", "inputs", "outputs"}, "feeds": {map: {name: {"data"}}}, "gold"}]}
bool is_model_table(const JsonValue& root);
Result<CaseList> read_model_table(const Library& library, const JsonValue& root, const std::string& path, const CaseFilter& wanted);

/// {"meta", "quantization_util": {...}, "litert_quantize_op": {"cases": [...]}, "torchao_mx": {...}, ...}: a section for each tested file.
bool is_section_table(const JsonValue& root);
Result<CaseList> read_section_table(const Library& library, const JsonValue& root, const std::string& path, const CaseFilter& wanted);

/// The reader that knows the table by its content, nullptr if there is none.
using TableReader = Result<CaseList> (*)(const Library& library, const JsonValue& root, const std::string& path, const CaseFilter& wanted);
TableReader table_reader(const JsonValue& root);

/// A tensor of {"dtype": "float32", "shape", "data" or "fill"}; numpy's words. Codes of 8-bit floats stand as whole numbers.
Result<Tensor> table_tensor(const JsonValue& value);
Result<ElementType> table_type(const std::string& word, const std::string& where);
/// Attributes by name; those that ONNX writes as a number of a data type become element types.
Result<AttributeMap> table_attributes(const JsonValue* object);

}  // namespace tiebreak
