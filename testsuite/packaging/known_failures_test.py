# SPDX-License-Identifier: Apache-2.0
"""The failures that are known of the adapters: each entry has a reason and stands for a committed case. Usage: known_failures_test.py TIEBREAK SOURCE_FOLDER"""
import json
import pathlib
import subprocess
import sys
import unittest


class KnownFailuresTest(unittest.TestCase):
    def test_each_entry_stands_for_a_case(self):
        lists = sorted((SOURCE / "tools/adapters").glob("*/known*.json"))
        self.assertTrue(lists)
        for path in lists:
            with self.subTest(path=path.relative_to(SOURCE)):
                entries = json.loads(path.read_text(encoding="utf-8"))
                self.assertTrue(all(entry["reason"].strip() for entry in entries))
                folders = [SOURCE / "testsuite" / name for name in ("cases", "mutants", "deep", f"vendor/{path.parent.name}")]
                globs = [word for entry in entries for word in ("-k", entry["case"])]
                answer = subprocess.run([TIEBREAK, "case", "list", *[folder for folder in folders if folder.is_dir()], *globs], capture_output=True, text=True, check=False)
                self.assertEqual(answer.returncode, 0, answer.stderr)


if __name__ == "__main__":
    TIEBREAK, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
    del sys.argv[1:3]
    unittest.main()
