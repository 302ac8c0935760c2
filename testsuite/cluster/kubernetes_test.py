# SPDX-License-Identifier: Apache-2.0
"""tools/cluster/kubernetes/job.yaml follows the API as far as it uses it, asks for as many parts as it has pods, and its words are those of the script.
Without a cluster, a pod is played by hand. Usage: kubernetes_test.py TIEBREAK FAULTY_ADAPTER"""
import copy
import json
import sys
import unittest

try:
    import jsonschema
    import yaml
except ImportError:
    print("skipped: python3-jsonschema or python3-yaml is not installed")
    sys.exit(0)

import runs

MANIFEST = runs.TOOLS / "kubernetes/job.yaml"


def changed(job, path, value):
    """A copy with another value at the path; None takes the key away."""
    copied = copy.deepcopy(job)
    inner = copied
    for step in path[:-1]:
        inner = inner[step]
    if value is None:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return copied


class ManifestTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.job = yaml.safe_load(MANIFEST.read_text(encoding="utf-8"))
        schema = json.loads((runs.SOURCE / "testsuite/cluster/job.schema.json").read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator.check_schema(schema)
        cls.validator = jsonschema.Draft202012Validator(schema)
        cls.container = cls.job["spec"]["template"]["spec"]["containers"][0]

    def test_it_follows_the_schema(self):
        self.assertEqual([error.message for error in self.validator.iter_errors(self.job)], [])

    def test_the_schema_finds_slips(self):
        container = ["spec", "template", "spec", "containers", 0]
        for path, value in ((["apiVersion"], "batch/v1beta1"), (["spec", "completionMode"], "NonIndexed"), (["spec", "completions"], None), (["spec", "completions"], "16"),
                            (["spec", "completion"], 16), (["spec", "template", "spec", "restartPolicy"], "Always"), ([*container, "command"], "tools/cluster/part"),
                            ([*container, "args"], [1]), ([*container, "volumeMounts", 0, "mountPath"], "reports"), ([*container, "resources", "requests", "memory"], "1 GB"),
                            (["spec", "podFailurePolicy", "rules", 0, "action"], "FailPod"), (["spec", "podFailurePolicy", "rules", 0, "onPodConditions"], [{"type": "x", "status": "True"}]),
                            (["spec", "podFailurePolicy", "rules", 1, "onPodConditions", 0, "status"], True), (["metadata", "name"], "Tiebreak")):
            self.assertFalse(self.validator.is_valid(changed(self.job, path, value)), path)

    def test_what_it_names_is_there(self):
        words, pod = self.container["command"], self.job["spec"]["template"]["spec"]
        self.assertTrue((runs.SOURCE / words[0]).is_file())
        self.assertEqual(words[words.index("--parts") + 1], str(self.job["spec"]["completions"]), "as many pods as parts")
        self.assertTrue(words[1].startswith(self.container["volumeMounts"][0]["mountPath"] + "/"), "the run lies on the volume")
        self.assertEqual([mount["name"] for mount in self.container["volumeMounts"]], [volume["name"] for volume in pod["volumes"]])
        self.assertEqual(self.job["spec"]["podFailurePolicy"]["rules"][0]["onExitCodes"]["containerName"], self.container["name"])

    def test_its_words_run_a_part(self):
        run = runs.Run(TIEBREAK, FAULTY)
        self.addCleanup(run.close)
        words = [str(run.folder) if word.startswith("/reports/") else word for word in self.container["command"]]
        script, words = words[0].removeprefix("tools/cluster/"), [*words[1:], *self.container["args"], "-k", "onnx.Add/*"]
        for index in (0, 15):  # the first pod prepares the run, the last finds it prepared
            answer = run.call(script, *words, JOB_COMPLETION_INDEX=str(index))
            self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertEqual(run.reports(), ["part-01-of-16.json", "part-16-of-16.json"])
        answer = run.call(script, *words, JOB_COMPLETION_INDEX="16")
        self.assertEqual(answer.returncode, 2, "which fails the index for good")
        self.assertIn("no part '17' of 16", answer.stderr)


if __name__ == "__main__":
    TIEBREAK, FAULTY = sys.argv[1:3]
    del sys.argv[1:3]
    unittest.main()
