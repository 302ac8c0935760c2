// SPDX-License-Identifier: Apache-2.0
#include "interpreter/evaluate/fold_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "interpreter/movement/scatter.hpp"
#include "interpreter/notation/notation.hpp"

namespace tiebreak::regions {
namespace {

Result<StructureRequest> request_of(const Context& context, const std::vector<ResultTensor>& sources) {
  if (sources.empty()) return fail(Errc::type, fmt::format("{} has no operands", context.call.op), context.call.where);
  StructureRequest request;
  request.path = context.structure->path;
  request.arguments = {{.name = context.argument(0)}};
  request.operands = {{context.argument(0), sources[0].tensor.type(), nullptr}};
  request.attributes = &context.call.attributes;
  request.op = context.call.op;
  request.where = context.call.where;
  return request;
}

/// Dimensions as the specification wants them: inside the rank (C4), each once (C5). No dimension at all leaves every element its own row.
Result<Geometry> row_geometry(const Context& context, StructureRequest request) {
  const auto found = context.call.attributes.find(context.argument(1));
  const auto dimensions = found == context.call.attributes.end() ? std::nullopt : found->second.as_integers();
  if (!dimensions) return fail(Errc::type, fmt::format("{}: {} must be a list of integers", request.op, context.argument(1)), request.where);
  const std::int64_t rank = static_cast<std::int64_t>(request.operands[0].type.shape.size());
  for (std::int64_t dimension : *dimensions)
    if (dimension < 0 || dimension >= rank)
      return fail(Errc::constraint, fmt::format("{} C4: dimension {} is outside the rank {}", request.op, dimension, rank), request.where);
  if (std::set<std::int64_t>(dimensions->begin(), dimensions->end()).size() != dimensions->size())
    return fail(Errc::constraint, fmt::format("{} C5: a dimension is named twice", request.op), request.where);
  request.path = dimensions->empty() ? "elementwise" : "rows";
  if (!dimensions->empty()) request.arguments.push_back({.name = "", .values = *dimensions});
  return build_geometry(request);
}

/// Sources and starts in the types of the region's parameters.
Status convert(const Context& context, const RegionRun& region, std::vector<ResultTensor>& starts, std::vector<ResultTensor>& sources) {
  for (std::size_t i = 0; i < starts.size(); ++i) {
    TIEBREAK_TRY(start, convert_element(context, starts[i], region.parameter(i)));
    starts[i] = std::move(start);
  }
  for (std::size_t i = 0; i < sources.size(); ++i) {
    TIEBREAK_TRY(source, convert_element(context, sources[i], region.parameter(starts.size() + i)));
    sources[i] = std::move(source);
  }
  return {};
}

/// What stands outside the operand: the members of the operand that `pad` names, or a code for all. Nothing where the structure does not say.
Result<std::vector<ResultTensor>> holes_of(const Context& context, const std::vector<ResultTensor>& starts) {
  const auto pad = std::ranges::find_if(context.structure->arguments, [](const notation::Argument& argument) { return argument.name == "pad"; });
  if (pad == context.structure->arguments.end()) return std::vector<ResultTensor>{};
  if (pad->value->kind == notation::ExprKind::name && context.header.operands.contains(pad->value->text)) {
    std::vector<ResultTensor> values = context.operands(pad->value->text);
    for (std::size_t i = 0; i < values.size() && i < starts.size(); ++i) {
      TIEBREAK_TRY(value, convert_element(context, values[i], starts[i].tensor.type()));
      values[i] = std::move(value);
    }
    return values;
  }
  const auto number = Real::parse(notation::print(*pad->value));
  if (!number) return fail(Errc::unsupported, fmt::format("{}: pad must be an operand or a number", context.call.op), context.call.where);
  std::vector<ResultTensor> holes = starts;
  for (ResultTensor& hole : holes) {
    const auto code = hole.tensor.element().encode(*number);
    if (!code)
      return fail(Errc::type, fmt::format("{}: pad {} is no value of {}", context.call.op, number->to_string(), hole.tensor.element().name()),
                  context.call.where);
    hole.tensor.set_code(0, *code);
  }
  return holes;
}

/// The start value of each cell: the operand of that name, else values that nothing reads.
Result<std::vector<ResultTensor>> starts_of(const Context& context, const FoldLine& line, const RegionRun& region, std::size_t members) {
  if (!line.start.empty()) return context.operands(line.start);
  std::vector<ResultTensor> starts;
  for (std::size_t i = 0; i < members; ++i) {
    TIEBREAK_TRY(zero, Tensor::zeros(region.parameter(i)));
    starts.push_back({.name = "", .tensor = std::move(zero)});
  }
  return starts;
}

/// Every cell folds the items of its bag; places outside the operand take the hole's value, or are passed over where there is none.
Result<FoldCells> geometry_cells(const Context& context, const Geometry& geometry) {
  TIEBREAK_TRY(line, fold_line(context));
  FoldCells cells{.body = std::make_unique<RegionRun>(context, line.region), .order = line.order, .sources = context.operands(line.source)};
  TIEBREAK_TRY(starts, starts_of(context, line, *cells.body, cells.sources.size()));
  TIEBREAK_CHECK(convert(context, *cells.body, starts, cells.sources));
  TIEBREAK_TRY(holes, holes_of(context, starts));
  cells.holes = std::move(holes);
  const std::vector<std::int64_t> first(static_cast<std::size_t>(geometry.cells()), 0);
  for (const ResultTensor& start : starts) {
    TIEBREAK_TRY(spread, pick(start, first));
    cells.starts.push_back(std::move(spread));
  }
  const Access& access = geometry.operands.begin()->second;
  std::vector<std::int64_t> cell(geometry.cell_extents.size());
  std::vector<std::vector<std::int64_t>> places(static_cast<std::size_t>(geometry.items()), std::vector<std::int64_t>(geometry.item_extents.size()));
  for (std::size_t number = 0; number < places.size(); ++number) unravel(static_cast<std::int64_t>(number), geometry.item_extents, places[number]);
  cells.begins.push_back(0);
  for (std::int64_t lane = 0; lane < geometry.cells(); ++lane) {
    unravel(lane, geometry.cell_extents, cell);
    for (const std::vector<std::int64_t>& item : places) {
      const std::int64_t offset = access.offset(cell, item);
      if (offset >= 0 || !cells.holes.empty()) cells.items.push_back(offset);
    }
    cells.begins.push_back(cells.items.size());
  }
  cells.shape = geometry.result_shape;
  return cells;
}

/// Source i goes to cell targets[i] (below zero: nowhere), in the order of the sources.
void sort_arrivals(FoldCells& cells, std::size_t count, const std::vector<std::int64_t>& targets) {
  cells.begins.assign(count + 1, 0);
  for (std::int64_t target : targets)
    if (target >= 0) ++cells.begins[static_cast<std::size_t>(target) + 1];
  for (std::size_t i = 0; i < count; ++i) cells.begins[i + 1] += cells.begins[i];
  cells.items.resize(cells.begins.back());
  std::vector<std::size_t> next = cells.begins;
  for (std::size_t i = 0; i < targets.size(); ++i)
    if (targets[i] >= 0) cells.items[next[static_cast<std::size_t>(targets[i])]++] = static_cast<std::int64_t>(i);
}

/// The element of the operand that each window selects, -1 where a window holds none: a later one replaces the kept one where the region gives false.
Result<std::vector<std::int64_t>> select_elements(RegionRun& select, const ResultTensor& operand, const Geometry& geometry) {
  const Access& access = geometry.operands.begin()->second;
  std::vector<std::int64_t> chosen(static_cast<std::size_t>(geometry.cells()), -1);
  std::vector<std::int64_t> cell(geometry.cell_extents.size()), item(geometry.item_extents.size());
  for (std::int64_t tap = 0; tap < geometry.items(); ++tap) {
    unravel(tap, geometry.item_extents, item);
    std::vector<std::int64_t> windows, kept, offered;
    for (std::int64_t window = 0; window < geometry.cells(); ++window) {
      unravel(window, geometry.cell_extents, cell);
      const std::int64_t offset = access.offset(cell, item);
      std::int64_t& best = chosen[static_cast<std::size_t>(window)];
      if (offset < 0) continue;
      if (best < 0) {
        best = offset;
        continue;
      }
      windows.push_back(window);
      kept.push_back(best);
      offered.push_back(offset);
    }
    if (windows.empty()) continue;
    TIEBREAK_TRY(left, pick(operand, kept));
    TIEBREAK_TRY(right, pick(operand, offered));
    TIEBREAK_TRY(selected, select.run_lanes({left, right}, static_cast<std::int64_t>(windows.size())));
    for (std::size_t i = 0; i < windows.size(); ++i)
      if (selected[0].tensor.code(static_cast<std::int64_t>(i)) == 0) chosen[static_cast<std::size_t>(windows[i])] = offered[i];
  }
  return chosen;
}

/// Whether some window selects another element where its elements are compared in another grouping: the selected elements of all ranges.
Result<bool> is_selection_open(RegionRun& select, const ResultTensor& operand, const Geometry& geometry) {
  constexpr std::int64_t most_taps = 64;
  const Access& access = geometry.operands.begin()->second;
  std::vector<std::int64_t> cell(geometry.cell_extents.size()), item(geometry.item_extents.size());
  if (geometry.items() > most_taps) return true;
  for (std::int64_t window = 0; window < geometry.cells(); ++window) {
    unravel(window, geometry.cell_extents, cell);
    std::vector<std::int64_t> taps, left, right;
    for (std::int64_t tap = 0; tap < geometry.items(); ++tap) {
      unravel(tap, geometry.item_extents, item);
      if (const std::int64_t offset = access.offset(cell, item); offset >= 0) taps.push_back(offset);
    }
    const std::size_t n = taps.size();
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) left.push_back(taps[i]), right.push_back(taps[j]);
    if (n < 3) continue;  // one grouping
    TIEBREAK_TRY(l, pick(operand, left));
    TIEBREAK_TRY(r, pick(operand, right));
    TIEBREAK_TRY(kept, select.run_lanes({l, r}, static_cast<std::int64_t>(n * n)));
    const auto stays = [&](std::size_t i, std::size_t j) { return kept[0].tensor.code(static_cast<std::int64_t>(i * n + j)) != 0; };
    std::vector<std::set<std::size_t>> chosen(n * n);  // [first * n + last]
    for (std::size_t last = 0; last < n; ++last)
      for (std::size_t first = last + 1; first-- > 0;) {
        std::set<std::size_t>& here = chosen[first * n + last];
        if (first == last) here.insert(first);
        for (std::size_t k = first; k < last; ++k)
          for (std::size_t a : chosen[first * n + k])
            for (std::size_t b : chosen[(k + 1) * n + last]) here.insert(stays(a, b) ? a : b);
      }
    if (chosen[n - 1].size() > 1) return true;
  }
  return false;
}

Result<FoldCells> row_cells(const Context& context) {
  TIEBREAK_TRY(request, request_of(context, context.operands(context.argument(0))));
  TIEBREAK_TRY(geometry, row_geometry(context, std::move(request)));
  return geometry_cells(context, geometry);
}

Result<FoldCells> window_cells(const Context& context) {
  TIEBREAK_TRY(request, request_of(context, context.operands(context.argument(0))));
  TIEBREAK_TRY(geometry, build_geometry(request));
  return geometry_cells(context, geometry);
}

/// scatter(inputs, indices, updates): updates are folded into the elements that the indices name. The element itself is the start value.
Result<FoldCells> update_cells(const Context& context) {
  TIEBREAK_TRY(line, fold_line(context));
  FoldCells cells{.body = std::make_unique<RegionRun>(context, line.region),
                  .order = line.order,
                  .starts = context.operands(context.argument(0)),
                  .sources = context.operands(line.source)};
  const std::vector<ResultTensor> indices = context.operands(context.argument(1));
  if (cells.starts.empty() || cells.sources.empty()) return fail(Errc::type, fmt::format("{} has no operands", context.call.op), context.call.where);
  cells.shape = cells.starts[0].tensor.shape();
  TIEBREAK_TRY(targets, scatter_targets(cells.shape, indices[0].tensor, cells.sources[0].tensor.shape(), context.call.attributes, context.call.where));
  TIEBREAK_CHECK(convert(context, *cells.body, cells.starts, cells.sources));
  sort_arrivals(cells, static_cast<std::size_t>(cells.starts[0].tensor.size()), targets);
  return cells;
}

/// Each window of the operand selects one element, to which the window's source value goes; what arrives is folded in the order of the sources.
Result<FoldCells> selected_cells(const Context& context) {
  TIEBREAK_TRY(line, fold_line(context));
  FoldCells cells{.body = std::make_unique<RegionRun>(context, line.region), .order = line.order, .sources = context.operands(line.source)};
  const ResultTensor operand = context.operands(context.argument(0)).front();
  TIEBREAK_TRY(request, request_of(context, {operand}));
  request.path = "window.stablehlo";
  TIEBREAK_TRY(geometry, build_geometry(request));
  if (geometry.result_shape != cells.sources[0].tensor.shape())
    return fail(Errc::constraint,
                fmt::format("{} C2: source has shape {}, there are {} windows", context.call.op, to_text(cells.sources[0].tensor.shape()),
                            to_text(geometry.result_shape)),
                context.call.where);
  const auto selecting = std::ranges::find(context.header.op->regions, context.argument(2));
  RegionRun select(context, static_cast<std::size_t>(selecting - context.header.op->regions.begin()));
  TIEBREAK_TRY(chosen, select_elements(select, operand, geometry));
  if (line.order.set == FoldSet::trees) {
    TIEBREAK_TRY(open, is_selection_open(select, operand, geometry));
    cells.selection_open = open;
  }
  TIEBREAK_TRY(starts, starts_of(context, line, *cells.body, 1));
  TIEBREAK_CHECK(convert(context, *cells.body, starts, cells.sources));
  TIEBREAK_TRY(spread, pick(starts[0], std::vector<std::int64_t>(static_cast<std::size_t>(operand.tensor.size()), 0)));
  cells.starts.push_back(std::move(spread));
  cells.shape = operand.tensor.shape();
  sort_arrivals(cells, static_cast<std::size_t>(operand.tensor.size()), chosen);
  return cells;
}

}  // namespace

Result<std::optional<FoldCells>> fold_cells(const Context& context) {
  using FoldWay = Result<FoldCells> (*)(const Context&);
  struct FoldEntry {
    const char* path;
    FoldWay way;
  };
  constexpr FoldEntry fold_ways[] = {
      {"rows", row_cells}, {"window.stablehlo", window_cells}, {"scatter.stablehlo", update_cells}, {"scatter.selected", selected_cells}};
  if (context.structure == nullptr) return std::optional<FoldCells>();
  const auto* way = std::ranges::find(fold_ways, context.structure->path, [](const FoldEntry& entry) { return std::string(entry.path); });
  if (way == std::end(fold_ways)) return std::optional<FoldCells>();
  TIEBREAK_TRY(cells, way->way(context));
  return std::optional<FoldCells>(std::move(cells));
}

}  // namespace tiebreak::regions
