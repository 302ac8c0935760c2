# SPDX-License-Identifier: Apache-2.0
"""The repository as a whole: what lies at the top, that it speaks of Tiebreak alone, and that its lists agree with each other."""
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOP_LEVEL = {"CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md", "docs", "golden", "interpreter", "spec", "testsuite", "tools"}

# Words that tie the repository to one machine, one workplace or one package host. They are written in two halves here, or this file
# would hold them.
FOREIGN = {
    "a path of one machine": r"/(work|root|home/[a-z]+)" + r"/[A-Za-z_.]",
    "a folder outside the repository": r"(\.\./|/)" + r"shared/",
    "a host of a package registry": r"(registry\.npm" + r"js|npm" + r"js\.com|pypi" + r"\.org|pythonhosted" + r"\.org|deb\.deb" + r"ian\.org|crates" + r"\.io)",
}


def tracked_files():
    """Files git tracks, or None outside a git checkout."""
    command = ["git", "-c", "safe.directory=*", "-C", str(ROOT), "ls-files", "-z"]
    try:
        listing = subprocess.run(command, capture_output=True, check=True).stdout.decode()
    except (OSError, subprocess.CalledProcessError):
        return None
    return [name for name in listing.split("\0") if name and (ROOT / name).is_file()]


class TrackedFilesTest(unittest.TestCase):
    def setUp(self):
        self.files = tracked_files() if (ROOT / ".git").exists() else None
        if not self.files:
            self.skipTest("not a git checkout")

    def test_top_level_is_the_house(self):
        entries = {name.split("/")[0] for name in self.files}
        unknown = {entry for entry in entries if entry not in TOP_LEVEL and not entry.startswith(".")}
        self.assertEqual(unknown, set())

    def test_speaks_of_tiebreak_alone(self):
        findings = []
        for name in self.files:
            text = (ROOT / name).read_bytes().decode("latin-1")
            for what, pattern in FOREIGN.items():
                match = re.search(pattern, text)
                if match:
                    findings.append(f"{name}:{text.count(chr(10), 0, match.start()) + 1}: {what}: {match[0]}")
        self.assertEqual(findings, [])


class OwnFilesTest(unittest.TestCase):
    """Tests read what is in the tree: none goes up from its root, in C++, CMake or Python."""
    UP = re.compile(r"""SOURCE_DIR\W{1,12}\.\.|\bROOT(\.parent\b|\s*/\s*["']\.\.)|parents\[(\d)\]""")

    def outside(self, name, text):
        """Places of a file where a path leaves the tree."""
        found = []
        for match in self.UP.finditer(text):
            above = len(pathlib.PurePosixPath(name).parents) - 1  # parents[above] is the root
            if match[2] is None or int(match[2]) > above:
                found.append(f"{name}:{text.count(chr(10), 0, match.start()) + 1}: {match[0]}")
        return found

    def test_no_test_names_a_path_outside_the_tree(self):
        files = [path for path in sorted((ROOT / "testsuite").rglob("*")) if path.suffix in (".cpp", ".hpp", ".py", ".cmake", ".txt", ".bash") and path != pathlib.Path(__file__).resolve()]
        self.assertGreater(len(files), 300)
        found = [place for path in files for place in self.outside(str(path.relative_to(ROOT)), path.read_text(encoding="utf-8", errors="replace"))]
        self.assertEqual(found, [])

    def test_what_goes_up_is_found(self):
        for text in ('std::string(TIEBREAK_SOURCE_DIR) + "/../data/"', 'TIEBREAK_SOURCE_DIR "/../data/x.json"', "${CMAKE_SOURCE_DIR}/../data", 'ROOT / ".." / "data"', "ROOT.parent / 'data'",
                     "pathlib.Path(__file__).parents[3]"):
            self.assertEqual(len(self.outside("testsuite/layering/any_test.py", text)), 1, text)
        for text in ('TIEBREAK_SOURCE_DIR "/spec"', 'ROOT / "testsuite"', "pathlib.Path(__file__).parents[2]", "path.parent"):
            self.assertEqual(self.outside("testsuite/layering/any_test.py", text), [], text)


class ListsTest(unittest.TestCase):
    def packages(self):
        lines = (ROOT / "tools/packages.txt").read_text(encoding="utf-8").splitlines()
        return [line.split()[0] for line in lines if line and not line.startswith("#")]

    def test_each_package_has_its_reason(self):
        for line in (ROOT / "tools/packages.txt").read_text(encoding="utf-8").splitlines():
            if line and not line.startswith("#"):
                self.assertRegex(line, r"^\S+ .*# \S")

    def test_docs_name_the_packages_of_the_list_and_no_other(self):
        text = (ROOT / "docs/dependencies.md").read_text(encoding="utf-8")
        documented = re.findall(r"^\| `([^`]+)` \|", text, re.MULTILINE)
        self.assertEqual(sorted(documented), sorted(self.packages()))

    def test_gate_and_readme_use_the_same_commands(self):
        gate = (ROOT / ".ci/run").read_text(encoding="utf-8")
        readme = (ROOT / "README.md").read_text(encoding="utf-8")
        for command in ("tools/test", "tools/run"):
            self.assertIn(command, gate)
            self.assertIn(command, readme)


class ChangelogTest(unittest.TestCase):
    SECTIONS = ["Values", "Formats", "Command"]

    def sections(self, text, version):
        """Headings below that of the version, each with what stands there."""
        part = re.split(r"^## ", "\n" + text, flags=re.MULTILINE)
        own = [one for one in part if one.splitlines()[0].strip() == version]
        return [(one.splitlines()[0].strip(), one.partition("\n")[2].strip()) for one in re.split(r"^### ", own[0], flags=re.MULTILINE)[1:]] if own else []

    def test_the_version_of_the_project_has_its_three_sections(self):
        version = re.search(r"^project\(tiebreak VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"), re.MULTILINE)[1]
        found = self.sections((ROOT / "docs/changelog.md").read_text(encoding="utf-8"), version)
        self.assertEqual([heading for heading, _ in found], self.SECTIONS, f"## {version} in docs/changelog.md")
        for heading, text in found:
            self.assertTrue(text, heading)

    def test_what_is_missing_is_found(self):
        text = "# Changelog\n\n## 1.2.3\n\n### Values\nnone\n\n### Command\nnone\n"
        self.assertEqual([heading for heading, _ in self.sections(text, "1.2.3")], ["Values", "Command"])
        self.assertEqual(self.sections(text, "1.2.4"), [])


class LinksTest(unittest.TestCase):
    def without_code(self, text):
        """Formulas have brackets before parentheses, too."""
        text = re.sub(r"^ *```.*?^ *```", "", text, flags=re.MULTILINE | re.DOTALL)
        text = re.sub(r"^    .*$", "", text, flags=re.MULTILINE)
        return re.sub(r"(`+).+?\1", "", text, flags=re.DOTALL)

    def test_links_between_pages_lead_somewhere(self):
        broken = []
        for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
            for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", self.without_code(page.read_text(encoding="utf-8"))):
                if "://" not in target and not target.startswith("mailto:") and not (page.parent / target).exists():
                    broken.append(f"{page.relative_to(ROOT)}: {target}")
        self.assertEqual(broken, [])


if __name__ == "__main__":
    unittest.main()
