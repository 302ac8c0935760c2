// SPDX-License-Identifier: Apache-2.0
// Any text as a recipe: settings for every node, or one error.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "testsuite/fuzz/spec_folder.hpp"
#include "testsuite/quantize/recipe.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tiebreak;
  if (size > 1 << 14) return 0;  // longer texts are slow, not different
  const auto recipe = parse_recipe(std::string(reinterpret_cast<const char*>(data), size), "recipe.json");
  if (!recipe) {
    check_error(recipe.error());
    return 0;
  }
  const NodeRecipe made = recipe->of("onnx.Conv", "y");
  if (made.block < 1 || !made.weights.is_integer()) std::abort();
  if (recipe->of_input("y").block < 1) std::abort();
  return 0;
}
