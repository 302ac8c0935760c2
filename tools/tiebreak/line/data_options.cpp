// SPDX-License-Identifier: Apache-2.0
#include "tools/tiebreak/line/data_options.hpp"

#include <algorithm>

#include "tools/tiebreak/line/command.hpp"
#include "tools/tiebreak/line/interrupt.hpp"

namespace tiebreak::command {
namespace {

constexpr std::uint64_t most_batches = 100000, longest_extent = std::uint64_t{1} << 31;

}  // namespace

Result<std::map<std::string, Shape>> parse_input_shapes(const std::vector<std::string>& texts) {
  std::map<std::string, Shape> shapes;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) return fail(Errc::usage, "'" + text + "' has no NAME=", "--input-shape", "--input-shape x=1x3x8x8");
    Shape shape;
    for (std::size_t from = equals + 1; from <= text.size();) {
      const std::size_t to = std::min(text.find('x', from), text.size());
      TIEBREAK_TRY(extent, parse_count(text.substr(from, to - from), "--input-shape " + text));
      if (extent > longest_extent) return fail(Errc::limit, "a dimension is at most 2^31", "--input-shape " + text);
      shape.push_back(static_cast<std::int64_t>(extent));
      from = to + 1;
    }
    shapes[text.substr(0, equals)] = shape;
  }
  return shapes;
}

void add_data(Verb& app, DataText& text) {
  app.add_option(
         "--data", text.data,
         "batches: .pb and .h5 files, folders with input_0.pb ... or with such folders; may be repeated\n(default: data sets beside the model, else drawn)")
      ->type_name("PATH");
  app.add_option("--input-shape", text.shapes, "closes an open shape of an input; may be repeated")->type_name("NAME=1x3x8x8");
  app.add_option("--batches", text.batches, "batches drawn where no data are given (default 1)")->type_name("N");
  app.add_option("--seed", text.seed, "of these (default 0)")->type_name("N");
}

Status close_shapes(Program& program, const DataText& text) {
  TIEBREAK_TRY(shapes, parse_input_shapes(text.shapes));
  return tiebreak::close_shapes(program, shapes);
}

Result<std::vector<Batch>> batches_of(const Program& program, const std::string& path, const DataText& text) {
  BatchOptions options{.given = text.data, .shapes_can_be_given = true, .stop = stop_on_interrupt()};
  TIEBREAK_TRY(seed, parse_count(text.seed, "--seed"));
  TIEBREAK_TRY(batches, parse_count(text.batches, "--batches"));
  if (batches < 1 || batches > most_batches) return fail(Errc::usage, "1 to 100000 batches are drawn", "--batches " + text.batches);
  options.seed = seed;
  options.drawn = batches;
  return load_batches(program, path, options);
}

}  // namespace tiebreak::command
