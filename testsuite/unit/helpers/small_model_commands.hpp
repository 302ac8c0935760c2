// SPDX-License-Identifier: Apache-2.0
// The command on the small models, which lie in the test's folder.
#pragma once
#include "testsuite/models/small_models.hpp"
#include "testsuite/unit/helpers/command_run.hpp"

namespace tiebreak {

class SmallModelCommands : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    if (IsSkipped()) return;
    ASSERT_TRUE(models::write_small_models(folder_.string()));
  }
};

}  // namespace tiebreak
