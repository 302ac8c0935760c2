// SPDX-License-Identifier: Apache-2.0
// One transformer block in two forms: layer normalization, attention with two heads, residual, layer normalization, feed-forward network, residual.
#include "testsuite/models/model_builder.hpp"
#include "testsuite/models/small_models.hpp"

namespace tiebreak::models {
namespace {

constexpr int transformer_opset = 17;
constexpr std::uint64_t transformer_seed = 7;
constexpr std::int64_t tokens = 8, width = 32, heads = 2, hidden = 64;

/// How a matrix of weights meets activations: what tells the two forms apart.
class Block {
 public:
  Block(ModelBuilder& model, bool dynamic) : model_(model), dynamic_(dynamic) {}

  ValueId linear(const std::string& name, ValueId x, std::int64_t rows, std::int64_t columns, double input_scale) {
    const ValueId weight = model_.drawn(name + ".weight", "i8", {rows, columns}, -127, 127);
    const ValueId scale = model_.floats(name + ".weight_scale", {}, {0.0021});
    const ValueId zero = model_.whole(name + ".weight_zero_point", "i8", {}, {0});
    const ValueId bias = model_.drawn_floats(name + ".bias", {columns}, -0.5, 0.5);
    const ValueId product = dynamic_ ? integer_product(name, x, weight, scale, zero) : float_product(name, x, weight, scale, zero, input_scale);
    return model_.add("Add", name + "/Add_output_0", {product, bias});
  }

  /// An activation that is quantized where the form has fixed parameters.
  ValueId activation(const std::string& name, ValueId x, double scale, std::int64_t zero_point) {
    if (dynamic_) return x;
    return model_.quantized_and_back(name, x, model_.quantization(name, scale, "u8", zero_point));
  }

  ValueId normalized(const std::string& name, ValueId x) {
    const ValueId scale = model_.drawn_floats(name + ".weight", {width}, 0.7, 1.3);
    const ValueId shift = model_.drawn_floats(name + ".bias", {width}, -0.2, 0.2);
    return model_.add("LayerNormalization", name + "/output_0", {x, scale, shift},
                      {{"axis", number(-1)}, {"epsilon", Attribute{Real::from_double(static_cast<double>(1e-5F))}}});
  }

  ValueId attention(ValueId x) {
    const ValueId q = head("/attention/query", x, {0, 2, 1, 3}), k = head("/attention/key", x, {0, 2, 3, 1}), v = head("/attention/value", x, {0, 2, 1, 3});
    const ValueId scores =
        model_.add("MatMul", "/attention/scores/MatMul_output_0", {activation("/attention/q", q, 0.013, 128), activation("/attention/k", k, 0.013, 128)});
    const ValueId scaled = model_.add("Mul", "/attention/scores/Mul_output_0", {scores, model_.floats("attention.scale", {}, {0.25})});
    const ValueId weights = model_.add("Softmax", "/attention/Softmax_output_0", {scaled}, {{"axis", number(-1)}});
    const ValueId mixed =
        model_.add("MatMul", "/attention/MatMul_1_output_0", {activation("/attention/p", weights, 1.0 / 255, 0), activation("/attention/v", v, 0.013, 128)});
    const ValueId turned = model_.add("Transpose", "/attention/Transpose_output_0", {mixed}, {{"perm", numbers({0, 2, 1, 3})}});
    const ValueId flat = model_.add("Reshape", "/attention/Reshape_output_0", {turned, model_.whole("attention.flat", "i64", {3}, {0, 0, -1})});
    return linear("/attention/output", flat, width, width, 0.012);
  }

  ValueId feed_forward(ValueId x) {
    const ValueId wide = linear("/ffn/up", x, width, hidden, 0.021);
    const ValueId part = model_.add("Div", "/ffn/gelu/Div_output_0", {wide, model_.floats("gelu.sqrt2", {}, {1.4142135623730951})});
    const ValueId curve =
        model_.add("Add", "/ffn/gelu/Add_output_0", {model_.add("Erf", "/ffn/gelu/Erf_output_0", {part}), model_.floats("gelu.one", {}, {1})});
    const ValueId product = model_.add("Mul", "/ffn/gelu/Mul_output_0", {wide, curve});
    const ValueId gelu = model_.add("Mul", "/ffn/gelu/Mul_1_output_0", {product, model_.floats("gelu.half", {}, {0.5})});
    return linear("/ffn/down", gelu, hidden, width, 0.014);
  }

 private:
  ValueId head(const std::string& name, ValueId x, const std::vector<std::int64_t>& order) {
    const ValueId projected = linear(name, x, width, width, 0.021);
    const ValueId shape = model_.whole(name + ".shape", "i64", {4}, {0, 0, heads, width / heads});
    return model_.add("Transpose", name + "/Transpose_output_0", {model_.add("Reshape", name + "/Reshape_output_0", {projected, shape})},
                      {{"perm", numbers(order)}});
  }

  ValueId float_product(const std::string& name, ValueId x, ValueId weight, ValueId scale, ValueId zero, double input_scale) {
    const ValueId w = model_.add("DequantizeLinear", name + "/weight_dq", {weight, scale, zero});
    return model_.add("MatMul", name + "/MatMul_output_0", {activation(name + "/input", x, input_scale, 127), w});
  }

  ValueId integer_product(const std::string& name, ValueId x, ValueId weight, ValueId scale, ValueId zero) {
    const std::vector<ValueId> codes = model_.add_several("DynamicQuantizeLinear", {name + "/input_q", name + "/input_scale", name + "/input_zero_point"}, {x});
    const ValueId sums = model_.add("MatMulInteger", name + "/MatMul_sums", {codes[0], weight, codes[2], zero});
    const ValueId reals = model_.add("Cast", name + "/MatMul_floats", {sums}, {{"to", Attribute{*ElementType::parse("f32")}}});
    const ValueId factor = model_.add("Mul", name + "/MatMul_scale", {codes[1], scale});
    return model_.add("Mul", name + "/MatMul_output_0", {reals, factor});
  }

  ModelBuilder& model_;
  bool dynamic_;
};

Program block(const std::string& name, bool dynamic) {
  ModelBuilder model(name, transformer_opset, transformer_seed);
  Block block(model, dynamic);
  const ValueId x = model.input("hidden.states", "f32", {1, tokens, width});
  const ValueId attended = model.add("Add", "/attention/residual", {x, block.attention(block.normalized("/norm1", x))});
  const ValueId fed = model.add("Add", "output/states", {attended, block.feed_forward(block.normalized("/norm2", attended))});
  return model.finish({fed});
}

}  // namespace

Program transformer_qdq() { return block("transformer.qdq", false); }
Program transformer_dynamic() { return block("transformer.dynamic", true); }

}  // namespace tiebreak::models
