# SPDX-License-Identifier: Apache-2.0
"""tools/run asks a backend the committed cases and those in its own forms in one run, which ends with an error where both have a case of one id. Usage:
ids_test.py TIEBREAK SOURCE_FOLDER"""
import pathlib
import subprocess
import sys
import unittest


OWN = ("vendor", "published")  # folders of a backend's own cases


def ids(folder):
    return set(subprocess.run([TIEBREAK, "case", "list", folder], check=True, capture_output=True, text=True).stdout.split())


class IdsTest(unittest.TestCase):
    def test_no_case_of_a_backends_own_has_a_committed_ones_id(self):
        committed = ids(SUITE / "cases") | ids(SUITE / "mutants")
        self.assertGreater(len(committed), 1000)
        for backend in sorted({folder.name for kind in OWN for folder in (SUITE / kind).iterdir()}):
            seen = set(committed)
            for folder in (SUITE / kind / backend for kind in OWN):
                with self.subTest(folder=folder.relative_to(SUITE).as_posix()):
                    own = ids(folder) if folder.is_dir() else set()
                    self.assertEqual(sorted(own & seen), [])
                    seen |= own


if __name__ == "__main__":
    TIEBREAK, SUITE = sys.argv[1], pathlib.Path(sys.argv[2]) / "testsuite"
    unittest.main(argv=sys.argv[:1])
