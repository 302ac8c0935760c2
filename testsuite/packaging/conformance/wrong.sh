#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A backend with a wrong rounding, found by its path.
exec "$TIEBREAK_TEST_FAULTY" --fault half-away "$@"
