# SPDX-License-Identifier: Apache-2.0
"""The files of the tree are as .editorconfig says, and it says what .clang-format says. Usage: editor_test.py SOURCE_FOLDER"""
import configparser
import fnmatch
import pathlib
import re
import subprocess
import sys
import unittest

NEWLINE = b"\n"


def sections(text):
    parser = configparser.ConfigParser(delimiters=("=",), comment_prefixes=("#",), default_section="")
    parser.read_string("[root]\n" + text)
    return [(name, dict(parser[name])) for name in parser.sections() if name != "root"]


def alternatives(pattern):
    """`*.{md,json}` as two patterns."""
    match = re.search(r"\{([^}]*)\}", pattern)
    return [pattern] if not match else [one for word in match[1].split(",") for one in alternatives(pattern[:match.start()] + word + pattern[match.end():])]


def settings(all_sections, path):
    """A pattern without a slash speaks of the name alone; later sections win."""
    found = {}
    for name, values in all_sections:
        if any(fnmatch.fnmatch(path if "/" in one else path.rsplit("/", 1)[-1], one) for one in alternatives(name)):
            found.update(values)
    return found


def findings(path, content, wanted):
    if wanted.get("charset") == "utf-8":
        try:
            content.decode("utf-8")
        except UnicodeDecodeError as error:
            return [f"{path}: not UTF-8: {error}"]
    found = []
    if wanted.get("end_of_line") == "lf" and b"\r" in content:
        found.append(f"{path}: a carriage return")
    if wanted.get("insert_final_newline") == "true" and content and not content.endswith(b"\n"):
        found.append(f"{path}: no newline at the end")
    for key, value, pattern, what in (("trim_trailing_whitespace", "true", rb"[ \t]$", "a space at the end of the line"), ("indent_style", "space", rb"^ *\t", "a tab")):
        if wanted.get(key) == value:
            found += [f"{path}:{content.count(NEWLINE, 0, match.start()) + 1}: {what}" for match in re.finditer(pattern, content, re.MULTILINE)]
    return found


class EditorTest(unittest.TestCase):
    def setUp(self):
        self.sections = sections((SOURCE / ".editorconfig").read_text(encoding="utf-8"))

    def test_files_are_as_it_says(self):
        try:
            listing = subprocess.run(["git", "-c", "safe.directory=*", "-C", SOURCE, "ls-files", "-z"], capture_output=True, check=True).stdout.decode()
        except (OSError, subprocess.CalledProcessError):
            self.skipTest("not a git checkout")
        found = []
        for path in filter(None, listing.split("\0")):
            content = (SOURCE / path).read_bytes() if (SOURCE / path).is_file() else b""
            if b"\0" not in content:
                found += findings(path, content, settings(self.sections, path))
        self.assertEqual(found, [])

    def test_each_planted_fault_is_found(self):
        wanted = settings(self.sections, "interpreter/exact/real.cpp")
        self.assertEqual(findings("a", b"int x;\n", wanted), [])
        for content in (b"int x;", b"int x; \n", b"\tint x;\n", b"int x;\r\n", b"\xff\n"):
            with self.subTest(content=content):
                self.assertEqual(len(findings("a", content, wanted)), 1)
        self.assertEqual(findings("a", b"\xff \n\t", settings(self.sections, "testsuite/fuzz/corpus/case/a.json")), [])

    def test_it_agrees_with_clang_format(self):
        style = (SOURCE / ".clang-format").read_text(encoding="utf-8")
        limit = re.search(r"^ColumnLimit: *(\d+)", style, re.MULTILINE)[1]
        width = (re.search(r"^IndentWidth: *(\d+)", style, re.MULTILINE) or [None, "2"])[1]  # Google's
        for name in ("a.cpp", "a.hpp"):
            self.assertEqual(settings(self.sections, name)["max_line_length"], limit)
            self.assertEqual(settings(self.sections, name)["indent_size"], width)


if __name__ == "__main__":
    SOURCE = pathlib.Path(sys.argv[1])
    del sys.argv[1]
    unittest.main()
