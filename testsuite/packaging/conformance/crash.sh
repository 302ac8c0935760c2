#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A backend that crashes.
if [ "$1" = describe ]; then
  echo '{"protocol": 1, "name": "crash", "version": "1", "ops": ["onnx.QuantizeLinear"]}'
  exit 0
fi
kill -SEGV $$
