// SPDX-License-Identifier: Apache-2.0
// A recipe: how the operators of a program are quantized, by defaults and overrides (tiebreak.recipe/1).
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "interpreter/program/program.hpp"

namespace tiebreak {

/// How far apart the parameters of weights lie.
enum class WeightGranularity : std::uint8_t { tensor, axis, block };

/// What a recipe says of one node. What it does not say is taken from the entries before it, and at last from the defaults.
struct NodeRecipe {
  std::optional<ElementType> storage{};          ///< of activations; f16 and f32 stay floats; not said: as their parameters are
  ElementType weights = IntegerFormat{true, 8};  ///< of constants in products
  bool symmetric = false;                        ///< ranges of activations are made symmetric about zero
  bool narrow = false;                           ///< without the least code
  bool weights_symmetric = true;
  bool weights_narrow = true;
  WeightGranularity granularity = WeightGranularity::tensor;  ///< of weights
  std::int64_t block = 32;                                    ///< elements that share parameters along the summed axis
  bool dynamic = false;                                       ///< parameters of the activation are found while the program runs
  bool bias_in_accumulator = true;                            ///< else it is added in real space
  bool leave = false;                                         ///< stays in real space
};

/// The keys of NodeRecipe that an entry gives.
struct RecipeEntry {
  std::string operators;  ///< a glob over operators (Conv, stablehlo.*); "" for any
  std::string values;     ///< a glob over names of values; "" for any
  std::optional<ElementType> storage{}, weights{};
  std::optional<bool> symmetric{}, narrow{}, weights_symmetric{}, weights_narrow{}, dynamic{}, bias_in_accumulator{}, leave{};
  std::optional<WeightGranularity> granularity{};
  std::optional<std::int64_t> block{};
  std::string where{};
};

struct Recipe {
  RecipeEntry defaults{};
  std::vector<RecipeEntry> nodes{};  ///< later ones win

  /// For the operation whose first result is `value`.
  NodeRecipe of(const std::string& op, const std::string& value) const;
  /// For a value that no operation makes.
  NodeRecipe of_input(const std::string& value) const;
};

/// Errc::syntax, unknown_name or type with the place in the file.
Result<Recipe> read_recipe(const std::string& path);
Result<Recipe> parse_recipe(const std::string& text, const std::string& file);
/// Errc::unknown_name for an entry that no operation of the program, and no input of it, answers to.
Status check_recipe(const Recipe& recipe, const Program& program);
/// The operator's name without its family: Conv of onnx.Conv.
std::string operator_name(const std::string& op);

}  // namespace tiebreak
