# SPDX-License-Identifier: Apache-2.0
"""Every subcommand that --help lists has a --help of its own, and a mistyped one is a usage error. Usage: help_test.py TIEBREAK"""
import re
import subprocess
import sys
import unittest


def run(*arguments):
    return subprocess.run([COMMAND, *arguments], capture_output=True, text=True, timeout=60, check=False)


def subcommands(help_text):
    """The names in the block below `Subcommands:`, two spaces in."""
    block = help_text.partition("ubcommands:\n")[2].partition("\n\n")[0]
    return re.findall(r"^  ([a-z][a-z-]*)\b", block, re.MULTILINE)


class HelpTest(unittest.TestCase):
    def test_each_subcommand_explains_itself(self):
        listed = subcommands(run("--help").stdout)
        self.assertIn("check", listed)
        for name in listed:
            with self.subTest(name=name):
                answer = run(name, "--help")
                self.assertEqual(answer.returncode, 0, answer.stderr)
                self.assertIn(name, answer.stdout)

    def test_mistyped_subcommand_is_a_usage_error(self):
        answer = run("chekc")
        self.assertEqual(answer.returncode, 2)
        self.assertEqual(answer.stdout, "")
        self.assertIn("chekc", answer.stderr)

    def test_version_is_printed(self):
        answer = run("--version")
        self.assertEqual(answer.returncode, 0)
        self.assertRegex(answer.stdout, r"\d+\.\d+\.\d+")


if __name__ == "__main__":
    COMMAND = sys.argv.pop(1)
    unittest.main()
