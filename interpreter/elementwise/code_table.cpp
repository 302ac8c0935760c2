// SPDX-License-Identifier: Apache-2.0
#include "interpreter/elementwise/code_table.hpp"

#include <algorithm>
#include <numeric>

#include "interpreter/elementwise/narrowed_formula.hpp"
#include "interpreter/fast/run_formula.hpp"
#include "interpreter/operations/avx2_copy.hpp"

namespace tiebreak {
namespace {

constexpr std::int64_t codes = 256;
constexpr std::int64_t cells_for_each_entry = 4;  // a table costs its entries, by columns

/// Every code that the type has, each at the place of its stored byte. At the place of a byte that is no code stands code 0.
std::optional<Tensor> every_code(const ElementType& type) {
  auto all = Tensor::zeros({type, {codes}, {}}), one = Tensor::zeros({type, {1}, {}});
  if (!all || !one) return std::nullopt;
  for (std::uint64_t code = 0; code < std::uint64_t{1} << type.bits(); ++code) {
    one->set_code(0, code);
    all->set_code(static_cast<std::int64_t>(one->bytes()[0]), code);
  }
  return std::move(*all);
}

/// Where the entry of a cell lies: a table for each set of parameters, in it the first operand's byte, then the second's.
struct Entries {
  const std::uint8_t* first;
  const std::uint8_t* second;  ///< nullptr: there is one operand
  std::size_t begin, step;     ///< the table of the run's first cell, and from one cell's to the next one's
};

template <class Code>
TIEBREAK_AVX2_COPY void look_up(const Code* table, const Entries& entries, std::size_t count, Code* out) {
  const std::uint8_t *first = entries.first, *second = entries.second;
  if (second != nullptr) {
    for (std::size_t i = 0; i < count; ++i) out[i] = table[entries.begin + i * entries.step + (std::size_t{first[i]} << 8 | second[i])];
  } else if (entries.step != 0) {
    for (std::size_t i = 0; i < count; ++i) out[i] = table[entries.begin + i * entries.step + first[i]];
  } else {
    const Code* mine = table + entries.begin;
    for (std::size_t i = 0; i < count; ++i) out[i] = mine[first[i]];
  }
}

void look_up_codes(const Tensor& table, const Entries& entries, std::size_t count, std::size_t place, Tensor& out) {
  const auto run = [&]<class Code>(Code) {
    look_up(reinterpret_cast<const Code*>(table.bytes().data()), entries, count, reinterpret_cast<Code*>(out.bytes().data()) + place);
  };
  switch (out.element().storage_bytes()) {
    case 1: return run(std::uint8_t{});
    case 2: return run(std::uint16_t{});
    case 4: return run(std::uint32_t{});
    default: return run(std::uint64_t{});
  }
}

/// The table of one formula, and what is looked up in it.
struct CodeTable {
  ParameterSets parameters;
  Stop stop{};
  std::vector<const std::uint8_t*> bytes{};  ///< of the operands
  std::int64_t combinations = 1;
  ResultTensor values{};

  Result<bool> fill(ResultTensor& result) const {
    if (!values.undefined.empty()) result.undefined.resize(static_cast<std::size_t>(result.tensor.size()));
    const auto fill_run = [&](const ParameterSets::Run& run) -> Status {
      for (std::int64_t done = 0; done < run.count; done += cells_between_looks) {
        TIEBREAK_CHECK(stop.check());
        const std::size_t place = static_cast<std::size_t>(run.first + done), count = static_cast<std::size_t>(std::min(cells_between_looks, run.count - done));
        const Entries entries{bytes.front() + place, bytes.size() > 1 ? bytes.back() + place : nullptr,
                              static_cast<std::size_t>((run.set + done * run.step) * combinations), static_cast<std::size_t>(run.step * combinations)};
        look_up_codes(values.tensor, entries, count, place, result.tensor);
        if (!values.undefined.empty()) look_up(values.undefined.data(), entries, count, result.undefined.data() + place);
      }
      return {};
    };
    TIEBREAK_CHECK(parameters.for_each_run(fill_run));
    if (std::ranges::all_of(result.undefined, [](std::uint8_t u) { return u == 0; })) result.undefined.clear();
    return true;
  }
};

}  // namespace

Result<FillPlan> plan_by_codes(const Formula& formula, const FormulaResult& declared, const CellInputs& inputs) {
  const FillPlan none;
  if (inputs.cellwise.empty() || inputs.cellwise.size() > 2) return none;
  CodeTable table{.parameters = ParameterSets(formula.geometry.cell_extents, inputs.rate), .stop = formula.stop};
  std::vector<Tensor> elements;
  for (const std::size_t source : inputs.cellwise) {
    const Tensor& tensor = *formula.sources[source].tensor;
    if (tensor.element().storage_bytes() != 1) return none;
    std::optional<Tensor> every = every_code(tensor.element());
    if (!every) return none;
    elements.push_back(std::move(*every));
    table.bytes.push_back(reinterpret_cast<const std::uint8_t*>(tensor.bytes().data()));
    table.combinations *= codes;
  }
  if (formula.geometry.cells() / cells_for_each_entry < table.combinations * table.parameters.count()) return none;
  std::vector<std::int64_t> sets(static_cast<std::size_t>(table.parameters.count()));
  std::iota(sets.begin(), sets.end(), std::int64_t{0});
  std::optional<NarrowedFormula> of_codes = narrowed(formula, declared, inputs, table.parameters, sets, elements);
  if (!of_codes) return none;
  Result<std::vector<ResultTensor>> results = run_formula(of_codes->formula, {.op = formula.op});
  TIEBREAK_CHECK(formula.stop.check());
  if (!results) return none;
  table.values = std::move(results->front());
  return FillPlan([table = std::move(table)](ResultTensor& result) { return table.fill(result); });
}

}  // namespace tiebreak
