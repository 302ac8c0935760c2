# SPDX-License-Identifier: Apache-2.0
"""The GitHub workflows: what they run is there, what they use is pinned, what they may do is little. Usage: workflows_test.py SOURCE_FOLDER"""
import pathlib
import re
import sys
import unittest

try:
    import yaml
except ImportError:
    print("skipped: python3-yaml is not installed")
    sys.exit(0)

SYSTEM_COMMANDS = {"apt-get"}  # what a bare container has


def workflows(source):
    """Name -> data. YAML 1.1 reads the key `on` as a truth value."""
    read = {path.stem: yaml.safe_load(path.read_text(encoding="utf-8")) for path in sorted((source / ".github/workflows").glob("*.yml"))}
    return {name: {"on" if key is True else key: value for key, value in data.items()} for name, data in read.items()}


def steps(workflow):
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


def commands(step):
    """The first word of each command of a step."""
    parts = [part.strip() for part in re.split(r"&&|\|\||;|\n", step.get("run", ""))]
    return [part.split()[0] for part in parts if part]


def findings(source, name, workflow):
    for step in steps(workflow):
        for command in commands(step):
            path = source / command
            if command not in SYSTEM_COMMANDS and not (path.is_file() and path.stat().st_mode & 0o100):
                yield f"{name}: '{command}' is no program of this repository"
        if "${{" in step.get("run", ""):
            yield f"{name}: an expression stands in a script: {step['run']}"
        if "uses" in step and not re.fullmatch(r"[\w.-]+/[\w./-]+@v\d[\w.]*", step["uses"]):
            yield f"{name}: {step['uses']} is not pinned by a tag"
    for job, data in workflow["jobs"].items():
        if not 0 < data.get("timeout-minutes", 0) <= 360:
            yield f"{name}: job {job} has no timeout"
        if "permissions" in data:
            yield f"{name}: job {job} takes permissions of its own"
    if workflow.get("permissions") != {"contents": "read"}:
        yield f"{name}: permissions are more than reading"


PLANTED = [
    ({"run": "tools/no-such-program --flag"}, "no program"),
    ({"run": "apt-get update && tools/nothing"}, "no program"),
    ({"run": "tools/packages.txt"}, "no program"),
    ({"run": "tools/test ${{ github.ref }}"}, "expression"),
    ({"uses": "actions/checkout@main"}, "not pinned"),
    ({"uses": "actions/checkout"}, "not pinned"),
]


class WorkflowsTest(unittest.TestCase):
    def setUp(self):
        self.found = workflows(SOURCE)

    def test_what_they_run_is_there_and_what_they_use_is_pinned(self):
        self.assertTrue(self.found)
        self.assertEqual([finding for name, workflow in self.found.items() for finding in findings(SOURCE, name, workflow)], [])

    def test_each_planted_fault_is_found(self):
        good = {"permissions": {"contents": "read"}, "jobs": {"one": {"timeout-minutes": 5, "steps": [{"run": "tools/test"}]}}}
        self.assertEqual(list(findings(SOURCE, "good", good)), [])
        for step, expected in PLANTED:
            with self.subTest(step=step):
                found = list(findings(SOURCE, "bad", {**good, "jobs": {"one": {"timeout-minutes": 5, "steps": [step]}}}))
                self.assertEqual(len(found), 1, found)
                self.assertIn(expected, found[0])
        self.assertEqual(len(list(findings(SOURCE, "bad", {**good, "permissions": "write-all"}))), 1)
        self.assertEqual(len(list(findings(SOURCE, "bad", {**good, "jobs": {"one": {"steps": []}}}))), 1)

    def test_the_gate_runs_what_the_local_gate_runs(self):
        local = [line for line in (SOURCE / ".ci/run").read_text(encoding="utf-8").splitlines() if line.startswith("tools/")]
        gate = [step["run"] for step in steps(self.found["gate"]) if step.get("run", "").startswith("tools/")]
        self.assertEqual(gate, local)
        self.assertEqual(set(self.found["gate"]["on"]), {"push", "pull_request"})

    def test_the_nightly_run_is_scheduled(self):
        self.assertRegex(self.found["nightly"]["on"]["schedule"][0]["cron"], r"^\d+ \d+ \* \* \*$")
        self.assertIn("tools/nightly", [command for step in steps(self.found["nightly"]) for command in commands(step)])

    def test_reports_are_kept(self):
        for name, kept in (("gate", ["build/report", "build/tests.xml"]), ("nightly", ["build/nightly"])):
            uploads = [step for step in steps(self.found[name]) if step.get("uses", "").startswith("actions/upload-artifact@")]
            self.assertEqual(len(uploads), 1)
            self.assertLessEqual(set(kept), set(uploads[0]["with"]["path"].split()))
            self.assertIn("failure()", uploads[0]["if"])

    def test_forms_for_issues_are_read(self):
        for path in sorted((SOURCE / ".github/ISSUE_TEMPLATE").glob("*.yml")):
            form = yaml.safe_load(path.read_text(encoding="utf-8"))
            with self.subTest(form=path.name):
                self.assertTrue(form["name"] and form["description"])
                ids = [field["id"] for field in form["body"] if field["type"] != "markdown"]
                self.assertEqual(len(ids), len(set(ids)))
                self.assertTrue(all(field["attributes"]["label"] for field in form["body"] if field["type"] != "markdown"))


if __name__ == "__main__":
    SOURCE = pathlib.Path(sys.argv[1])
    del sys.argv[1]
    unittest.main()
