// SPDX-License-Identifier: Apache-2.0
// tiebreak calibrate: quantization parameters for the tensors of a float model, from data.
#include "testsuite/calibrate/calibrate.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "tools/tiebreak/line/call_argument.hpp"
#include "tools/tiebreak/line/command.hpp"
#include "tools/tiebreak/line/data_options.hpp"
#include "tools/tiebreak/line/deliver.hpp"
#include "tools/tiebreak/verbs.hpp"

namespace tiebreak::command {
namespace {

constexpr const char* calibrate_footer =
    "Examples:\n"
    "  tiebreak calibrate layer.mlir --batches 8 -o found.json\n"
    "  tiebreak calibrate layer.mlir --batches 8 --provider percentile:share=0.99 --per-axis\n"
    "  tiebreak calibrate layer.mlir --batches 8 --provider moving_average --profile pytorch-observer --storage u8 --errors propagate\n"
    "  tiebreak calibrate layer.mlir --batches 8 --constraints tflite --against mlir-quantizer\n"
    "  tiebreak calibrate layer.mlir --batches 8 --accumulator 16\n"
    "\n"
    "--data takes .pb and .h5 files and folders with data sets, each of which is one batch; without it, the data sets beside the model, else numbers drawn\n"
    "from --seed. --provider takes a page of spec/calibration, with attributes behind a colon, or the path of a program (docs/calibrate.md).";

struct CalibrateArguments {
  std::string model, provider = "min_max", profile = "onnxruntime-tool", semantics = "reference", storage = "i8", weights, errors = "none", output, json,
                     markdown;
  std::string timeout = "60", constraints, against, accumulator;
  DataText data{};
  bool per_axis = false, narrow = false, refuse = false;
};

Result<ElementType> storage_type(const std::string& word, const std::string& option) {
  const auto type = ElementType::parse(word);
  if (!type || !type->is_integer() || type->bits() > 32) return fail(Errc::usage, "'" + word + "' is no integer of at most 32 bits", option, "i8, u8, i4, i16");
  return *type;
}

Result<CalibrateOptions> calibrate_options(const Library& library, const CalibrateArguments& arguments) {
  CalibrateOptions options{.provider = arguments.provider, .per_axis = arguments.per_axis, .propagate = arguments.errors == "propagate"};
  if (arguments.errors != "propagate" && arguments.errors != "none")
    return fail(Errc::usage, "'" + arguments.errors + "' is neither propagate nor none", "--errors");
  TIEBREAK_TRY(profile, library.find_profile(arguments.profile));
  options.parameters = profile;
  TIEBREAK_TRY(storage, storage_type(arguments.storage, "--storage"));
  TIEBREAK_TRY(weights, storage_type(arguments.weights.empty() ? arguments.storage : arguments.weights, "--weights"));
  options.activations = {storage, arguments.narrow};
  options.weights = {weights, arguments.narrow};
  TIEBREAK_TRY(seconds, parse_seconds(arguments.timeout, "--timeout"));
  options.program.timeout_seconds = seconds;
  options.accumulators = !arguments.accumulator.empty();
  if (!arguments.constraints.empty()) {
    TIEBREAK_TRY(constraints, read_constraints(Library::default_directories(), arguments.constraints));
    options.constraints = std::move(constraints);
  }
  return options;
}

/// 0: none is asked about.
Result<int> accumulator_bits(const CalibrateArguments& arguments) {
  if (arguments.accumulator.empty()) {
    if (arguments.refuse) return fail(Errc::usage, "--refuse has no use without --accumulator", "calibrate", "--accumulator 16 --refuse");
    return 0;
  }
  TIEBREAK_TRY(bits, parse_count(arguments.accumulator, "--accumulator"));
  if (bits < 2 || bits > 62) return fail(Errc::usage, "an accumulator has 2 to 62 bits", "--accumulator " + arguments.accumulator);
  return static_cast<int>(bits);
}

Status refuse_overflow(const Calibration& found, int bits) {
  for (const AccumulatorNeed& need : found.accumulators) {
    if (need.bits() <= bits) continue;
    return fail(Errc::constraint,
                fmt::format("sums of {} terms reach {} .. {}: {} bits, the accumulator has {}", need.terms, need.sums.low, need.sums.high, need.bits(), bits),
                found.model + ": '" + need.tensor + "'", "codes of fewer bits (--storage, --weights), or a wider accumulator");
  }
  return {};
}

/// The same program under other constraints.
Result<std::string> comparison(const Semantics& semantics, const Program& program, const std::vector<Batch>& batches, CalibrateOptions options,
                               const Calibration& found, const std::string& against) {
  if (found.constraints.empty()) return fail(Errc::usage, "--against compares with --constraints", "calibrate", "--constraints tflite --against " + against);
  TIEBREAK_TRY(constraints, read_constraints(Library::default_directories(), against));
  options.constraints = std::move(constraints);
  TIEBREAK_TRY(other, calibrate(semantics, program, batches, options));
  return "\n" + difference_text(found, other);
}

Result<int> run_calibrate(const CalibrateArguments& arguments) {
  TIEBREAK_TRY(bits, accumulator_bits(arguments));
  TIEBREAK_TRY(files, OutputFiles::open({arguments.output, arguments.json, arguments.markdown}));
  TIEBREAK_TRY(library, load_library());
  TIEBREAK_TRY(profile, library->find_profile(arguments.semantics));
  TIEBREAK_TRY(program, read_program(arguments.model));
  TIEBREAK_TRY(options, calibrate_options(*library, arguments));
  TIEBREAK_CHECK(close_shapes(program, arguments.data));
  TIEBREAK_TRY(batches, batches_of(program, arguments.model, arguments.data));
  TIEBREAK_TRY(found, calibrate({*library, *profile}, program, batches, options));
  found.model = std::filesystem::path(arguments.model).filename().string();
  if (arguments.refuse) TIEBREAK_CHECK(refuse_overflow(found, bits));
  std::string text = calibration_text(found);
  if (bits > 0) text += "\n" + accumulators_text(found, bits);
  if (!arguments.against.empty()) {
    TIEBREAK_TRY(compared, comparison({*library, *profile}, program, batches, options, found, arguments.against));
    text += compared;
  }
  TIEBREAK_CHECK(deliver(files, text,
                         {{arguments.output, [&] { return parameters_json(found.parameters()); }},
                          {arguments.json, [&] { return parameters_json(found.parameters()); }},
                          {arguments.markdown, [&] { return calibration_markdown(found); }}}));
  return success;
}

}  // namespace

void add_calibrate(Verb& app) {
  auto options = std::make_shared<CalibrateArguments>();
  Verb* sub = app.add_subcommand("calibrate", "Choose quantization parameters for the tensors of a float model from data");
  sub->add_option("MODEL", options->model, "a float model: .onnx, .mlir, .relay, or FILE@FUNCTION")->type_name("")->required();
  add_data(*sub, options->data);
  sub->add_option("--provider", options->provider,
                  "who chooses a range: min_max, moving_average, percentile:share=0.999 ..., or the path of a\nprogram (default min_max)")
      ->type_name("PROVIDER");
  sub->add_option("-p,--profile", options->profile, "how a range becomes a scale and a zero point (default onnxruntime-tool)")->type_name("PROFILE");
  sub->add_option("--semantics", options->semantics, "semantics of the float model (default reference)")->type_name("PROFILE");
  sub->add_option("--storage", options->storage, "type of codes: i8, u8, i4, i16 ... (default i8)")->type_name("TYPE");
  sub->add_option("--weights", options->weights, "type of the codes of constants (default as --storage)")->type_name("TYPE");
  sub->add_flag("--narrow", options->narrow, "leave out the least code");
  sub->add_flag("--per-axis", options->per_axis, "a scale for each output channel of weights");
  sub->add_option("--errors", options->errors, "propagate: measure later tensors on what quantized earlier ones give; none (default)")->type_name("WORD");
  sub->add_option("--constraints", options->constraints, "what tensors must share: tflite, mlir-quantizer, or a JSON file (default: nothing)")
      ->type_name("NAME");
  sub->add_option("--against", options->against, "the same under other constraints: which tensors differ")->type_name("NAME");
  sub->add_option("--accumulator", options->accumulator, "mark products whose sums leave so many bits")->type_name("BITS");
  sub->add_flag("--refuse", options->refuse, "with --accumulator: such a product is an error");
  sub->add_option("--timeout", options->timeout, "of a provider that is a program, for one tensor (default 60)")->type_name("SECONDS");
  sub->add_option("-o,--output", options->output, "where the parameters go, as JSON")->type_name("FILE");
  sub->add_option("--json", options->json, "the same: --json=FILE, or to standard output")->type_name("=FILE");
  sub->add_option("--markdown", options->markdown, "as a comment for a pull request")->type_name("FILE");
  sub->footer = calibrate_footer;
  sub->action = [options] { return run_calibrate(*options); };
}

}  // namespace tiebreak::command
