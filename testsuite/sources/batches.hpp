// SPDX-License-Identifier: Apache-2.0
// Data for a program's inputs: named files, folders with data sets, numbers drawn from a seed. One data set is one batch.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "interpreter/program/program.hpp"
#include "interpreter/stop.hpp"

namespace tiebreak {

/// A tensor for each input of a program.
struct Batch {
  std::vector<Tensor> inputs{};
  std::vector<std::string> origins{};  ///< the file each comes from, or `generated, seed 0`
};

/// A tensor that an input has whatever the files say.
struct KnownInput {
  Tensor tensor;
  std::string origin;
};

struct BatchOptions {
  /// Tensors (.npy, .npz, .pb, .raw, .bin), data sets (folders with input_0.pb ..., or folders of such folders), files of cases (.h5). Without any, the data
  /// sets beside the model; what no file has is drawn from the seed.
  std::vector<std::string> given{};
  std::uint64_t seed = 0;
  std::size_t drawn = 1;  ///< how many batches are drawn where no file gives any; 0: nothing is drawn, an input without a tensor is an error
  std::map<std::string, KnownInput> known{};  ///< by the input's name
  bool joined = false;  ///< all that is given is one batch, of which later files win; of a file of cases the first, beside the model test_data_set_0
  bool shapes_can_be_given = false;  ///< the caller has --input-shape: said where a shape is open
  Stop stop{};                       ///< looked at between drawn elements
};

/// Closes the open shapes of inputs, by name (`--input-shape x=1x3x8x8`). Where the program keeps no type of an input, it is f32. Errc::usage: no such input,
/// or a shape that does not fit what the program says.
Status close_shapes(Program& program, const std::map<std::string, Shape>& shapes);

constexpr std::uint64_t between_batches = 1000003;  ///< batch i is drawn from seed + between_batches * i: far from the seeds of a batch's own inputs
/// The data sets beside a model: folders test_data_set_N with input_0.pb, in the order of N.
std::vector<std::string> data_sets_beside(const std::string& path);
/// A batch drawn from the seed, whatever lies beside the model.
Result<Batch> draw_batch(const Program& program, const std::string& path, std::uint64_t seed, const Stop& stop);

/// The batches of a program that stands at `path`. Single files of tensors belong to one batch (Errc::usage where two are for one input), a folder with
/// input_0.pb is one, a folder of folders has one for each, a file of cases one for each case.
Result<std::vector<Batch>> load_batches(const Program& program, const std::string& path, const BatchOptions& options);

}  // namespace tiebreak
