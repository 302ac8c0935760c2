// SPDX-License-Identifier: Apache-2.0
// What a provider of parameters may know of a tensor: its values in each batch, and statistics of them by name. Counting, sorting and comparing only;
// whatever is arithmetic stands in pages.
#pragma once
#include <string>
#include <vector>

#include "interpreter/tensor/tensor.hpp"

namespace tiebreak {

/// The values of one tensor, or of one channel of it.
struct Samples {
  std::string tensor;                          ///< its name
  ElementType element{};                       ///< the float type that statistics have: f64 of f64, else f32, which holds the narrower types exactly
  std::vector<std::vector<double>> batches{};  ///< row-major; no batch is empty, every value is finite
  double least() const;
  double greatest() const;
  std::int64_t size() const;
};

/// Errc::type where a value is nan or infinite: no range covers it.
Status add_batch(Samples& samples, const Tensor& tensor, std::size_t batch);
/// One for each place along the axis. Tensors of different batches may have different shapes, but not along the axis.
Result<std::vector<Samples>> samples_by_channel(const Samples& samples, const std::vector<Shape>& shapes, int axis);

/// Values at equal distances from low to high, both included, and how many values lie between two of them. The last bin contains its upper end.
struct Histogram {
  std::vector<double> edges;
  std::vector<std::int64_t> counts;
};
Histogram histogram_between(const Samples& samples, std::size_t bins, double low, double high);

/// A statistic as a page names it: an operand `least` gets the least value of each batch. nullopt: no such statistic.
///   least greatest        of each batch
///   values                all, in their order
///   sorted magnitudes     all, or their absolute values, from the least on
///   counts edges          of a histogram with `bins` bins over plus and minus the greatest magnitude
///   shares                for each bin which share of all values lies in it or below: f64 quotients, added one after another in f64
std::optional<Result<Tensor>> statistic(const Samples& samples, const std::string& name, std::int64_t bins);
const std::vector<std::string>& statistic_names();

}  // namespace tiebreak
