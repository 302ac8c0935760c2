# SPDX-License-Identifier: Apache-2.0
"""tools/setup-backends: its verdicts, on a tree of stand-ins that install nothing; and the syntax of every real setup file."""
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def setup_files():
    return sorted(ROOT.glob("tools/adapters/*/setup"))


class SetupBackendsTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.tree = pathlib.Path(self.folder.name)
        (self.tree / "tools").mkdir()
        shutil.copy(ROOT / "tools/setup-backends", self.tree / "tools/setup-backends")
        self.stand_in("there", "exit 0")
        self.stand_in("fresh", "echo chatter >&2; echo Debian packages a b")
        self.stand_in("away", "echo first >&2; echo no such package >&2; exit 1")
        (self.tree / "tools/adapters/common").mkdir()

    def stand_in(self, name, body):
        file = self.tree / "tools/adapters" / name / "setup"
        file.parent.mkdir(parents=True)
        file.write_text("#!/usr/bin/env bash\n" + body + "\n", encoding="utf-8")
        file.chmod(0o755)

    def run_script(self, *arguments):
        return subprocess.run([self.tree / "tools/setup-backends", *arguments], capture_output=True, text=True, timeout=60, check=False)

    def test_list_is_the_folders_with_a_setup_file(self):
        answer = self.run_script("--list")
        self.assertEqual((answer.returncode, answer.stdout.split()), (0, ["away", "fresh", "there"]))

    def test_each_backend_has_its_verdict(self):
        answer = self.run_script()
        self.assertEqual(answer.returncode, 1)
        self.assertRegex(answer.stdout, r"(?m)^there +ready$")
        self.assertRegex(answer.stdout, r"(?m)^fresh +installed: Debian packages a b$")
        self.assertRegex(answer.stdout, r"(?m)^away +skipped: no such package$")
        self.assertEqual(answer.stderr.splitlines(), ["tools/setup-backends: 1 of 3 not ready: away"])

    def test_only_the_named_ones_run(self):
        answer = self.run_script("there", "fresh")
        self.assertEqual((answer.returncode, answer.stderr, len(answer.stdout.splitlines())), (0, "", 2))

    def test_an_unknown_name_is_a_usage_error_and_nothing_runs(self):
        answer = self.run_script("fresh", "nobody")
        self.assertEqual((answer.returncode, answer.stdout), (2, ""))
        self.assertIn("no backend nobody", answer.stderr)
        self.assertIn("away fresh there", answer.stderr)
        self.assertEqual(self.run_script("--wrong").returncode, 2)

    def test_help(self):
        self.assertIn("Usage: tools/setup-backends", self.run_script("--help").stdout)


class RealFilesTest(unittest.TestCase):
    def test_syntax(self):
        for file in [ROOT / "tools/setup-backends", ROOT / "tools/adapters/packages.bash", *setup_files()]:
            with self.subTest(file=file.name):
                answer = subprocess.run(["bash", "-n", file], capture_output=True, text=True, timeout=60, check=False)
                self.assertEqual((answer.returncode, answer.stderr), (0, ""))

    def test_each_setup_file_can_be_run(self):
        self.assertTrue(setup_files())
        for file in setup_files():
            self.assertTrue(file.stat().st_mode & 0o111, file)


if __name__ == "__main__":
    unittest.main()
