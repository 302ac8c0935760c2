// SPDX-License-Identifier: Apache-2.0
// The tables of a .tflite file: which field stands under which number. Reading and writing use the same ones.
#pragma once

namespace tiebreak::tflite {

struct Field {
  int number;
  const char* name;
};

inline constexpr const char* file_identifier = "TFL3";
inline constexpr unsigned schema_version = 3;

namespace of_model {
inline constexpr Field version{0, "version"}, operator_codes{1, "operator_codes"}, subgraphs{2, "subgraphs"}, description{3, "description"},
    buffers{4, "buffers"};
}
namespace of_code {
inline constexpr Field short_code{0, "deprecated_builtin_code"}, custom{1, "custom_code"}, version{2, "version"}, code{3, "builtin_code"};
}
namespace of_subgraph {
inline constexpr Field tensors{0, "tensors"}, inputs{1, "inputs"}, outputs{2, "outputs"}, operators{3, "operators"}, name{4, "name"};
}
namespace of_tensor {
inline constexpr Field shape{0, "shape"}, type{1, "type"}, buffer{2, "buffer"}, name{3, "name"}, quantization{4, "quantization"}, variable{5, "is_variable"},
    sparsity{6, "sparsity"}, signature{7, "shape_signature"};
}
namespace of_quantization {
inline constexpr Field scale{2, "scale"}, zero_point{3, "zero_point"}, details{4, "details_type"}, dimension{6, "quantized_dimension"};
}
namespace of_buffer {
inline constexpr Field data{0, "data"}, offset{1, "offset"}, size{2, "size"};
}
namespace of_operator {
inline constexpr Field code{0, "opcode_index"}, inputs{1, "inputs"}, outputs{2, "outputs"}, options_table{3, "builtin_options_type"},
    options{4, "builtin_options"}, intermediates{8, "intermediates"}, options_table_2{11, "builtin_options_2_type"};
}
namespace of_sparsity {
inline constexpr Field order{0, "traversal_order"}, blocks{1, "block_map"}, levels{2, "dim_metadata"};
}
namespace of_level {
inline constexpr Field format{0, "format"}, size{1, "dense_size"}, segments_type{2, "array_segments_type"}, segments{3, "array_segments"},
    indices_type{4, "array_indices_type"}, indices{5, "array_indices"};
}

}  // namespace tiebreak::tflite
