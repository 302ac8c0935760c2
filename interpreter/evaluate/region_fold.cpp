// SPDX-License-Identifier: Apache-2.0
// Folds with a body: over rows (reduce), windows (reduce_window), and the updates that land on an element (scatter). All cells take one step
// together. Where the text leaves the grouping open, what runs is its first member: from the start value on, in the order of the items.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "interpreter/evaluate/regions.hpp"
#include "interpreter/notation/notation.hpp"
#include "interpreter/structure/scatter.hpp"

namespace tiebreak::regions {
namespace {

/// `results = fold[body](inputs, init_values)`, as the page writes it.
struct FoldLine {
  std::size_t region = 0;
  std::string source{}, start{};
};

Result<FoldLine> fold_line(const Context& context) {
  const notation::Op& op = *context.header.op;
  for (const notation::Statement& statement : op.statements) {
    const auto* let = std::get_if<notation::Let>(&statement);
    if (let == nullptr || let->targets.size() != 1 || let->targets[0] != op.results.front().name) continue;
    const notation::Expr& fold = *let->body.value;
    if (fold.kind != notation::ExprKind::aggregate || fold.text != "fold" || fold.modifiers.size() != 1 || fold.args.size() != 2) break;
    const auto region = std::ranges::find(op.regions, fold.modifiers[0].name);
    if (region == op.regions.end() || !context.header.operands.contains(fold.args[0]->text) || !context.header.operands.contains(fold.args[1]->text)) break;
    return FoldLine{static_cast<std::size_t>(region - op.regions.begin()), fold.args[0]->text, fold.args[1]->text};
  }
  return fail(Errc::unsupported, fmt::format("{}: its formula is not of the form fold[body](operand, operand)", context.call.op), context.call.where);
}

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
    if (dimension < 0 || dimension >= rank) return fail(Errc::constraint, fmt::format("{} C4: dimension {} is outside the rank {}", request.op, dimension, rank), request.where);
  if (std::set<std::int64_t>(dimensions->begin(), dimensions->end()).size() != dimensions->size())
    return fail(Errc::constraint, fmt::format("{} C5: a dimension is named twice", request.op), request.where);
  request.path = dimensions->empty() ? "elementwise" : "rows";
  if (!dimensions->empty()) request.arguments.push_back({.name = "", .values = *dimensions});
  return build_geometry(request);
}

/// Sources and starts in the types of the body's parameters.
Status convert(const Context& context, const Body& body, std::vector<ResultTensor>& starts, std::vector<ResultTensor>& sources) {
  for (std::size_t i = 0; i < starts.size(); ++i) {
    TIEBREAK_TRY(start, convert_element(context, starts[i], body.parameter(i)));
    starts[i] = std::move(start);
  }
  for (std::size_t i = 0; i < sources.size(); ++i) {
    TIEBREAK_TRY(source, convert_element(context, sources[i], body.parameter(starts.size() + i)));
    sources[i] = std::move(source);
  }
  return {};
}

/// What stands outside the operand: the members of the operand that `pad` names, or a code for all. Nothing where the structure does not say.
Result<std::vector<ResultTensor>> holes_of(const Context& context, const std::vector<ResultTensor>& starts, const std::string& start) {
  const auto pad = std::ranges::find_if(context.structure->arguments, [](const notation::Argument& argument) { return argument.name == "pad"; });
  if (pad == context.structure->arguments.end()) return std::vector<ResultTensor>{};
  if (pad->value->kind == notation::ExprKind::name && pad->value->text == start) return starts;
  const auto number = Real::parse(notation::print(*pad->value));
  if (!number) return fail(Errc::unsupported, fmt::format("{}: pad must be {} or a number", context.call.op, start), context.call.where);
  std::vector<ResultTensor> holes = starts;
  for (ResultTensor& hole : holes) {
    const auto code = hole.tensor.element().encode(*number);
    if (!code) return fail(Errc::type, fmt::format("{}: pad {} is no value of {}", context.call.op, number->to_string(), hole.tensor.element().name()), context.call.where);
    hole.tensor.set_code(0, *code);
  }
  return holes;
}

/// Every cell folds the items of its bag; places outside the operand take the hole's value, or are passed over where there is none.
Results fold_geometry(const Context& context, Geometry geometry) {
  TIEBREAK_TRY(line, fold_line(context));
  std::vector<ResultTensor> sources = context.operands(line.source);
  std::vector<ResultTensor> starts = context.operands(line.start);
  Body body(context, line.region);
  TIEBREAK_CHECK(convert(context, body, starts, sources));
  TIEBREAK_TRY(holes, holes_of(context, starts, line.start));
  const std::int64_t cells = geometry.cells();
  std::vector<ResultTensor> accumulators;
  const std::vector<std::int64_t> first(static_cast<std::size_t>(cells), 0);
  for (const ResultTensor& start : starts) {
    TIEBREAK_TRY(accumulator, pick(start, first));
    accumulators.push_back(std::move(accumulator));
  }
  const Access& access = geometry.operands.begin()->second;
  std::vector<std::int64_t> cell(geometry.cell_extents.size()), item(geometry.item_extents.size());
  auto step_at = [&](std::int64_t number) {
    Step step;
    unravel(number, geometry.item_extents, item);
    for (std::int64_t lane = 0; lane < cells; ++lane) {
      unravel(lane, geometry.cell_extents, cell);
      const std::int64_t offset = access.offset(cell, item);
      if (offset < 0 && holes.empty()) continue;
      step.lanes.push_back(lane);
      step.offsets.push_back(offset);
    }
    return step;
  };
  TIEBREAK_CHECK(fold(body, accumulators, sources, holes, cells == 0 ? 0 : geometry.items(), step_at));
  for (ResultTensor& accumulator : accumulators) accumulator = reshaped(std::move(accumulator), geometry.result_shape);
  return accumulators;
}

/// Source i goes to element targets[i] of the accumulators (-1: nowhere). The n-th arrivals at all elements are one step, for an element knows
/// nothing of what arrives at another.
Status fold_arrivals(Body& body, std::vector<ResultTensor>& accumulators, const std::vector<ResultTensor>& sources, const std::vector<std::int64_t>& targets) {
  std::vector<Step> steps;
  std::vector<std::size_t> arrived(static_cast<std::size_t>(accumulators[0].tensor.size()), 0);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (targets[i] < 0) continue;
    const std::size_t number = arrived[static_cast<std::size_t>(targets[i])]++;
    if (number == steps.size()) steps.emplace_back();
    steps[number].lanes.push_back(targets[i]);
    steps[number].offsets.push_back(static_cast<std::int64_t>(i));
  }
  return fold(body, accumulators, sources, {}, static_cast<std::int64_t>(steps.size()), [&](std::int64_t number) { return steps[static_cast<std::size_t>(number)]; });
}

/// The element of the operand that each window selects, -1 where a window holds none: a later one replaces the kept one where the body says false.
Result<std::vector<std::int64_t>> select_elements(Body& select, const ResultTensor& operand, const Geometry& geometry) {
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

}  // namespace

Status fold(Body& body, std::vector<ResultTensor>& accumulators, const std::vector<ResultTensor>& sources, const std::vector<ResultTensor>& holes, std::int64_t steps,
            const std::function<Step(std::int64_t)>& step_at) {
  for (std::int64_t number = 0; number < steps; ++number) {
    const Step step = step_at(number);
    if (step.lanes.empty()) continue;
    std::vector<ResultTensor> arguments;
    for (const ResultTensor& accumulator : accumulators) {
      TIEBREAK_TRY(taken, pick(accumulator, step.lanes));
      arguments.push_back(std::move(taken));
    }
    for (std::size_t i = 0; i < sources.size(); ++i) {
      TIEBREAK_TRY(taken, pick(sources[i], step.offsets, holes.empty() ? nullptr : &holes[i]));
      arguments.push_back(std::move(taken));
    }
    TIEBREAK_TRY(results, body.run_lanes(arguments, static_cast<std::int64_t>(step.lanes.size())));
    for (std::size_t i = 0; i < accumulators.size(); ++i) put(accumulators[i], step.lanes, results[i]);
  }
  return {};
}

Results fold_rows(const Context& context) {
  TIEBREAK_TRY(request, request_of(context, context.operands(context.argument(0))));
  TIEBREAK_TRY(geometry, row_geometry(context, std::move(request)));
  return fold_geometry(context, std::move(geometry));
}

Results fold_windows(const Context& context) {
  TIEBREAK_TRY(request, request_of(context, context.operands(context.argument(0))));
  TIEBREAK_TRY(geometry, build_geometry(request));
  return fold_geometry(context, std::move(geometry));
}

/// scatter(inputs, indices, updates): updates are folded into the elements that the indices name.
Results fold_updates(const Context& context) {
  TIEBREAK_TRY(line, fold_line(context));
  std::vector<ResultTensor> accumulators = context.operands(line.start);
  std::vector<ResultTensor> updates = context.operands(line.source);
  const std::vector<ResultTensor> indices = context.operands(context.argument(1));
  if (accumulators.empty() || updates.empty()) return fail(Errc::type, fmt::format("{} has no operands", context.call.op), context.call.where);
  const Shape shape = accumulators[0].tensor.shape();
  TIEBREAK_TRY(targets, scatter_targets(shape, indices[0].tensor, updates[0].tensor.shape(), context.call.attributes, context.call.where, context.misreadings()));
  Body body(context, line.region);
  TIEBREAK_CHECK(convert(context, body, accumulators, updates));
  TIEBREAK_CHECK(fold_arrivals(body, accumulators, updates, targets));
  return accumulators;
}

/// Each window of the operand selects one element, to which the window's source value goes; what arrives is folded in the order of the sources.
Results select_and_scatter(const Context& context) {
  TIEBREAK_TRY(line, fold_line(context));
  const ResultTensor operand = context.operands(context.argument(0)).front();
  std::vector<ResultTensor> source = context.operands(line.source);
  std::vector<ResultTensor> start = context.operands(line.start);
  TIEBREAK_TRY(request, request_of(context, {operand}));
  request.path = "window.stablehlo";
  TIEBREAK_TRY(geometry, build_geometry(request));
  if (geometry.result_shape != source[0].tensor.shape())
    return fail(Errc::constraint, fmt::format("{} C2: source has shape {}, there are {} windows", context.call.op, to_text(source[0].tensor.shape()), to_text(geometry.result_shape)), context.call.where);
  const auto selecting = std::ranges::find(context.header.op->regions, context.argument(2));
  Body select(context, static_cast<std::size_t>(selecting - context.header.op->regions.begin()));
  Body scatter(context, line.region);
  TIEBREAK_TRY(chosen, select_elements(select, operand, geometry));
  TIEBREAK_CHECK(convert(context, scatter, start, source));
  std::vector<ResultTensor> accumulators;
  TIEBREAK_TRY(accumulator, pick(start[0], std::vector<std::int64_t>(static_cast<std::size_t>(operand.tensor.size()), 0)));
  accumulators.push_back(std::move(accumulator));
  TIEBREAK_CHECK(fold_arrivals(scatter, accumulators, source, chosen));
  accumulators[0] = reshaped(std::move(accumulators[0]), operand.tensor.shape());
  return accumulators;
}

}  // namespace tiebreak::regions
