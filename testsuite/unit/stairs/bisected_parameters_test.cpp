// SPDX-License-Identifier: Apache-2.0
// MLIR's first quantizer: parameters by a bisection of up to 60 steps, which is no formula of the notation, so that the oracle alone computes
// them. The other published rows of MLIR are read as cases.
#include "testsuite/oracle/quantized/parameter_variants.hpp"
#include "testsuite/unit/helpers/published_tables.hpp"

namespace tiebreak {
namespace {

TEST(BisectedParameters, RowsOfTheFirstQuantizer) {
  if (!std::filesystem::exists(table_path("mlir_quant_cases.json"))) GTEST_SKIP() << "the table of MLIR cases is not beside this checkout";
  int rows = 0;
  const json table = read_table("mlir_quant_cases.json");
  for (const json& entry : table["cases"]) {
    if (entry["kind"] != "historical_solver") continue;
    for (const json& row : entry["expected"]) {
      double low = row["min"], high = row["max"];
      if (low != -12.25) {  // literals of an f32 tensor in the test that they come from
        low = static_cast<double>(static_cast<float>(low));
        high = static_cast<double>(static_cast<float>(high));
      }
      const auto derived = oracle::bisected_parameters(low, high, entry["levels"][0], entry["levels"][1]);
      EXPECT_DOUBLE_EQ(derived.scale, row["scale"].get<double>()) << row;
      EXPECT_EQ(derived.zero_point, row["zero_point"].get<std::int64_t>()) << row;
      ++rows;
    }
  }
  EXPECT_EQ(rows, 4);
}

}  // namespace
}  // namespace tiebreak
