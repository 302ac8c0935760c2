// SPDX-License-Identifier: Apache-2.0
// The MLIR reader, from types up to functions. Its parts lie in files of their own: types, attributes, the attributes that
// StableHLO spells in its own way, operations in generic and in pretty form, functions, comments.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/program/mlir_cursor.hpp"
#include "interpreter/program/program.hpp"

namespace tiebreak::mlir {

inline constexpr std::size_t text_limit = std::size_t{16} << 20;
inline constexpr std::int64_t literal_limit = std::int64_t{64} << 20;  ///< elements of all literals and splats of a text
inline constexpr int nesting_limit = 200;
inline constexpr std::int64_t units_an_attribute = 64;                 ///< its own size, in elements
inline constexpr const char* quantize_info = "quantize_info";          ///< the attribute that states a value's quantization parameters
inline constexpr std::string_view unknown_type = "!tiebreak.unknown";  ///< how a type that is not known yet is printed

struct MlirType {
  enum class Kind : std::uint8_t { tensor, element, none, unknown };
  Kind kind = Kind::none;
  TensorType tensor{};  ///< element: only element and quantized mean something
};

// Numbers and literals (literal.cpp).
Result<Real> exact_number(const Cursor& cursor, const NumberText& number);
/// The code of a number in an element type. Decimals round to nearest even in float types; integers must be representable;
/// for floats, hex digits as many as the code has are its bits.
Result<std::uint64_t> number_code(const Cursor& cursor, const NumberText& number, const ElementType& element, const std::string& prefix);
/// What stands between `dense<` and `>`: a number (splat), nested or flat lists, or a string of raw bytes in hex.
Result<Tensor> read_elements(Cursor cursor, const TensorType& type);

/// Rank 1 and 2 tensors of whole numbers or truths become lists: dense<[1, 2]> and array<i64: 1, 2> mean the same.
std::optional<Attribute> as_list(const Tensor& tensor);

// What TOSA's dialect writes in its own way (mlir_tosa.cpp).
bool starts_tosa(std::string_view name);
/// `tosa.avg_pool2d` is the specification's AVG_POOL2D: `tosa.AVG_POOL2D`.
std::string tosa_name(std::string name);
/// A tensor, or a shape, in an attribute: an operation without operands that is a constant here.
bool is_tosa_constant(std::string_view op);

/// A part of a text, between two `// -----`.
struct TextPart {
  std::string_view text;
  int first_line = 1;
};
std::vector<TextPart> split_parts(std::string_view text, int first_line);

/// Puts the functions that calls name in their place. A call of a function that is missing, was refused, calls itself or is called with
/// other types refuses the caller. What calls multiply is paid from `budget`.
void inline_calls(std::vector<MlirFunction>& functions, std::int64_t& budget);

class Parser {
 public:
  Parser(std::string_view text, const std::string& file, int first_line, std::int64_t budget = literal_limit, const MlirResources* resources = nullptr)
      : cursor_(text, file, first_line), budget_(budget), resources_(resources) {}
  /// Function by function. With `strict`, the first one that cannot be read is the error of all.
  Result<std::vector<MlirFunction>> run(bool strict);
  std::int64_t budget() const { return budget_; }  ///< what is left
  std::string end() { return cursor_.where(); }    ///< the place where reading stopped

 private:
  struct Place {
    std::string name;
    std::size_t offset = 0;
  };
  /// Operands and results before they are looked up: the types stand behind the attributes.
  struct Draft {
    std::string op;
    std::size_t offset = 0;
    std::vector<Place> results;
    std::vector<Place> operands;
    AttributeMap attributes;
    int version = 0;
    std::vector<MlirType> operand_types;
    std::vector<MlirType> result_types;
    std::vector<Region> regions;
  };
  /// A function, a bare snippet, or a region inside of one.
  struct Function {
    Program program;
    std::map<std::string, ValueId> scope;
    bool bare = false;
    bool returned = false;
    bool is_private = false;
    Function* outer = nullptr;  ///< of a region: what it may capture from
    std::vector<ValueId> captured{};
  };
  struct Argument {
    Place place;
    MlirType type;
  };

  // What a few characters can make large (splats, aliases, one type for many values) is paid from one budget a text.
  Status charge(std::size_t offset, std::int64_t units);
  Status charge(std::size_t offset, const MlirType& type, std::size_t times);
  Status charge(std::size_t offset, const Attribute& attribute);

  // types
  Result<MlirType> type();
  Result<MlirType> tensor_type();
  Result<MlirType> named_type();
  Result<MlirType> any_type();
  Result<MlirType> calibrated_type();
  Result<ElementType> expressed_type();
  Result<QuantizedType> quantized_type();
  Status quantized_storage(QuantizedType& type);
  Status quantized_dimensions(QuantizedType& type);
  Status quantized_parameters(QuantizedType& type, std::size_t depth);
  Status quantized_parameter(QuantizedType& type);
  Result<Real> scale_number();
  Status type_list(std::vector<MlirType>& types);

  // attributes
  Result<Attribute> attribute();
  Result<Attribute> number_attribute(const NumberText& number);
  Result<Attribute> word_attribute();
  Result<Attribute> array_attribute();
  Result<Attribute> dense_attribute();
  Result<Attribute> resource_attribute();
  Result<Attribute> list_attribute(std::string_view open, std::string_view close);
  Result<Attribute> hash_attribute();
  Result<Attribute> dialect_fields(const std::string& name);
  Result<AttributeMap> dictionary(std::string_view close);
  Status set(AttributeMap& map, std::size_t offset, const std::string& name, Attribute value) const;
  Status merge(Draft& draft, std::size_t offset, AttributeMap attributes, bool properties) const;
  Status nested_attributes(Draft& draft) const;
  Result<std::vector<AttributeMap>> take_annotations(AttributeMap& attributes, std::size_t offset, std::size_t values) const;

  // StableHLO's own spellings
  Result<AttributeMap> convolution_dimensions();
  Status convolution_side(AttributeMap& map, std::string_view side);
  Result<AttributeMap> window();
  Status pretty_clause(Draft& draft);
  Status precision_format(Draft& draft);
  Status slice_ranges(Draft& draft);
  static void complete(Draft& draft);

  // TOSA's own spellings
  Result<MlirType> tosa_shape();
  Result<Attribute> tosa_word();
  Status tosa_values(Draft& draft);

  // regions
  Status regions(Function& function, Draft& draft);
  Result<Region> region(Function& outer, const std::vector<Argument>& arguments);
  Status argument_list(std::vector<Argument>& arguments);
  Status pretty_while(Function& function, Draft& draft);
  Status pretty_reduce(Function& function, Draft& draft);
  Status reducer(Function& function, Draft& draft);
  Result<Region> applied(const Draft& draft, const std::string& op, std::size_t offset) const;
  static std::optional<ValueId> find(const Function& function, const std::string& name);
  Result<ValueId> capture(Function& function, const Place& place, const MlirType* type);

  // operations
  Status operation(Function& function);
  Status results(Draft& draft);
  Status no_function(const Draft& draft) const;
  Status generic(Function& function, Draft& draft);
  Status pretty(Function& function, Draft& draft);
  Status pretty_constant(Draft& draft);
  Status pretty_operands(Draft& draft);
  Status pretty_clauses(Draft& draft);
  Status pretty_dictionary(Draft& draft);
  Status pretty_signature(Draft& draft);
  Status arrow_signature(Draft& draft, std::vector<MlirType> types, std::size_t offset);
  Status spread_types(Draft& draft, std::vector<MlirType> types, std::size_t offset);
  Status signature(Draft& draft);
  Result<Place> value_name();
  Status location();
  Status finish(Function& function, Draft draft);
  Status finish_return(Function& function, const Draft& draft);
  Status finish_constant(Function& function, Draft draft);
  Result<ValueId> use(Function& function, const Place& place, const MlirType* type);
  Result<ValueId> define(Function& function, const Place& place, const MlirType& type);

  // functions
  Status top_level(std::vector<MlirFunction>& functions, Function& bare, bool strict);
  Status alias();
  Status module_header();
  Result<MlirFunction> function(bool strict);
  Status read_function(Function& function, std::size_t at);
  Status skip_function();
  Status function_inputs(Function& function, std::vector<MlirType>& results);
  Status body(Function& function);
  Result<ProgramExample> example(const Program& program, bool strict) const;
  Result<Program> close_bare(Function& bare) const;

  Cursor cursor_;
  int depth_ = 0;
  std::int64_t budget_;
  const MlirResources* resources_;
  std::map<std::string, MlirType> types_;
  std::map<std::string, Attribute> attributes_;
};

/// Comments around a bare snippet: `// %x: VALUE`, `// %y @ condition: VALUE`, `// error C15`; everything else is prose.
/// Every literal lands in `before`; who knows the program moves the results' to `after`.
Result<ProgramExample> read_example(const Cursor& cursor, const std::vector<Comment>& comments);

/// Counts nesting for as long as it lives.
class Nesting {
 public:
  explicit Nesting(int& depth) : depth_(depth) { ++depth_; }
  ~Nesting() { --depth_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;
  bool too_deep() const { return depth_ > nesting_limit; }

 private:
  int& depth_;
};

}  // namespace tiebreak::mlir
