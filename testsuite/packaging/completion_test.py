# SPDX-License-Identifier: Apache-2.0
"""The completions and the manual page know every command and option that --help has. Usage: completion_test.py TIEBREAK SOURCE_FOLDER"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from help_test import subcommands

GROFF = ("groff", "-ww", "-z", "-man", "-Tutf8", "-K", "utf8")


def run(*arguments):
    return subprocess.run([TIEBREAK, *arguments], capture_output=True, text=True, timeout=120, check=False)


def script(shell):
    return run("completions", shell).stdout


def offered(*words):
    """What may stand in place of the last word."""
    lines = run("__complete", "fish", *words).stdout.splitlines()
    return [line.split("\t")[0] for line in lines if line != ":files"]


def options_in(help_text):
    """The names in the block below `Options:`."""
    block = help_text.partition("Options:\n")[2].partition("\n\n")[0]
    heads = re.findall(r"^  (-\S*)", block, re.MULTILINE)
    return {name for head in heads for name in head.split(",")}


def commands():
    for verb in subcommands(run("--help").stdout):
        below = subcommands(run(verb, "--help").stdout)
        yield from ([verb, name] for name in below) if below else [[verb]]


class TablesTest(unittest.TestCase):
    def test_every_option_of_every_command_is_offered_and_described(self):
        page = run("man").stdout.replace("\\-", "-")
        for words in commands():
            with self.subTest(command=words):
                help_text = run(*words, "--help").stdout
                known = {name.rstrip("=") for name in offered(*words, "-")}
                self.assertEqual(known, options_in(help_text))
                self.assertIn(f'.SS "tiebreak {" ".join(words)}"', page)
                section = page.partition(f'.SS "tiebreak {" ".join(words)}"')[2].partition("\n.S")[0]
                for name in known:
                    self.assertIn(f"\\fB{name}\\fR", section)

    def test_verbs_are_offered(self):
        self.assertEqual(offered("rep"), ["report"])
        self.assertEqual(sorted(offered("report", "")), ["diff", "merge", "show"])

    def test_values_come_from_the_installation(self):
        self.assertIn("reference", offered("check", "--backend", ""))
        self.assertEqual(offered("check", "--backend=ref"), ["--backend=reference"])
        self.assertIn("onnx", offered("check", "-p", "on"))
        self.assertIn("onnx.QuantizeLinear", offered("identify", "--op", "onnx.Quantize"))
        self.assertIn("onnx.QuantizeLinear/", offered("check", "onnx.Quan"))
        self.assertTrue(all(run("case", "show", word).returncode == 0 for word in offered("explain", "onnx.QuantizeLinear/ti")[:3]))
        self.assertEqual(offered("check", "--level", ""), ["smoke", "default", "full"])
        self.assertEqual(offered("check", "--status", "exp"), ["expected_fail"])
        self.assertIn(":files", run("__complete", "zsh", "report", "show", "").stdout)

    def test_an_option_that_was_given_is_not_offered_again(self):
        self.assertNotIn("--policy", offered("check", "--policy", "exact", "--po"))
        self.assertIn("--filter", offered("check", "--filter", "a", "--fi"))
        self.assertEqual(offered("check", "--no-such", "--pol"), ["--policy"])

    def test_an_unknown_shell_is_a_usage_error(self):
        answer = run("completions", "fishy")
        self.assertEqual(answer.returncode, 2)
        self.assertIn("did you mean 'fish'", answer.stderr)


class ShellsTest(unittest.TestCase):
    def in_shell(self, *command, source):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "tiebreak").symlink_to(TIEBREAK)
            environment = {**os.environ, "PATH": folder + ":" + os.environ["PATH"]}
            return subprocess.run([*command, source], capture_output=True, text=True, timeout=120, check=False, env=environment)

    def bash(self, *words):
        quoted = " ".join("'" + word + "'" for word in words)
        answer = self.in_shell("bash", "--norc", "-c", source=script("bash") +
                               f"\nCOMP_WORDS=(tiebreak {quoted}); COMP_CWORD={len(words)}; _tiebreak; printf '%s\\n' \"${{COMPREPLY[@]}}\"")
        self.assertEqual(answer.stderr, "")
        return answer.stdout.split()

    def need(self, shell):
        if shutil.which(shell) is None:
            self.skipTest(f"{shell} is not installed")

    def test_bash(self):
        answer = self.in_shell("bash", "--norc", "-c", source=script("bash") + "\ncomplete -p tiebreak")
        self.assertEqual(answer.stdout, "complete -F _tiebreak tiebreak\n", answer.stderr)
        self.assertEqual(self.bash("che"), ["check"])
        self.assertEqual(self.bash("check", "--backend-"), ["--backend-option="])
        self.assertIn("reference", self.bash("check", "--backend", ""))
        # bash takes words apart at `=` and `:`, and replaces the last part alone.
        self.assertEqual(self.bash("check", "--profile", "=", "stablehlo-s"), ["stablehlo-spec"])
        self.assertEqual(self.bash("check", "--policy", "="), ["exact", "lsb:", "ulp:", "steps:", "absolute:"])

    def test_zsh(self):
        self.need("zsh")
        stubs = "compdef() { }; _files() { print -- FILES }; _describe() { print -l -- ${(P)2} }; compadd() { print -l -- ${(P)@[-1]} }\n"
        ask = "\nwords=(tiebreak {}); CURRENT={}; _tiebreak"
        answer = self.in_shell("zsh", "-fc", source=stubs + script("zsh") + ask.format("check --backend", 3))
        self.assertEqual(answer.stderr, "")
        self.assertIn("--backend:adapter of this installation", answer.stdout)
        self.assertIn("--backend-option=", answer.stdout)
        answer = self.in_shell("zsh", "-fc", source=stubs + script("zsh") + ask.format("check --backend ''", 4))
        self.assertEqual({"reference", "FILES"} - set(answer.stdout.split()), set(), answer.stdout + answer.stderr)

    def test_fish(self):
        self.need("fish")
        answer = self.in_shell("fish", "--no-config", "-c", source=script("fish") + "\ncomplete -C 'tiebreak check --backend refe'\ncomplete -C 'tiebreak spec ver'")
        self.assertEqual([line.split("\t")[0] for line in answer.stdout.splitlines()], ["reference", "verify"], answer.stderr)


class ManualTest(unittest.TestCase):
    def test_groff_has_no_warning(self):
        if shutil.which("groff") is None:
            self.skipTest("groff is not installed")
        answer = subprocess.run(GROFF, input=run("man").stdout, capture_output=True, text=True, check=False)
        self.assertEqual((answer.returncode, answer.stderr), (0, ""))

    def test_it_says_what_the_docs_say(self):
        page = run("man").stdout.replace("\\-", "-")
        docs = pathlib.Path(SOURCE) / "docs"
        environment = (docs / "command.md").read_text(encoding="utf-8").partition("## Environment")[2]
        for name in re.findall(r"`([A-Z_]+)`", environment):
            self.assertIn(name, page.partition(".SH ENVIRONMENT")[2])
        for codes in re.findall(r"^\| ([0-9, ]+) \|", (docs / "exit-codes.md").read_text(encoding="utf-8"), re.MULTILINE):
            self.assertIn(f"\\fB{codes}\\fR", page.partition(".SH \"EXIT STATUS\"")[2] or page.partition(".SH EXIT STATUS")[2])

    def test_no_line_of_text_is_taken_for_a_request(self):
        known = re.compile(r"\.(\\\"|TH|SH|SS|TP|PP|nf|fi|nh|ad)\b|\.\\\"")
        for line in run("man").stdout.splitlines():
            if line.startswith((".", "'")):
                self.assertRegex(line, known)


if __name__ == "__main__":
    TIEBREAK, SOURCE = sys.argv[1:3]
    del sys.argv[1:3]
    unittest.main()
