// SPDX-License-Identifier: Apache-2.0
// Programs in SSA form: what the MLIR and ONNX readers produce and the evaluator runs.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/tensor/attribute.hpp"

namespace tiebreak {

using ValueId = int;  ///< index into Program::values; -1 = absent operand

struct ProgramValue {
  std::string name;                  ///< %0, x ...
  std::optional<TensorType> type{};  ///< unknown until evaluated for ONNX intermediates
  std::optional<Tensor> constant{};  ///< initializer or constant op
  AttributeMap quantize_info{};      ///< what an annotation states of its quantization parameters: scale, zero_point, clip_min, clip_max, axis, from
};

struct Operation;

/// Operations are in topological order; readers reject cycles, double definitions and uses before definitions.
struct Program {
  std::string name;
  std::string file;
  std::vector<ProgramValue> values;
  std::vector<ValueId> inputs;  ///< in declaration order, constants excluded
  std::vector<ValueId> outputs;
  std::vector<Operation> operations;
};

/// A region of an operation: a program of its own. Its inputs are the arguments of its block, then what it captures of the program around it.
struct Region {
  Program program;
  std::vector<ValueId> captured{};  ///< values of the program around it, in the order of the region's last inputs
};

struct Operation {
  std::string op;  ///< page path: onnx.QuantizeLinear, stablehlo.add
  std::vector<ValueId> operands;
  std::vector<ValueId> results;
  AttributeMap attributes;
  int version = 0;                ///< opset
  std::string where;              ///< file:line:column or file: node name
  std::vector<Region> regions{};  ///< in the order in which they are written
};

/// Expected values and inputs that stand in comments around a program: // %x: [1, 2] before, // %y @ profile: [..] after, // error C15.
struct ProgramExample {
  struct Literal {
    std::string name;       ///< x
    std::string condition;  ///< "" or what stands after @: a profile, or choice=alternative, ...
    std::string text;       ///< the value's text
    int line = 0;
  };
  std::vector<Literal> before;
  std::vector<Literal> after;
  std::vector<std::string> errors;  ///< C15
};

struct ParsedMlir {
  std::vector<Program> functions;  ///< one a func.func, or one for a bare snippet of ops (undefined %names become inputs)
  ProgramExample example;          ///< of a bare snippet
};

/// A function of a text, or why it could not be read.
struct MlirFunction {
  std::string name;  ///< without the @; "" of a bare snippet, and of a part of a text that is no function at all
  std::string where;
  bool is_private = false;
  bool is_called = false;  ///< by another function of the text
  Result<Program> program;
  ProgramExample example{};  ///< of a text, or a part of one, with a single function
};

/// Tensors that a text names instead of writing them out, as `dense_resource<NAME>`.
using MlirResources = std::map<std::string, Tensor>;

/// MLIR text: module/func.func or a bare snippet; generic form and the pretty forms of the StableHLO ops, regions, quantized types, dense
/// literals incl. hex. Calls are replaced by what they call; parts between `// -----` are read one after the other. A dictionary `quantize_info` of an
/// argument, a constant or an operation belongs to the value that it makes; a list has one for each result.
/// `first_line` is added to places. Limits: 16 MiB text, nesting 200, elements as element_count().
/// Without resources a name of one is an error.
Result<ParsedMlir> parse_mlir(std::string_view text, const std::string& file, int first_line = 1, const MlirResources* resources = nullptr);
/// The same for a collection of tests: a function, or a part, that cannot be read does not keep the others from being read.
std::vector<MlirFunction> parse_mlir_functions(std::string_view text, const std::string& file, int first_line = 1);
/// Takes out the values, constants included, that nothing reads, defines or returns; the others keep their order.
void drop_unused_values(Program& program);
/// Text of a program in the generic form; parse_mlir(print_mlir(p)) prints the same again.
std::string print_mlir(const Program& program);
/// The same with each constant of more elements than `most_elements` named `constant_N`, and put into `resources`, in its storage type.
std::string print_mlir(const Program& program, std::int64_t most_elements, MlirResources& resources);
/// `[1, 2.5, inf]`, nested, `dense<...>`, hex floats, `undefined` not allowed; checked against the type.
Result<Tensor> parse_literal(std::string_view text, const TensorType& type, const std::string& where);

/// An ONNX ModelProto. Attribute data types (output_dtype, precision, to) become element types; floats are exact. Calls of the model's functions are
/// replaced by the functions' nodes.
Result<Program> read_onnx(std::span<const std::byte> bytes, const std::string& file);
Result<Program> read_onnx_file(const std::string& path);
/// A TensorProto (the input_0.pb of node tests).
Result<Tensor> read_onnx_tensor_file(const std::string& path, std::string* name = nullptr);
/// One-node model for an op call: how adapters and reproducers get an ONNX file from a case. Serialized bytes, deterministic.
Result<std::vector<std::byte>> write_onnx_model(const Program& program);

}  // namespace tiebreak
