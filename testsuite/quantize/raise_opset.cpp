// SPDX-License-Identifier: Apache-2.0
// Operators of an older ONNX operator set in the forms of a newer one: what was an attribute becomes an operand.
#include <algorithm>

#include "testsuite/quantize/quantize.hpp"

namespace tiebreak {
namespace {

constexpr int oldest_opset = 9;

struct MovedAttribute {
  const char* op;
  const char* attribute;
  int since;
};
constexpr std::array<MovedAttribute, 15> moved_attributes{{{"onnx.Squeeze", "axes", 13},
                                                           {"onnx.Unsqueeze", "axes", 13},
                                                           {"onnx.ReduceSum", "axes", 13},
                                                           {"onnx.Split", "split", 13},
                                                           {"onnx.ReduceMean", "axes", 18},
                                                           {"onnx.ReduceMax", "axes", 18},
                                                           {"onnx.ReduceMin", "axes", 18},
                                                           {"onnx.ReduceProd", "axes", 18},
                                                           {"onnx.ReduceL1", "axes", 18},
                                                           {"onnx.ReduceL2", "axes", 18},
                                                           {"onnx.ReduceLogSum", "axes", 18},
                                                           {"onnx.ReduceLogSumExp", "axes", 18},
                                                           {"onnx.ReduceSumSquare", "axes", 18},
                                                           {"onnx.Pad", "pads", 11},
                                                           {"onnx.TopK", "k", 10}}};

class Raiser {
 public:
  Raiser(const Program& program, int opset) : opset_(opset), raised_(program) {}

  Result<Program> run() {
    std::vector<Operation> operations = std::move(raised_.operations);
    raised_.operations.clear();
    for (Operation& operation : operations) {
      if (operation.op.starts_with("onnx.") && operation.version < opset_) TIEBREAK_CHECK(raise(operation));
      raised_.operations.push_back(std::move(operation));
    }
    return std::move(raised_);
  }

 private:
  ValueId define(const std::string& name, std::optional<Tensor> constant = std::nullopt) {
    raised_.values.push_back({name, constant ? std::optional(constant->type()) : std::nullopt, constant});
    return static_cast<ValueId>(raised_.values.size()) - 1;
  }
  std::string stem(const Operation& operation) const { return raised_.values[static_cast<std::size_t>(operation.results.at(0))].name; }

  Status raise(Operation& operation) {
    if (operation.version < oldest_opset)
      return fail(Errc::unsupported, "a model of opset " + std::to_string(operation.version), operation.where,
                  "convert the model to opset " + std::to_string(opset_) + " first");
    for (const MovedAttribute& moved : moved_attributes)
      if (operation.op == moved.op && operation.version < moved.since && opset_ >= moved.since) TIEBREAK_CHECK(move_list(operation, moved.attribute));
    if (operation.op == "onnx.Clip" && operation.version < 11) clip_bounds(operation);
    if (operation.op == "onnx.Pad" && operation.version < 11) move_number(operation, "value");
    if (operation.op == "onnx.Slice" && operation.version < 10) TIEBREAK_CHECK(slice_bounds(operation));
    if (operation.op == "onnx.Dropout" && operation.version < 12) operation.attributes.erase("ratio");
    if ((operation.op == "onnx.Resize" || operation.op == "onnx.Upsample") && operation.version < 11) old_resize(operation);
    if (operation.op == "onnx.Split" && opset_ >= 18 && operation.operands.size() == 1 && operation.attributes.count("num_outputs") == 0)
      operation.attributes["num_outputs"] = Attribute{Real(static_cast<std::int64_t>(operation.results.size()))};
    const bool flattens = operation.op == "onnx.Softmax" || operation.op == "onnx.LogSoftmax" || operation.op == "onnx.Hardmax";
    if (flattens && operation.version < 13 && opset_ >= 13) flattened(operation);
    operation.version = opset_;
    return {};
  }

  Status move_list(Operation& operation, const char* attribute) {
    const auto found = operation.attributes.find(attribute);
    if (found == operation.attributes.end()) return {};
    auto numbers = found->second.as_integers();
    if (const auto one = found->second.as_integer()) numbers = std::vector<std::int64_t>{*one};
    if (!numbers) return fail(Errc::type, std::string("'") + attribute + "' is no list of whole numbers", operation.where);
    operation.operands.push_back(define(stem(operation) + "." + attribute, list_tensor(*numbers)));
    operation.attributes.erase(found);
    return {};
  }

  ValueId move_number(Operation& operation, const char* attribute) {
    const auto found = operation.attributes.find(attribute);
    const Real* value = found == operation.attributes.end() ? nullptr : std::get_if<Real>(&found->second.value);
    operation.operands.push_back(value == nullptr ? -1 : define(stem(operation) + "." + attribute, f32_tensor({*value}, {})));
    if (found != operation.attributes.end()) operation.attributes.erase(found);
    return operation.operands.back();
  }

  void clip_bounds(Operation& operation) {
    move_number(operation, "min");
    move_number(operation, "max");
  }

  Status slice_bounds(Operation& operation) {
    for (const char* attribute : {"starts", "ends", "axes"}) TIEBREAK_CHECK(move_list(operation, attribute));
    return {};
  }

  /// Upsample, and Resize of opset 10, scale places from the corner and take the one below.
  void old_resize(Operation& operation) {
    operation.op = "onnx.Resize";
    operation.operands.insert(operation.operands.begin() + 1, -1);
    operation.attributes["coordinate_transformation_mode"] = Attribute{std::string("asymmetric")};
    operation.attributes["nearest_mode"] = Attribute{std::string("floor")};
  }

  /// Softmax over everything from an axis on: flattened, computed, and shaped as before.
  void flattened(Operation& operation) {
    const auto axis = operation.attributes.find("axis");
    const std::string name = stem(operation);
    const ValueId x = operation.operands[0], y = operation.results[0];
    const ValueId shape = define(name + ".shape"), flat = define(name + ".flat"), made = define(name + ".flat_result");
    raised_.operations.push_back({"onnx.Shape", {x}, {shape}, {}, opset_, operation.where, {}});
    raised_.operations.push_back(
        {"onnx.Flatten", {x}, {flat}, {{"axis", axis == operation.attributes.end() ? Attribute{Real(1)} : axis->second}}, opset_, operation.where, {}});
    raised_.operations.push_back({operation.op, {flat}, {made}, {{"axis", Attribute{Real(1)}}}, opset_, operation.where, {}});
    operation.op = "onnx.Reshape";
    operation.operands = {made, shape};
    operation.results = {y};
    operation.attributes.clear();
  }

  int opset_;
  Program raised_;
};

}  // namespace

Result<Program> raise_opset(const Program& program, int opset) { return Raiser(program, opset).run(); }

}  // namespace tiebreak
