// SPDX-License-Identifier: Apache-2.0
// What StableHLO writes in its own way: convolution dimension numbers and windows, dot_general's dimension pairs, slices,
// and the short names of pretty forms. Everything ends under the attribute names of the spec.
#include <array>

#include "interpreter/program/mlir_parser.hpp"

namespace tiebreak::mlir {
namespace {

struct ShortName {
  std::string_view op;  ///< without the dialect; "" for every op
  std::string_view key;
  std::string_view attribute;
};

constexpr std::array<ShortName, 17> short_names{{
    {"transpose", "dims", "permutation"},
    {"broadcast_in_dim", "dims", "broadcast_dimensions"},
    {"dynamic_broadcast_in_dim", "dims", "broadcast_dimensions"},
    {"broadcast", "sizes", "broadcast_sizes"},
    {"reverse", "dims", "dimensions"},
    {"concatenate", "dim", "dimension"},
    {"get_dimension_size", "dim", "dimension"},
    {"iota", "dim", "iota_dimension"},
    {"dynamic_iota", "dim", "iota_dimension"},
    {"pad", "low", "edge_padding_low"},
    {"pad", "high", "edge_padding_high"},
    {"pad", "interior", "interior_padding"},
    {"dynamic_slice", "sizes", "slice_sizes"},
    {"fft", "type", "fft_type"},
    {"fft", "length", "fft_length"},
    {"rng_bit_generator", "algorithm", "rng_algorithm"},
    {"", "precision", "precision_config"},
}};

constexpr std::array<std::array<std::string_view, 2>, 5> window_names{{
    {"stride", "window_strides"},
    {"pad", "padding"},
    {"lhs_dilate", "lhs_dilation"},
    {"rhs_dilate", "rhs_dilation"},
    {"reverse", "window_reversal"},
}};

std::string long_name(std::string_view op, std::string_view key) {
  if (!op.starts_with("stablehlo.")) return std::string(key);
  op.remove_prefix(10);
  for (const ShortName& name : short_names) {
    if ((name.op.empty() || name.op == op) && name.key == key) return std::string(name.attribute);
  }
  return std::string(key);
}

void make_truths(Attribute& attribute) {
  AttributeList* list = std::get_if<AttributeList>(&attribute.value);
  if (!list) return;
  for (Attribute& item : *list) {
    if (const auto number = item.as_integer(); number && (*number == 0 || *number == 1)) item = Attribute{*number == 1};
  }
}

}  // namespace

/// `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`
Result<AttributeMap> Parser::convolution_dimensions() {
  AttributeMap map;
  TIEBREAK_CHECK(convolution_side(map, "input"));
  TIEBREAK_CHECK(cursor_.expect("x", "the input's dimensions"));
  TIEBREAK_CHECK(convolution_side(map, "kernel"));
  TIEBREAK_CHECK(cursor_.expect("->", "the kernel's dimensions"));
  TIEBREAK_CHECK(convolution_side(map, "output"));
  return map;
}

Status Parser::convolution_side(AttributeMap& map, std::string_view side) {
  const bool kernel = side == "kernel";
  const std::string prefix(side);
  std::map<std::int64_t, std::int64_t> spatial;
  TIEBREAK_CHECK(cursor_.expect("[", "dimension numbers"));
  for (std::int64_t position = 0; position == 0 || cursor_.accept(","); ++position) {
    const std::size_t at = cursor_.offset();
    if (is_digit(cursor_.peek())) {
      TIEBREAK_TRY(which, cursor_.natural());
      if (!spatial.emplace(which, position).second) return cursor_.error_at(at, Errc::syntax, "a spatial dimension stands twice");
    } else if (cursor_.accept_word(kernel ? "i" : "b")) {
      TIEBREAK_CHECK(set(map, at, prefix + (kernel ? "_input_feature_dimension" : "_batch_dimension"), Attribute{Real(position)}));
    } else if (cursor_.accept_word(kernel ? "o" : "f")) {
      TIEBREAK_CHECK(set(map, at, prefix + (kernel ? "_output_feature_dimension" : "_feature_dimension"), Attribute{Real(position)}));
    } else {
      return cursor_.error(std::string("expected ") + (kernel ? "i, o" : "b, f") + " or a number, found " + cursor_.found());
    }
  }
  std::vector<std::int64_t> positions;
  for (const auto& [which, position] : spatial) {
    if (which != static_cast<std::int64_t>(positions.size())) return cursor_.error("spatial dimensions are numbered 0, 1, ...");
    positions.push_back(position);
  }
  const std::size_t after = cursor_.offset();
  if (map.count(prefix + (kernel ? "_input_feature_dimension" : "_batch_dimension")) == 0 ||
      map.count(prefix + (kernel ? "_output_feature_dimension" : "_feature_dimension")) == 0) {
    return cursor_.error_at(after, Errc::syntax, std::string("dimension numbers of the ") + prefix + " need " + (kernel ? "i and o" : "b and f"));
  }
  TIEBREAK_CHECK(set(map, after, prefix + "_spatial_dimensions", Attribute::integers(positions)));
  return cursor_.expect("]", "dimension numbers");
}

/// `{stride = [2, 2], pad = [[1, 1], [1, 1]], lhs_dilate = [..], rhs_dilate = [..], reverse = [..]}`
Result<AttributeMap> Parser::window() {
  const std::size_t at = cursor_.offset();
  TIEBREAK_CHECK(cursor_.expect("{", "'window ='"));
  TIEBREAK_TRY(fields, dictionary("}"));
  AttributeMap map;
  for (auto& [key, value] : fields) {
    std::string name;
    for (const auto& [short_name, spelled] : window_names) {
      if (key == short_name) name = spelled;
    }
    if (name.empty()) return cursor_.error_at(at, Errc::syntax, "a window has stride, pad, lhs_dilate, rhs_dilate and reverse, not '" + key + "'");
    if (name == "window_reversal") make_truths(value);
    map.emplace(name, std::move(value));
  }
  return map;
}

/// A `key = value` of a pretty form.
Status Parser::pretty_clause(Draft& draft) {
  const std::size_t at = cursor_.offset();
  const std::string key(cursor_.word());
  TIEBREAK_CHECK(cursor_.expect("=", "'" + key + "'"));
  const bool pairs = draft.op == "stablehlo.dot_general" && (key == "batching_dims" || key == "contracting_dims");
  if (pairs) {
    const std::string suffix = key == "batching_dims" ? "_batching_dimensions" : "_contracting_dimensions";
    TIEBREAK_TRY(left, list_attribute("[", "]"));
    TIEBREAK_CHECK(cursor_.expect("x", "the dimensions of the left side"));
    TIEBREAK_TRY(right, list_attribute("[", "]"));
    TIEBREAK_CHECK(set(draft.attributes, at, "lhs" + suffix, std::move(left)));
    return set(draft.attributes, at, "rhs" + suffix, std::move(right));
  }
  if (key == "dim_numbers") {
    TIEBREAK_TRY(dimensions, convolution_dimensions());
    return merge(draft, at, std::move(dimensions), false);
  }
  if (key == "window") {
    TIEBREAK_TRY(fields, window());
    return merge(draft, at, std::move(fields), false);
  }
  if (draft.op == "stablehlo.reduce_precision" && key == "format") return precision_format(draft);
  TIEBREAK_TRY(value, attribute());
  AttributeMap map;
  map.emplace(long_name(draft.op, key), std::move(value));
  return merge(draft, at, std::move(map), false);
}

/// `e8m7`
Status Parser::precision_format(Draft& draft) {
  const std::size_t at = cursor_.offset();
  const std::string word(cursor_.word());
  const std::size_t middle = word.find('m');
  const auto digits = [&](std::size_t begin, std::size_t end) -> std::optional<std::int64_t> {
    const std::string text = word.substr(begin, end - begin);
    if (text.empty() || text.size() > 4 || text.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
    return std::stoll(text);
  };
  const auto exponent = word.starts_with('e') && middle != std::string::npos ? digits(1, middle) : std::nullopt;
  const auto mantissa = exponent ? digits(middle + 1, word.size()) : std::nullopt;
  if (!mantissa) return cursor_.error_at(at, Errc::syntax, "a format is written as e8m7: exponent bits and mantissa bits");
  TIEBREAK_CHECK(set(draft.attributes, at, "exponent_bits", Attribute{Real(*exponent)}));
  return set(draft.attributes, at, "mantissa_bits", Attribute{Real(*mantissa)});
}

/// `[0:2, 1:8:2]` behind a slice's operand.
Status Parser::slice_ranges(Draft& draft) {
  const std::size_t at = cursor_.offset();
  TIEBREAK_CHECK(cursor_.expect("[", "a slice's operand"));
  std::array<std::vector<std::int64_t>, 3> columns;
  if (cursor_.peek() != ']') {
    do {
      TIEBREAK_TRY(start, cursor_.natural());
      TIEBREAK_CHECK(cursor_.expect(":", "a slice's start"));
      TIEBREAK_TRY(limit, cursor_.natural());
      std::int64_t stride = 1;
      if (cursor_.accept(":")) {
        TIEBREAK_TRY(given, cursor_.natural());
        stride = given;
      }
      columns[0].push_back(start);
      columns[1].push_back(limit);
      columns[2].push_back(stride);
    } while (cursor_.accept(","));
  }
  TIEBREAK_CHECK(cursor_.expect("]", "a slice's ranges"));
  TIEBREAK_CHECK(set(draft.attributes, at, "start_indices", Attribute::integers(columns[0])));
  TIEBREAK_CHECK(set(draft.attributes, at, "limit_indices", Attribute::integers(columns[1])));
  return set(draft.attributes, at, "strides", Attribute::integers(columns[2]));
}

/// Dimension numbers that are empty or zero may be left out of a text; in a program they are always there.
void Parser::complete(Draft& draft) {
  if (draft.op == "call") draft.op = "func.call";
  if (starts_tosa(draft.op)) draft.op = tosa_name(draft.op);
  const auto lists = [&draft](std::initializer_list<const char*> names) {
    for (const char* name : names) draft.attributes.emplace(name, Attribute{AttributeList{}});
  };
  if (draft.op == "stablehlo.dot_general") {
    lists({"lhs_batching_dimensions", "rhs_batching_dimensions", "lhs_contracting_dimensions", "rhs_contracting_dimensions"});
  } else if (draft.op == "stablehlo.gather" || draft.op == "stablehlo.dynamic_gather") {
    lists({"offset_dims", "collapsed_slice_dims", "operand_batching_dims", "start_indices_batching_dims", "start_index_map"});
    draft.attributes.emplace("index_vector_dim", Attribute{Real(0)});
  } else if (draft.op == "stablehlo.scatter") {
    lists({"update_window_dims", "inserted_window_dims", "input_batching_dims", "scatter_indices_batching_dims", "scatter_dims_to_operand_dims"});
    draft.attributes.emplace("index_vector_dim", Attribute{Real(0)});
  }
}

}  // namespace tiebreak::mlir
