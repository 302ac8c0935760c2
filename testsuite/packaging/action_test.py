# SPDX-License-Identifier: Apache-2.0
"""The GitHub action, its steps run here as a runner runs them: outputs, summary, annotations, exit code; inputs are never executed.
Usage: action_test.py TIEBREAK FAULTY_ADAPTER SOURCE_FOLDER"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

try:
    import yaml
except ImportError:
    print("skipped: python3-yaml is not installed")
    sys.exit(0)

EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")


def load_action():
    folder = pathlib.Path(SOURCE) / ".github/actions/conformance"
    return folder, yaml.safe_load((folder / "action.yml").read_text(encoding="utf-8"))


class Runner:
    """As much of a runner as the action needs: inputs, outputs of steps, the files of the environment."""

    def __init__(self, folder, inputs, variables):
        self.action_folder, self.action = load_action()
        self.folder = pathlib.Path(folder)
        self.inputs = {name: inputs.get(name, fact.get("default", "")) for name, fact in self.action["inputs"].items()}
        self.variables = variables
        self.outputs = {}
        self.log = ""

    def value(self, expression):
        for alternative in expression.split("||"):
            path = alternative.strip().split(".")
            found = self.inputs[path[1]] if path[0] == "inputs" else self.outputs.get(path[1], {}).get(path[3], "")
            if found:
                return found
        return ""

    def file(self, name):
        return self.folder / name

    def run_step(self, step):
        output = self.file(f"output-{step['id']}")
        output.write_text("")
        environment = {**os.environ, **self.variables, "GITHUB_ACTION_PATH": str(self.action_folder), "GITHUB_OUTPUT": str(output),
                       "GITHUB_STEP_SUMMARY": str(self.file("summary.md")), "RUNNER_TEMP": str(self.folder)}
        for name, text in step.get("env", {}).items():
            environment[name] = EXPRESSION.sub(lambda match: self.value(match[1]), text)
        script = self.file("step.sh")
        script.write_text(step["run"])
        answer = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", script], env=environment, cwd=self.folder,
                                capture_output=True, text=True, timeout=120, check=False)
        self.log += answer.stdout + answer.stderr
        self.outputs[step["id"]] = dict(line.split("=", 1) for line in output.read_text().splitlines())
        return answer.returncode

    def run(self):
        for step in self.action["runs"]["steps"]:
            if "run" in step and not (step["id"] == "build" and self.inputs["command"]):
                code = self.run_step(step)
        return code


class ActionTest(unittest.TestCase):
    def check(self, inputs=(), **more):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        named = {"backend": FAULTY, "profile": "onnx", "cases": CASES, "command": TIEBREAK, "timeout": "60", **dict(inputs), **more}
        runner = Runner(folder.name, named, {"TIEBREAK_SPEC": SOURCE + "/spec"})
        return runner, runner.run()

    def test_no_input_stands_in_a_script(self):
        action = load_action()[1]
        for step in action["runs"]["steps"]:
            self.assertNotIn("${{", step.get("run", ""))
        used = set(re.findall(r"inputs\.([a-z-]+)", (load_action()[0] / "action.yml").read_text(encoding="utf-8")))
        self.assertEqual(used, set(action["inputs"]), "every input is used, and none is unknown")
        for fact in action["inputs"].values():
            self.assertTrue(fact["description"])

    def test_a_backend_that_conforms(self):
        runner, code = self.check({"backend-options": "--fault\nnone\n"})
        self.assertEqual(code, 0, runner.log)
        self.assertEqual(runner.outputs["check"]["exit-code"], "0")
        reports = pathlib.Path(runner.outputs["check"]["reports"])
        self.assertEqual({path.name for path in reports.iterdir()}, {"report.json", "report.xml", "report.html", "report.md"})
        self.assertNotIn("::error", runner.log)
        self.assertIn("2 conform", runner.log)

    def test_a_backend_that_fails(self):
        runner, code = self.check({"backend-options": "--fault\nhalf-away"})
        self.assertEqual(code, 1, runner.log)
        self.assertRegex(runner.log, r"(?m)^::error title=fail onnx\.QuantizeLinear/ties::.*differ.*%0A.*tiebreak check")
        summary = runner.file("summary.md").read_text(encoding="utf-8")
        self.assertIn("onnx.QuantizeLinear/ties", summary)
        stop = re.search(r"(?m)^::stop-commands::([0-9a-f]{32})$", runner.log)
        self.assertIsNotNone(stop, runner.log)
        self.assertIn(f"::{stop[1]}::", runner.log)

    def test_a_baseline_and_a_filter(self):
        runner, code = self.check({"backend-options": "--fault\nhalf-away", "baseline": BASELINE})
        self.assertEqual(code, 0, runner.log)
        runner, code = self.check({"backend-options": "--fault\nhalf-away", "filter": "*/plain\n"})
        self.assertEqual(code, 0, runner.log)
        self.assertIn("1 case: 1 conform", runner.log)

    def test_nothing_judged_is_an_error(self):
        runner, code = self.check(filter="onnx.Add/*")
        self.assertEqual(code, 4, runner.log)
        self.assertIn("::error title=Tiebreak::nothing was judged: exit code 4", runner.log)
        self.assertIn("exit code 4", runner.file("summary.md").read_text())

    def test_inconclusive_is_what_the_workflow_says(self):
        crash = SOURCE + "/testsuite/packaging/conformance/crash.sh"
        runner, code = self.check(backend=crash)
        self.assertEqual(code, 5, runner.log)
        self.assertIn("::warning title=inconclusive", runner.log)
        runner, code = self.check({"backend": crash, "allow-inconclusive": "true"})
        self.assertEqual(code, 0, runner.log)
        self.assertEqual(runner.outputs["check"]["exit-code"], "5")

    def test_inputs_are_words_and_nothing_else(self):
        nasty = "$(touch pwned) `touch pwned`; touch pwned & \"'|%0A::error::x"
        for name in ("backend", "profile", "cases", "filter", "policy", "baseline", "shard", "backend-options", "jobs", "timeout", "level"):
            for text in (nasty, "--list", "--help"):
                with self.subTest(name=name, text=text):
                    runner, code = self.check({name: text})
                    self.assertNotEqual(code, 0, runner.log)
                    self.assertFalse(runner.file("pwned").exists())

    def test_the_build_step_builds_and_tells_where(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        source = pathlib.Path(folder.name) / "checkout"
        action = source / ".github/actions/conformance"
        action.mkdir(parents=True)
        for path in load_action()[0].iterdir():
            (action / path.name).write_bytes(path.read_bytes())
        tool = source / "tools/build"
        tool.parent.mkdir()
        tool.write_text('#!/bin/sh\necho "$*" >"$(dirname "$0")/built"\n')
        tool.chmod(0o755)
        runner = Runner(folder.name, {"backend": "reference"}, {})
        runner.action_folder = action
        step = runner.action["runs"]["steps"][0]
        self.assertEqual(runner.run_step(step), 0, runner.log)
        self.assertEqual((source / "tools/built").read_text(), "release tiebreak_programs\n")
        self.assertEqual(runner.outputs["build"]["command"], str(source / "build/tiebreak"))
        runner.inputs["version"] = "--upload-pack=touch pwned"
        self.assertEqual(runner.run_step(step), 2, runner.log)


class AnnotationsTest(unittest.TestCase):
    def test_texts_of_others_stay_in_their_line(self):
        sys.dont_write_bytecode = True
        sys.path.insert(0, str(load_action()[0]))
        import annotations
        cases = [{"id": f"a,b:{n}\n::error::x", "status": "inconclusive", "reason": "said\r\n::set-output name=x::y 100%"} for n in range(12)]
        lines = list(annotations.annotations({"cases": cases, "counts": {"inconclusive": 12, "unsupported": 3}}))
        self.assertEqual(len(lines), annotations.MOST + 2)
        for line in lines:
            self.assertNotIn("\n", line)
        self.assertEqual(lines[0], "::warning title=inconclusive a%2Cb%3A0%0A%3A%3Aerror%3A%3Ax::said%0D%0A::set-output name=x::y 100%25")
        self.assertIn("3 more", lines[annotations.MOST])


if __name__ == "__main__":
    TIEBREAK, FAULTY, SOURCE = sys.argv[1:4]
    CASES = SOURCE + "/testsuite/packaging/conformance/cases.json"
    BASELINE = SOURCE + "/testsuite/packaging/conformance/baseline.json"
    del sys.argv[1:4]
    unittest.main()
