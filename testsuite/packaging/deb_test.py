# SPDX-License-Identifier: Apache-2.0
"""Debian packages made by cpack: what they hold, that the command in them runs, and what lintian says.
Usage: deb_test.py CPACK BUILD_FOLDER [lintian]    (with `lintian` that alone, skipped where it is not installed)"""
import gzip
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PACKAGES = {"tiebreak", "tiebreak-adapters", "tiebreak-data", "libtiebreak-dev", "python3-tiebreak"}
SOURCE = pathlib.Path(__file__).resolve().parents[2]
PYTHON = "usr/lib/python3/dist-packages"


def run(*command, **more):
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=600, **more)


def programs(root):
    folders = [root / "usr/bin", root / "usr/libexec/tiebreak"]
    return [path for folder in folders if folder.is_dir() for path in folder.iterdir() if path.is_file() and path.read_bytes()[:4] == b"\x7fELF"]


class PackagesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        environment = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000"}
        answer = run(CPACK, "-G", "DEB", "-B", str(cls.folder / "made"), cwd=BUILD, env=environment)
        if answer.returncode != 0:
            raise AssertionError(answer.stdout + answer.stderr)
        cls.debs = {path.name.split("_")[0]: path for path in (cls.folder / "made").glob("*.deb")}


class ContentTest(PackagesTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.roots = {}
        for name, deb in cls.debs.items():
            cls.roots[name] = cls.folder / ("root-" + name)
            run("dpkg-deb", "-x", str(deb), str(cls.roots[name]))
        cls.all = cls.folder / "all"
        for deb in cls.debs.values():
            run("dpkg-deb", "-x", str(deb), str(cls.all))

    def field(self, name, field):
        return run("dpkg-deb", "-f", str(self.debs[name]), field).stdout.strip()

    def test_each_component_is_a_package(self):
        self.assertEqual(set(self.debs), PACKAGES)
        for name in PACKAGES:
            self.assertTrue(self.field(name, "Description"))
        for name in PACKAGES:
            self.assertEqual(self.field(name, "Architecture") == "all", name in ("tiebreak-data", "python3-tiebreak"), name)

    def test_dependencies_are_those_of_the_files(self):
        self.assertIn("libc6", self.field("tiebreak", "Depends"))
        self.assertIn("libhdf5", self.field("tiebreak", "Depends"))
        self.assertRegex(self.field("tiebreak", "Depends"), r"tiebreak-data \(= \d")
        self.assertNotIn("dnnl", self.field("tiebreak", "Depends"))
        self.assertRegex(self.field("tiebreak-adapters", "Depends"), r"tiebreak \(= \d")
        self.assertRegex(self.field("python3-tiebreak", "Depends"), r"^tiebreak \(= \d[^)]*\), python3:any \(>= 3\.10\), python3-h5py, python3-numpy$")

    def test_dates_are_those_of_the_sources(self):
        changelog = gzip.decompress((self.roots["tiebreak"] / "usr/share/doc/tiebreak/changelog.gz").read_bytes()).decode()
        self.assertIn("Tue, 14 Nov 2023 22:13:20 +0000", changelog)
        self.assertEqual((self.all / "usr/share/man/man1/tiebreak.1.gz").read_bytes()[4:8], bytes(4), "gzip writes no time")
        listing = run("dpkg-deb", "-c", str(self.debs["tiebreak"])).stdout
        self.assertEqual(set(re.findall(r"\d{4}-\d{2}-\d{2}", listing)), {"2023-11-14"})

    def test_programs_have_neither_symbols_nor_paths_of_the_build(self):
        found = programs(self.all)
        self.assertTrue(found)
        for path in found:
            with self.subTest(program=path.name):
                dynamic = run("readelf", "-d", str(path)).stdout
                self.assertNotRegex(dynamic, r"\((RPATH|RUNPATH)\)")
                self.assertNotIn(".symtab", run("readelf", "-S", str(path)).stdout)
        self.assertFalse(list(self.all.rglob("*faulty*")))

    def test_the_command_runs_from_where_it_was_unpacked(self):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("TIEBREAK_")}
        command = str(self.all / "usr/bin/tiebreak")
        self.assertIn("onnx.QuantizeLinear", run(command, "spec", "list", cwd="/", env=environment).stdout)
        answer = run(command, "check", "--backend", "reference", "--level", "smoke", "-k", "onnx.QuantizeLinear/*", cwd="/", env=environment)
        self.assertEqual(answer.returncode, 0, answer.stdout + answer.stderr)
        self.assertIn("2 cases: 2 conform", answer.stdout)
        listed = run(command, "check", "--list", "--level", "full", "-k", "onnx.QuantizeLinear/stairs/*", cwd="/", env=environment).stdout
        self.assertTrue(listed, "stairs are installed")

    def test_what_is_known_of_adapters_lies_beside_them(self):
        lists = list(pathlib.Path(BUILD).glob("tiebreak-adapter-*.known*.json"))
        for path in lists:
            installed = self.roots["tiebreak-adapters"] / "usr/libexec/tiebreak" / path.name
            self.assertEqual(installed.read_bytes(), path.read_bytes())
            self.assertFalse(os.access(installed, os.X_OK), path.name)
        self.assertTrue(lists or not (pathlib.Path(BUILD) / "tiebreak-adapter-onnxruntime").exists())

    def test_adapters_in_python_find_their_module(self):
        module = self.roots["tiebreak"] / "usr/libexec/tiebreak/python/exchange_case.py"
        self.assertTrue(module.is_file())
        if run("/usr/bin/python3", "-c", "import importlib.util as u, sys; sys.exit(u.find_spec('h5py') is None)").returncode != 0:
            self.skipTest("no h5py")
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("TIEBREAK_", "PYTHON"))} | {"PATH": "/usr/bin:/bin"}
        adapter = pathlib.Path(__file__).resolve().parents[2] / "tools/adapters/python/adapter.py"
        answer = run(str(self.all / "usr/bin/tiebreak"), "backend", "info", str(adapter), cwd="/", env=environment)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertRegex(answer.stdout, r"name +numpy")

    def test_the_python_package_has_its_modules_and_what_debian_runs(self):
        folder = self.roots["python3-tiebreak"] / PYTHON
        written = {path.name for path in (SOURCE / "tools/python/tiebreak").glob("*.py")}
        self.assertEqual({path.name for path in (folder / "tiebreak").iterdir()}, written)
        entries, = folder.glob("tiebreak-*.dist-info/entry_points.txt")
        self.assertIn("[pytest11]\ntiebreak.pytest_plugin = tiebreak.pytest_plugin", entries.read_text(encoding="utf-8"))
        self.assertIn("\nVersion: " + self.field("python3-tiebreak", "Version") + "\n", (entries.parent / "METADATA").read_text(encoding="utf-8"))
        self.assertEqual(len(list(self.all.rglob("exchange_case.py"))), 1, "adapters and tiebreak.adapter share one module")
        control = self.folder / "control"
        run("dpkg-deb", "-e", str(self.debs["python3-tiebreak"]), str(control))
        for script in ("postinst", "prerm"):
            self.assertTrue(os.access(control / script, os.X_OK), script)
            self.assertIn("-p python3-tiebreak", (control / script).read_text(encoding="utf-8"))

    def test_the_python_package_finds_the_command_and_the_module_of_adapters(self):
        if run("/usr/bin/python3", "-c", "import h5py, numpy").returncode != 0:
            self.skipTest("no h5py")
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("TIEBREAK", "PYTHON"))} | {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(self.all / PYTHON)}
        program = "import numpy, tiebreak, tiebreak.adapter, sys; print(tiebreak.find_command(), sys.modules['exchange_case'].__file__); "
        program += "print(tiebreak.eval('onnx.QuantizeLinear', numpy.float32([0.5, 1.5]), numpy.float32(1)).tolist(), tiebreak.backends())"
        answer = run("/usr/bin/python3", "-B", "-c", program, cwd="/", env=environment)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertEqual(answer.stdout.split("\n")[0], f"{self.all}/usr/bin/tiebreak {self.all}/usr/libexec/tiebreak/python/exchange_case.py")
        self.assertIn("[0, 2]", answer.stdout)
        self.assertIn("'reference'", answer.stdout)

    def test_completions_and_manual_are_where_shells_look(self):
        for path in ("bash-completion/completions/tiebreak", "zsh/vendor-completions/_tiebreak", "fish/vendor_completions.d/tiebreak.fish"):
            self.assertIn("__complete", (self.all / "usr/share" / path).read_text(encoding="utf-8"))


class LintianTest(PackagesTest):
    def test_lintian_has_nothing_to_say(self):
        answer = run("lintian", "--allow-root", "--fail-on", "error,warning", *map(str, self.debs.values()))
        self.assertEqual(answer.returncode, 0, answer.stdout + answer.stderr)


if __name__ == "__main__":
    CPACK, BUILD, *MODE = sys.argv[1:]
    for tool in ["dpkg-deb", "dpkg-shlibdeps", "readelf", *MODE]:
        if shutil.which(tool) is None:
            print(f"skipped: {tool} is not installed")
            sys.exit(0)
    del sys.argv[1:]
    unittest.main(defaultTest="LintianTest" if MODE else "ContentTest")
