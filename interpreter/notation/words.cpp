// SPDX-License-Identifier: Apache-2.0
#include "interpreter/notation/words.hpp"

#include <algorithm>
#include <array>

namespace tiebreak::notation {
namespace {

using namespace std::string_view_literals;

constexpr std::array constant_table{"true"sv, "false"sv, "inf"sv, "nan"sv, "none"sv, "undefined"sv, "count"sv, "index"sv};
constexpr std::array rounding_table{"rne"sv, "rna"sv, "rhu"sv, "rhd"sv, "rnz"sv, "rtz"sv, "floor"sv, "ceil"sv, "odd"sv};
constexpr std::array verb_table{"sat"sv, "wrap"sv, "trap"sv, "each"sv, "any"sv};
constexpr std::array kind_table{"int"sv, "uint"sv, "float"sv, "quant"sv, "bool"sv};
constexpr std::array fact_table{"type"sv,    "expressed"sv, "scale"sv,   "zero_point"sv, "rank"sv,  "size"sv, "shape"sv, "axis"sv, "present"sv,  "constant"sv,
                                "members"sv, "alike"sv,     "blocked"sv, "place"sv,      "piece"sv, "min"sv,  "max"sv,   "bits"sv, "fraction"sv, "bias"sv};
constexpr std::size_t first_format_fact = 15, tensor_fact_count = 18;
constexpr std::array region_fact_table{"bodies"sv, "reduces"sv, "compares"sv, "maps"sv, "decides"sv, "takes"sv, "gives"sv};
constexpr std::array op_fact_table{"version"sv,    "taps"sv,          "padded_count"sv, "weight"sv, "depth_weight"sv,
                                   "row_weight"sv, "column_weight"sv, "doubt"sv,        "inside"sv};
constexpr std::array structure_table{"elementwise"sv,
                                     "rows"sv,
                                     "dot"sv,
                                     "convolution"sv,
                                     "transposed_convolution"sv,
                                     "depthwise_convolution"sv,
                                     "window"sv,
                                     "resize"sv,
                                     "move"sv,
                                     "concat"sv,
                                     "gather"sv,
                                     "regroup"sv,
                                     "scatter"sv,
                                     "bags"sv,
                                     "control"sv};
constexpr std::array convention_table{"onnx"sv, "tflite"sv, "tosa"sv, "svdf"sv,    "stablehlo"sv,     "torch"sv,  "qnn"sv,      "migraphx"sv,
                                      "mlir"sv, "packed"sv, "nhwc"sv, "widened"sv, "selected"sv,      "branch"sv, "loop"sv,     "counted_loop"sv,
                                      "scan"sv, "rnn"sv,    "gru"sv,  "lstm"sv,    "sequence_lstm"sv, "map"sv,    "cholesky"sv, "triangular_solve"sv};
constexpr std::array motion_table{"broadcast_in_dim"sv,
                                  "concatenate"sv,
                                  "dynamic_slice"sv,
                                  "dynamic_update_slice"sv,
                                  "each"sv,
                                  "gather"sv,
                                  "iota"sv,
                                  "pad"sv,
                                  "reshape"sv,
                                  "reverse"sv,
                                  "slice"sv,
                                  "sort"sv,
                                  "transpose"sv,
                                  "reshape_onnx"sv,
                                  "flatten_onnx"sv,
                                  "squeeze_onnx"sv,
                                  "unsqueeze_onnx"sv,
                                  "transpose_onnx"sv,
                                  "slice_onnx"sv,
                                  "split_onnx"sv,
                                  "pad_onnx"sv,
                                  "expand_onnx"sv,
                                  "resize_onnx"sv,
                                  "top_onnx"sv,
                                  "tile_onnx"sv,
                                  "fill_onnx"sv,
                                  "range_onnx"sv,
                                  "depth_to_space_onnx"sv,
                                  "space_to_depth_onnx"sv,
                                  "reshape_tosa"sv,
                                  "slice_tosa"sv,
                                  "reshape_tflite"sv,
                                  "slice_tflite"sv,
                                  "pad_tflite"sv,
                                  "transpose_tflite"sv,
                                  "space_to_batch_tflite"sv,
                                  "batch_to_space_tflite"sv,
                                  "space_to_depth_tflite"sv,
                                  "depth_to_space_tflite"sv,
                                  "strided_slice_tflite"sv,
                                  "split_tflite"sv,
                                  "unpack_tflite"sv,
                                  "pack_tflite"sv,
                                  "reverse_tflite"sv,
                                  "mirror_pad_tflite"sv,
                                  "gather_nd_tflite"sv,
                                  "expand_tflite"sv,
                                  "pad_tosa"sv,
                                  "tile_tosa"sv,
                                  "reverse_tosa"sv,
                                  "transpose_tosa"sv,
                                  "reshape_relay"sv,
                                  "transpose_relay"sv,
                                  "pad_relay"sv,
                                  "expand_dims_relay"sv,
                                  "squeeze_relay"sv,
                                  "slice_relay"sv,
                                  "split_relay"sv,
                                  "take_relay"sv,
                                  "top_relay"sv,
                                  "depth_to_space_relay"sv,
                                  "space_to_depth_relay"sv,
                                  "line"sv};
constexpr std::array key_table{"pad"sv, "fill"sv, "at"sv, "extent"sv, "taps"sv, "weight"sv, "doubt"sv};
constexpr std::array place_table{"place"sv, "length"sv,    "resized"sv,  "scale"sv,     "first"sv,       "last"sv,
                                 "tap"sv,   "dimension"sv, "changing"sv, "numerator"sv, "denominator"sv, "offset"sv};
constexpr std::array index_table{"axis"sv, "batch"sv, "channel"sv, "row"sv, "spatial"sv, "feature"sv};
constexpr std::array modifier_table{"pairwise"sv, "any"sv,      "unordered"sv, "permuted"sv,   "order"sv,      "blocks"sv,   "lanes"sv,
                                    "whole"sv,    "backward"sv, "reversed"sv,  "start_last"sv, "start_both"sv, "restarted"sv};
constexpr std::array statement_table{"use"sv,   "def"sv,  "choice"sv,    "alternative"sv, "claim"sv,  "op"sv,
                                     "types"sv, "type"sv, "structure"sv, "constraint"sv,  "require"sv};
constexpr std::array syntax_table{"if"sv, "then"sv, "else"sv, "where"sv,   "and"sv, "or"sv,  "not"sv,
                                  "in"sv, "is"sv,   "sum"sv,  "product"sv, "min"sv, "max"sv, "fold"sv};
constexpr std::array function_table{FunctionWord{"abs"},
                                    FunctionWord{"sign"},
                                    FunctionWord{"min", 2, 64},
                                    FunctionWord{"max", 2, 64},
                                    FunctionWord{"clamp", 3, 3},
                                    FunctionWord{"isnan"},
                                    FunctionWord{"exponent"},
                                    FunctionWord{"scalar"},
                                    FunctionWord{"all"},
                                    FunctionWord{"bitand", 2, 64},
                                    FunctionWord{"bitor", 2, 64},
                                    FunctionWord{"bitxor", 2, 64},
                                    FunctionWord{"sqrt", 1, 1, true},
                                    FunctionWord{"cbrt", 1, 1, true},
                                    FunctionWord{"rsqrt", 1, 1, true},
                                    FunctionWord{"exp", 1, 1, true},
                                    FunctionWord{"expm1", 1, 1, true},
                                    FunctionWord{"log", 1, 1, true},
                                    FunctionWord{"log1p", 1, 1, true},
                                    FunctionWord{"pow", 2, 2, true},
                                    FunctionWord{"sin", 1, 1, true},
                                    FunctionWord{"cos", 1, 1, true},
                                    FunctionWord{"tan", 1, 1, true},
                                    FunctionWord{"tanh", 1, 1, true},
                                    FunctionWord{"atan2", 2, 2, true},
                                    FunctionWord{"erf", 1, 1, true},
                                    FunctionWord{"logistic", 1, 1, true}};

}  // namespace

Words constants() { return constant_table; }
Words rounding_words() { return rounding_table; }
Words conversion_verbs() { return verb_table; }
Words family_words() { return Words(kind_table).first(3); }
Words kind_words() { return kind_table; }
Words facts() { return fact_table; }
Words tensor_facts() { return Words(fact_table).first(tensor_fact_count); }
Words format_facts() { return Words(fact_table).subspan(first_format_fact); }
Words op_facts() { return op_fact_table; }
Words region_facts() { return region_fact_table; }
Words structure_names() { return structure_table; }
Words structure_conventions() { return convention_table; }
Words structure_motions() { return motion_table; }
Words structure_keys() { return key_table; }
Words place_words() { return place_table; }
Words index_words() { return index_table; }
Words modifier_words() { return modifier_table; }
Words statement_words() { return statement_table; }
Words syntax_words() { return syntax_table; }

bool is_place_key(std::string_view key) { return contains(key_table, key) && key != "pad" && key != "fill"; }

std::span<const FunctionWord> functions() { return function_table; }
const FunctionWord* find_function(std::string_view word) {
  const auto found = std::ranges::find(function_table, word, &FunctionWord::word);
  return found == function_table.end() ? nullptr : &*found;
}

bool contains(Words words, std::string_view word) { return std::ranges::find(words, word) != words.end(); }

bool is_integer_word(std::string_view word) {
  if (word == "bool") return true;
  if (word.size() < 2 || word.size() > 3 || (word[0] != 'i' && word[0] != 'u') || word[1] == '0') return false;
  int bits = 0;
  for (char c : word.substr(1)) {
    if (c < '0' || c > '9') return false;
    bits = bits * 10 + (c - '0');
  }
  return bits <= 64;
}

bool is_format_word(std::string_view word) { return is_integer_word(word) || find_float_format(word) != nullptr; }

bool is_reserved(std::string_view word) {
  return contains(constant_table, word) || contains(syntax_table, word) || contains(rounding_table, word) || contains(verb_table, word) ||
         find_function(word) != nullptr || is_format_word(word);
}

std::optional<Conversion> split_conversion(std::string_view text) {
  Conversion conversion;
  auto [head, rest] = split_first(text);
  if (!rest.empty())
    for (std::size_t i = 0; i < verb_table.size(); ++i)
      if (verb_table[i] == head) {
        conversion.verb = static_cast<ConversionVerb>(i + 1);
        std::tie(head, rest) = split_first(rest);
        break;
      }
  const bool may_round = conversion.verb == ConversionVerb::none || conversion.verb == ConversionVerb::sat;
  if (!rest.empty() && may_round && contains(rounding_table, head)) {
    conversion.rounding = find_rounding(head);
    std::tie(head, rest) = split_first(rest);
  }
  if (!rest.empty() || contains(rounding_table, head) || contains(verb_table, head)) return std::nullopt;
  conversion.target = head;
  return conversion;
}

bool is_integer_literal(const Expr& number) { return number.value.is_whole() && number.text.find('.') == std::string::npos; }

std::pair<std::string_view, std::string_view> split_first(std::string_view path) {
  const std::size_t dot = path.find('.');
  if (dot == std::string_view::npos) return {path, {}};
  return {path.substr(0, dot), path.substr(dot + 1)};
}
std::pair<std::string_view, std::string_view> split_last(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  if (dot == std::string_view::npos) return {{}, path};
  return {path.substr(0, dot), path.substr(dot + 1)};
}

}  // namespace tiebreak::notation
