// SPDX-License-Identifier: Apache-2.0
// Two functions of one number compared over every input of its type, 64 bits included, where results are too many for stairs or wrap too
// often: on a run of equal steps one period stands for all.
#pragma once
#include <array>
#include <optional>

#include "interpreter/stairs/scalar_function.hpp"
#include "interpreter/stairs/scalar_slots.hpp"

namespace tiebreak {

/// What kind of input two functions differ on, as the result's type sees it.
enum class InputClass : std::uint8_t {
  rounding,   ///< a number in range that the type does not have
  tie,        ///< one that lies halfway between two that it has
  subnormal,  ///< below the type's normal numbers
  overflow,   ///< beyond its ends
  infinity,
  nan,
  zero,  ///< of either sign
};
constexpr std::size_t input_classes = 7;
const char* to_word(InputClass input_class);

struct FunctionDifference {
  Wide total = 0;                              ///< inputs, codes of nan included
  Wide differing = 0;                          ///< undefined on a side does not count
  Wide undefined = 0;                          ///< on a side or both
  Wide one_sided = 0;                          ///< of these, where the other is not
  std::array<Wide, input_classes> by_class{};  ///< of the differing ones
  std::array<Wide, input_classes> one_sided_by_class{};
  struct Witness {
    Real input{};
    Value first{}, second{};
  };
  std::array<std::optional<Witness>, input_classes> firsts{};  ///< of each class: the first that differs or is undefined on one side
  std::optional<Witness> witness{};                            ///< of least magnitude, positive before negative; nan if nothing else
  bool equal() const { return differing == 0; }
};

struct DifferenceLimits {
  std::size_t cuts = 8;         ///< more wraps than these on a piece are a period
  std::size_t steps = 1 << 15;  ///< stairs walked on one piece; more: Errc::limit
};

/// Errc::unsupported where a formula has no proof, Errc::limit where neither stairs nor a period are few.
Result<FunctionDifference> compare_functions(ScalarFunction& first, ScalarFunction& second, const DifferenceLimits& limits = {});

}  // namespace tiebreak
