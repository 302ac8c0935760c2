#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which scores take long: writes testsuite/score/long.txt, the tests that tools/test leaves out unless it is asked for them, and tools/nightly runs.
Usage: testsuite/score/long_tests.py build/tests.xml     what tools/test --all has written"""
import pathlib
import sys
import xml.etree.ElementTree

SECONDS = 3  # of a run with two tests at a time on two cores
LONG = pathlib.Path(__file__).resolve().parent / "long.txt"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    tests = list(xml.etree.ElementTree.parse(sys.argv[1]).getroot().iter("testcase"))
    left_out = sorted(set(LONG.read_text(encoding="utf-8").split()) - {test.get("name") for test in tests})
    if left_out:
        sys.exit(f"{sys.argv[1]}: {left_out[0]} did not run: this is not what tools/test --all has written")
    names = sorted(test.get("name") for test in tests if test.get("name").startswith("score/") and float(test.get("time")) > SECONDS)
    if not names:
        sys.exit(f"{sys.argv[1]}: no score took more than {SECONDS} seconds")
    LONG.write_text("".join(f"{name}\n" for name in names), encoding="utf-8")


if __name__ == "__main__":
    main()
