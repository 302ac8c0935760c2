// SPDX-License-Identifier: Apache-2.0
// tiebreak bits: how wide an accumulator a contraction needs, and what a narrower one would change.
#include <algorithm>
#include <filesystem>

#include "interpreter/json/json_writer.hpp"
#include "interpreter/orders/accumulator_range.hpp"
#include "testsuite/case/op_program.hpp"
#include "tools/tiebreak/bits_text.hpp"
#include "tools/tiebreak/line/call_argument.hpp"
#include "tools/tiebreak/line/deliver.hpp"
#include "tools/tiebreak/line/one_case.hpp"
#include "tools/tiebreak/verbs.hpp"

namespace tiebreak::command {
namespace {

constexpr const char* bits_footer =
    "Examples:\n"
    "  tiebreak bits onnx.MatMulInteger --input 'B=127:tensor<64x1xi8>' --range 'A=0..255:tensor<1x64xu8>'\n"
    "  tiebreak bits onnx.MatMulInteger --input 'A=255:tensor<1x64xu8>' --input 'B=127:tensor<64x1xi8>' --accumulator 16 --order blocks:2    # exit 1: it "
    "changes\n"
    "  tiebreak bits onnx.QLinearConv/hand/ties --accumulator 16 --accumulator 20\n"
    "  tiebreak bits codes.onnx --range 'x=0..127:tensor<1x3x8x8xu8>' --output conv1\n"
    "\n"
    "Without --range the first operand takes every code of its type. Exit code 1 where a given accumulator changes a sum.";

struct BitsArguments {
  std::string target, output, profile = "reference", json;
  std::vector<std::string> ranges, accumulators, orders;
  bool channels = false;
  SelectionText selection;
  CallText call;
};

/// NAME=MIN..MAX[:TYPE]
struct RangeText {
  OperandRange range;
  std::string type;
};

Result<std::int64_t> whole_number(const std::string& text, const std::string& where) {
  Result<Real> value = Real::parse(text);
  const std::optional<std::int64_t> whole = value ? value->to_int64() : std::nullopt;
  if (!whole) return fail(Errc::usage, "'" + text + "' is not a whole number", where);
  return *whole;
}

Result<RangeText> parse_range(const std::string& text) {
  const std::string where = "--range " + text;
  const std::size_t equals = text.find('='), dots = text.find("..");
  if (equals == std::string::npos || equals == 0 || dots == std::string::npos || dots < equals)
    return fail(Errc::usage, "a range is NAME=MIN..MAX", where, "--range x=0..255, or --range x=0..255:tensor<1x64xu8> where x has no data");
  const std::size_t colon = text.find(':', dots);
  RangeText range;
  range.range.operand = text.substr(0, equals);
  TIEBREAK_TRY(low, whole_number(text.substr(equals + 1, dots - equals - 1), where));
  TIEBREAK_TRY(high, whole_number(text.substr(dots + 2, colon == std::string::npos ? colon : colon - dots - 2), where));
  range.range.codes = {low, high};
  if (colon != std::string::npos) range.type = text.substr(colon + 1);
  return range;
}

Result<IntegerFormat> parse_accumulator(const std::string& text) {
  const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  const std::optional<IntegerFormat> format = parse_integer_format(digits ? "i" + text : text);
  if (!format || format->bits < 2 || format->bits > 62)
    return fail(Errc::usage, "'" + text + "' is no accumulator of 2 to 62 bits", "--accumulator", "16, i16 or u24");
  return *format;
}

Status parse_order(const std::string& text, NarrowAccumulator& narrow) {
  if (text == "end") {
    narrow.order = NarrowOrder::end;
  } else if (text == "step") {
    narrow.order = NarrowOrder::step;
  } else if (text == "pairwise") {
    narrow.order = NarrowOrder::pairwise;
  } else if (text.starts_with("blocks:")) {
    TIEBREAK_TRY(block, parse_count(text.substr(7), "--order"));
    if (block < 1 || block > (std::uint64_t{1} << 31)) return fail(Errc::usage, "blocks have one term or more", "--order " + text);
    narrow.order = NarrowOrder::blocks;
    narrow.block = static_cast<std::int64_t>(block);
  } else {
    const std::string near = nearest(text, std::vector<std::string>{"end", "step", "pairwise", "blocks:2"});
    return fail(Errc::usage, "unknown order '" + text + "'", "--order", near.empty() ? "one of end step pairwise blocks:N" : "did you mean '" + near + "'?");
  }
  return {};
}

Result<std::vector<NarrowAccumulator>> narrow_accumulators(const BitsArguments& options) {
  std::vector<std::string> orders = options.orders;
  if (orders.empty()) orders = {"end", "step"};
  std::vector<NarrowAccumulator> all;
  for (const std::string& word : options.accumulators)
    for (const std::string& order : orders)
      for (NarrowOverflow overflow : {NarrowOverflow::wrap, NarrowOverflow::saturate}) {
        TIEBREAK_TRY(format, parse_accumulator(word));
        NarrowAccumulator narrow{.format = format, .overflow = overflow};
        TIEBREAK_CHECK(parse_order(order, narrow));
        all.push_back(narrow);
      }
  return all;
}

/// A range may name an operand of the op, or the value of the program that is one.
std::string operand_name(const Library& library, const Case& test, const CallOfOutput& call, std::size_t output, const std::string& name) {
  const auto place = library.find_op(call.call.op);
  if (!place) return name;
  for (const notation::Operand& operand : place->op->operands)
    if (operand.name == name) return name;
  for (const Operation& operation : test.program.operations) {
    if (std::ranges::find(operation.results, test.program.outputs[output]) == operation.results.end()) continue;
    for (std::size_t i = 0; i < std::min(operation.operands.size(), place->op->operands.size()); ++i) {
      if (operation.operands[i] < 0) continue;
      const std::string& value = test.program.values[static_cast<std::size_t>(operation.operands[i])].name;
      if (value == name || value == "%" + name) return place->op->operands[i].name;
    }
  }
  return name;
}

/// Any value that an op of the program computes may be asked about.
void use_output(Case& test, const std::string& name) {
  for (std::size_t i = 0; i < test.program.values.size(); ++i) {
    const std::string& value = test.program.values[i].name;
    if (value == name || value == "%" + name) test.program.outputs = {static_cast<ValueId>(i)};
  }
}

Result<Case> find_target(const Library& library, const BitsArguments& options, CallText call) {
  std::error_code error;
  const bool named = library.op_place(options.target).has_value() || std::filesystem::is_regular_file(options.target, error);
  if (named) return call_case(library, options.target, call);
  if (!call.empty()) return fail(Errc::unknown_name, "'" + options.target + "' is neither an op nor a program file", "bits", "tiebreak spec list");
  return find_case(library, options.selection, options.target, options.profile);
}

struct Prepared {
  Case test;
  CallOfOutput call;
  AccumulatorQuestion question;
};

Result<Prepared> prepare(const Semantics& semantics, const BitsArguments& options) {
  Prepared prepared;
  CallText call = options.call;
  std::vector<std::string> given;
  for (const std::string& input : call.inputs) given.push_back(input.substr(0, input.find('=')));
  for (const std::string& text : options.ranges) {
    TIEBREAK_TRY(range, parse_range(text));
    const bool has_data = range.type.empty() || std::ranges::find(given, range.range.operand) != given.end();
    // What has a range and no data is a tensor of zeros; only its type counts.
    if (!has_data) call.inputs.push_back(range.range.operand + "=0:" + range.type);
    prepared.question.has_data &= has_data;
    prepared.question.ranges.push_back(range.range);
  }
  TIEBREAK_TRY(test, find_target(semantics.library, options, call));
  prepared.test = std::move(test);
  if (!options.output.empty()) use_output(prepared.test, options.output);
  TIEBREAK_TRY(output, find_output(prepared.test, options.output));
  TIEBREAK_TRY(found, call_of_output(semantics, prepared.test, output));
  prepared.call = std::move(found);
  prepared.question.result = prepared.call.result;
  for (OperandRange& range : prepared.question.ranges) range.operand = operand_name(semantics.library, prepared.test, prepared.call, output, range.operand);
  if (prepared.question.ranges.empty() && !prepared.call.call.operands.empty() && prepared.call.call.operands[0]) {
    TIEBREAK_TRY(place, semantics.library.find_op(prepared.call.call.op));
    const TensorType& type = prepared.call.call.operands[0]->type();
    if (type.element.is_integer() && type.element.bits() < 64) {
      const Real low = type.quantized ? type.quantized->storage_min : type.element.min(),
                 high = type.quantized ? type.quantized->storage_max : type.element.max();
      prepared.question.ranges.push_back({place.op->operands[0].name, {*low.to_int64(), *high.to_int64()}});
    }
  }
  TIEBREAK_TRY(narrow, narrow_accumulators(options));
  prepared.question.narrow = std::move(narrow);
  return prepared;
}

Result<int> run_bits(const BitsArguments& options) {
  TIEBREAK_TRY(files, OutputFiles::open({options.json}));
  TIEBREAK_TRY(library, load_library());
  TIEBREAK_TRY(profile, library->find_profile(options.profile));
  TIEBREAK_TRY(prepared, prepare({*library, *profile}, options));
  TIEBREAK_TRY(report, accumulator_range({*library, *profile}, prepared.call.call, prepared.question));
  const BitsSubject subject{prepared.test.id, profile->name, prepared.question.ranges};
  TIEBREAK_CHECK(deliver(files, undeclared_line({*library, *profile}, ops_with_regions(prepared.test.program)) + bits_text(subject, report, options.channels),
                         {{options.json, [&] { return bits_json(subject, report); }}}));
  const bool changed = std::ranges::any_of(report.narrow, [](const NarrowOutcome& outcome) { return outcome.sums_changed > 0; });
  return changed ? finding : success;
}

}  // namespace

void add_bits(Verb& app) {
  auto options = std::make_shared<BitsArguments>();
  Verb* sub = app.add_subcommand("bits", "Find the range of an accumulator, and what a narrower one would change");
  sub->add_option("TARGET", options->target, "an op with --input and --range, a program file, or a case id")->type_name("")->required();
  add_call(*sub, options->call);
  sub->add_option("--range", options->ranges, "codes an operand may take; with its type where it has no data; may be repeated")
      ->type_name("NAME=MIN..MAX[:TYPE]");
  sub->add_option("--accumulator", options->accumulators, "a narrower accumulator to try: 16, i16, u24; may be repeated")->type_name("BITS");
  sub->add_option("--order", options->orders, "when it overflows: end, step, pairwise, blocks:N (default end and step)")->type_name("ORDER");
  sub->add_option("--output", options->output, "which output, or which value of a program (default the first output)")->type_name("NAME");
  sub->add_flag("--channels", options->channels, "a line for every channel");
  sub->add_option("-p,--profile", options->profile, "semantics of the op (default reference)")->type_name("PROFILE");
  add_selection(*sub, options->selection, false);
  sub->add_option("--json", options->json, "as JSON: --json=FILE, or to standard output")->type_name("=FILE");
  sub->footer = bits_footer;
  sub->action = [options] { return run_bits(*options); };
}

}  // namespace tiebreak::command
