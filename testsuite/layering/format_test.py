# SPDX-License-Identifier: Apache-2.0
"""Every C++ file is as clang-format 14 writes it by .clang-format: another version breaks lines elsewhere. Usage: format_test.py SOURCE_FOLDER"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True
import layering

NAMES = ("clang-format-14", "clang-format")
BATCH = 32  # files a process: few starts, and all processors busy


def formatter():
    """The program, or None where version 14 is not there."""
    for name in NAMES:
        path = shutil.which(name)
        if path and re.search(r"version 14\.", subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout):
            return path
    return None


def differing(program, root, files):
    """Those that would be written otherwise, as path:line of the first difference, and what the program says of files it cannot read."""
    answer = subprocess.run([program, "--style=file", "--dry-run", "--Werror", "--ferror-limit=1", *files], cwd=root, capture_output=True, text=True, check=False)
    found = {}
    for path, line in re.findall(r"^(\S+?):(\d+):\d+: error: code should be clang-formatted", answer.stderr, re.MULTILINE):
        found.setdefault(path, f"{path}:{line}")
    if answer.returncode != 0 and not found:
        return [answer.stderr.strip() or f"{program} ended with {answer.returncode}"]
    return list(found.values())


def findings(program, root):
    files = list(layering.source_files(root))
    batches = [files[start:start + BATCH] for start in range(0, len(files), BATCH)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return [finding for found in pool.map(lambda batch: differing(program, root, batch), batches) for finding in found]


class FormatTest(unittest.TestCase):
    def setUp(self):
        self.program = formatter()
        if self.program is None:
            self.skipTest("clang-format 14 is not installed")

    def test_every_file_is_formatted(self):
        found = findings(self.program, SOURCE)
        self.assertEqual(found[:20], [], f"{len(found)} files in all; {self.program} -i PATH writes them as they should be")

    def test_what_is_not_formatted_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            shutil.copy(SOURCE / ".clang-format", root)
            (root / "interpreter").mkdir()
            (root / "interpreter/good.cpp").write_text(layering.rules.FIRST_LINE + "\nint one() { return 1; }\n", encoding="utf-8")
            self.assertEqual(findings(self.program, root), [])
            (root / "interpreter/bad.hpp").write_text(layering.rules.FIRST_LINE + "\nint one( ) {return 1;}\nint  two();\n", encoding="utf-8")
            self.assertEqual(findings(self.program, root), ["interpreter/bad.hpp:2"])


if __name__ == "__main__":
    SOURCE = pathlib.Path(sys.argv[1])
    del sys.argv[1]
    unittest.main()
