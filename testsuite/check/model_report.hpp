// SPDX-License-Identifier: Apache-2.0
// What a report says of a model that ran layer by layer: how far each layer's values are from the reference, by itself and by then.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "interpreter/error.hpp"

namespace tiebreak {

struct ModelInput {
  std::string name;
  std::string type;      ///< tensor<1x3x32x32xf32>
  std::string origin;    ///< the file it comes from, or `generated, seed 0`
  std::string digest{};  ///< of its type and bytes; "" in older reports
};

/// How far one output of a layer is from what it is compared with.
struct Drift {
  bool known = false;
  std::int64_t compared = 0, different = 0;
  std::string worst{};     ///< `-1`, `3.5`; "" where nothing is wrong
  std::int64_t right = 0;  ///< of the different: other results, which the profile leaves open
};

struct ModelValue {
  std::string name, element, shape, unit;  ///< f32, [1, 16, 32, 32], LSB or ulp
  Drift local{};                           ///< against the reference on the backend's own inputs of the layer
  Drift accumulated{};                     ///< against the reference that ran from the model's inputs on
  Drift cut{};                             ///< the same in the model that ends here; where the backend computes another thing when every value is an output
};

struct ModelLayer {
  std::string id;    ///< of the case that judges it
  std::string name;  ///< the node's, else its first result's
  std::string op;
  std::string state{};  ///< "" judged; else why not: `no page: taken from the backend`
  std::vector<ModelValue> values{};
};

struct ModelReport {
  std::string name, source;
  std::string digest{};  ///< of the program with its constants; "" in older reports
  std::string run;       ///< `graph`: every layer's values were outputs of one run; `layers`: each layer ran alone
  std::vector<ModelInput> inputs{};
  std::vector<ModelLayer> layers{};
  std::vector<ModelValue> outputs{};  ///< of the model as it is: `accumulated`; and of the run with all outputs: `local` is not known
  std::string first_local{};          ///< id of the first layer that leaves the reference by itself
  std::string first_cut{};            ///< of the first one at which the cut model has left it
  std::string changed{};              ///< how making every value an output changed the model's own outputs, "" if it did not
  std::string stopped{};              ///< id of the first layer, or of the outputs, that an interrupt kept from being judged; "" if there is none
  std::vector<std::string> notes{};
};

}  // namespace tiebreak
