// SPDX-License-Identifier: Apache-2.0
// Where forms part, in words.
#include <fmt/format.h>

#include <algorithm>

#include "testsuite/quantize/compare_forms.hpp"

namespace tiebreak {
namespace {

/// Bits of the narrowest two's complement integer that holds both.
int bits_for(const Real& least, const Real& greatest) {
  int bits = 2;
  while (bits < 64 && (least < -Real::power_of_two(bits - 1) || greatest > Real::power_of_two(bits - 1) - Real(1))) ++bits;
  return bits;
}

std::string parting_line(const Parting& parting) {
  std::string line = fmt::format("  {} ({}): {} of {} elements, first [{}]: {}, integer form {}, {}", parting.value, parting.op, parting.different,
                                 parting.elements, parting.first, parting.code, parting.integer_code, to_word(parting.cause));
  if (!parting.sum.empty()) line += fmt::format(", sum {}", parting.sum);
  if (!parting.simulated_sum.empty() && parting.simulated_sum != parting.sum) line += fmt::format(" ({} in f32)", parting.simulated_sum);
  if (parting.distance) line += fmt::format(", {:.3g} from the tie", *parting.distance);
  return line + "\n";
}

}  // namespace

std::string comparison_text(const FormComparison& comparison) {
  std::string text = fmt::format("Each operation's forms on the same codes, {} operations:\n", comparison.operations);
  for (const Form form : {Form::simulated, Form::fake, Form::qdq}) {
    std::size_t operations = 0, parted = 0;
    std::int64_t elements = 0, different = 0;
    std::string lines;
    for (const Parting& parting : comparison.partings) {
      if (parting.form != form) continue;
      ++operations;
      elements += parting.elements;
      different += parting.different;
      if (parting.different == 0) continue;
      ++parted;
      lines += parting_line(parting);
    }
    text +=
        fmt::format("{} against integer: {} of {} operations differ, in {} of {} elements\n", to_word(form), parted, operations, different, elements) + lines;
  }
  const auto widest = std::ranges::max_element(comparison.sums, {}, [](const WidestSum& sum) { return bits_for(sum.least, sum.greatest); });
  if (widest != comparison.sums.end())
    text += fmt::format("widest accumulator: {} ({}), {} .. {}: {} bits\n", widest->value, widest->op, widest->least.to_string(), widest->greatest.to_string(),
                        bits_for(widest->least, widest->greatest));
  return text;
}

}  // namespace tiebreak
