// SPDX-License-Identifier: Apache-2.0
// One network in the form that each operator set has for it: what was an attribute became an operand, what was one operator became another. From opset 10 on
// its codes are quantized on the way; before, ONNX had no operator for that.
#include "testsuite/models/model_builder.hpp"
#include "testsuite/models/small_models.hpp"

namespace tiebreak::models {
namespace {

constexpr std::uint64_t forms_seed = 11;

/// Adds nodes in the form of one operator set.
class FormBuilder {
 public:
  explicit FormBuilder(int opset)
      : model(opset < 10 ? "forms.opset0" + std::to_string(opset) : "forms.opset" + std::to_string(opset), opset, forms_seed), opset_(opset) {}

  ModelBuilder model;

  bool since(int opset) const { return opset_ >= opset; }

  /// `numbers` is the attribute `attribute`, and since the opset an operand.
  ValueId steered(const std::string& op, const std::string& name, ValueId x, int opset, const std::string& attribute, const std::vector<std::int64_t>& values,
                  AttributeMap attributes = {}) {
    if (!since(opset)) attributes[attribute] = numbers(values);
    std::vector<ValueId> operands{x};
    if (since(opset)) operands.push_back(list(name + "_" + attribute, values));
    return model.add(op, name, std::move(operands), std::move(attributes));
  }

  ValueId list(const std::string& name, const std::vector<std::int64_t>& values) {
    return model.whole(name, "i64", {static_cast<std::int64_t>(values.size())}, values);
  }

  ValueId clipped(const std::string& name, ValueId x, double low, double high) {
    if (!since(11)) return model.add("Clip", name, {x}, {{"min", real(low)}, {"max", real(high)}});
    return model.add("Clip", name, {x, model.floats(name + "_low", {}, {low}), model.floats(name + "_high", {}, {high})});
  }

  ValueId without_dropout(const std::string& name, ValueId x) {
    if (!since(12)) return model.add("Dropout", name, {x}, {{"ratio", real(0.25)}});
    return model.add("Dropout", name, {x, model.floats(name + "_ratio", {}, {0.25})});
  }

  ValueId padded(const std::string& name, ValueId x, const std::vector<std::int64_t>& pads, double value) {
    if (!since(11)) return model.add("Pad", name, {x}, {{"mode", Attribute{std::string("constant")}}, {"pads", numbers(pads)}, {"value", real(value)}});
    return model.add("Pad", name, {x, list(name + "_pads", pads), model.floats(name + "_value", {}, {value})});
  }

  ValueId sliced(const std::string& name, ValueId x, const std::vector<std::int64_t>& starts, const std::vector<std::int64_t>& ends,
                 const std::vector<std::int64_t>& axes) {
    if (!since(10)) return model.add("Slice", name, {x}, {{"axes", numbers(axes)}, {"ends", numbers(ends)}, {"starts", numbers(starts)}});
    return model.add("Slice", name, {x, list(name + "_starts", starts), list(name + "_ends", ends), list(name + "_axes", axes)});
  }

  std::vector<ValueId> halves(const std::string& name, ValueId x, std::int64_t axis, std::int64_t length) {
    const std::vector<std::string> names{name + "_a", name + "_b"};
    if (since(18)) return model.add_several("Split", names, {x}, {{"axis", number(axis)}, {"num_outputs", number(2)}});
    if (since(13)) return model.add_several("Split", names, {x, list(name + "_lengths", {length, length})}, {{"axis", number(axis)}});
    return model.add_several("Split", names, {x}, {{"axis", number(axis)}, {"split", numbers({length, length})}});
  }

  /// Twice the places along the last two dimensions: each element stands four times.
  ValueId doubled(const std::string& name, ValueId x) {
    const AttributeMap nearest{{"mode", Attribute{std::string("nearest")}}};
    if (!since(9)) {
      AttributeMap attributes = nearest;
      attributes["scales"] = numbers({1, 1, 2, 2});
      return model.add("Upsample", name, {x}, attributes);
    }
    const ValueId scales = model.floats(name + "_scales", {4}, {1, 1, 2, 2});
    if (!since(11)) return model.add(since(10) ? "Resize" : "Upsample", name, {x, scales}, nearest);
    AttributeMap attributes = nearest;
    attributes["coordinate_transformation_mode"] = Attribute{std::string("asymmetric")};
    attributes["nearest_mode"] = Attribute{std::string("floor")};
    return model.add("Resize", name, {x, model.floats(name + "_roi", {0}, {}), scales}, attributes);
  }

  std::vector<ValueId> greatest(const std::string& name, ValueId x, std::int64_t k) {
    const std::vector<std::string> names{name + "_values", name + "_indices"};
    if (!since(10)) return model.add_several("TopK", names, {x}, {{"axis", number(-1)}, {"k", number(k)}});
    return model.add_several("TopK", names, {x, list(name + "_k", {k})}, {{"axis", number(-1)}});
  }

 private:
  static Attribute real(double value) { return Attribute{Real::from_double(value)}; }

  int opset_;
};

/// Convolution, normalization, activation and pooling: [1, 3, 8, 8] to [1, 4, 4, 4].
ValueId features(FormBuilder& forms, ValueId image) {
  ModelBuilder& model = forms.model;
  const ValueId weight = model.drawn_floats("stem.weight", {4, 3, 3, 3}, -0.5, 0.5);
  const ValueId conv = model.add("Conv", "stem/conv", {image, weight, model.drawn_floats("stem.bias", {4}, -1, 1)},
                                 {{"kernel_shape", numbers({3, 3})}, {"pads", numbers({1, 1, 1, 1})}});
  const ValueId normal = model.add("BatchNormalization", "stem/norm",
                                   {conv, model.drawn_floats("norm.scale", {4}, 0.5, 2), model.drawn_floats("norm.b", {4}, -1, 1),
                                    model.drawn_floats("norm.mean", {4}, -1, 1), model.drawn_floats("norm.var", {4}, 0.5, 2)});
  ValueId active = forms.without_dropout("stem/dropout", forms.clipped("stem/clip", normal, 0, 6));
  if (forms.since(10)) active = model.quantized_and_back("stem/codes", active, model.quantization("stem.codes", 6.0 / 255, "u8", 0));
  return model.add("MaxPool", "stem/pool", {active}, {{"kernel_shape", numbers({2, 2})}, {"strides", numbers({2, 2})}});
}

/// Data movement, and operators of several tensors: [1, 4, 4, 4] to the same.
ValueId moved(FormBuilder& forms, ValueId x) {
  ModelBuilder& model = forms.model;
  const ValueId wide = forms.doubled(
      "move/double", forms.sliced("move/slice", forms.padded("move/pad", x, {0, 0, 1, 1, 0, 0, 1, 1}, 0.5), {1, -5}, {1000, -1}, {2, 3}));  // [1, 4, 10, 8]
  const std::vector<ValueId> halves = forms.halves("move/split", wide, 2, 5);
  const Shape shape = forms.since(8) ? Shape{1} : Shape{1, 4, 5, 8};  // operators of several tensors have broadcast since opset 8
  const ValueId sum = model.add("Sum", "move/sum", {halves[0], halves[1], model.floats("move.third", shape, {0.25})});
  const ValueId least = model.add(
      "Min", "move/min", {model.add("Max", "move/max", {sum, halves[0], model.floats("move.floor", shape, {0.5})}), model.floats("move.ceiling", shape, {9})});
  return forms.sliced("move/crop", least, {0, 0}, {4, 4}, {2, 3});
}

/// Reductions and a classifier: [1, 4, 4, 4] to the two greatest of five probabilities.
std::vector<ValueId> form_scores(FormBuilder& forms, ValueId x) {
  ModelBuilder& model = forms.model;
  const ValueId mean = forms.steered("ReduceMean", "head/mean", x, 18, "axes", {2}, {{"keepdims", number(0)}});
  const ValueId most = forms.steered("ReduceMax", "head/most", x, 18, "axes", {3}, {{"keepdims", number(0)}});
  const ValueId total =
      forms.steered("ReduceSum", "head/total", model.add("Concat", "head/both", {mean, most}, {{"axis", number(1)}}), 13, "axes", {2});  // [1, 8, 1]
  const ValueId flat = model.add("Flatten", "head/flat",
                                 {forms.steered("Unsqueeze", "head/wider", forms.steered("Squeeze", "head/narrow", total, 13, "axes", {2}), 13, "axes", {1})});
  const ValueId logits = model.add(
      "Gemm", "head/gemm", {flat, model.drawn_floats("head.weight", {5, 8}, -0.2, 0.2), model.drawn_floats("head.bias", {5}, -1, 1)}, {{"transB", number(1)}});
  return forms.greatest("head/top", model.add("Softmax", "head/softmax", {logits}, {{"axis", number(1)}}), 2);
}

}  // namespace

Program older_forms(int opset) {
  FormBuilder forms(opset);
  const ValueId image = forms.model.input("image", "f32", {1, 3, 8, 8});
  const ValueId found = moved(forms, features(forms, image));
  std::vector<ValueId> outputs = form_scores(forms, found);
  outputs.push_back(found);
  return forms.model.finish(std::move(outputs));
}

}  // namespace tiebreak::models
