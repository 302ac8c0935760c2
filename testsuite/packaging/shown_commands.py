# SPDX-License-Identifier: Apache-2.0
"""The commands that a document or a help text shows. A code block's lines that begin with `$ ` are its commands; without such a line, those that begin
with the name of a program. Behind `#` stands what it does, and `exit N` where it does not end with 0."""
import re
from dataclasses import dataclass

PROGRAMS = ("tiebreak ", "build/tiebreak", "tools/", "cmake ", "ctest ", "source <(")


@dataclass
class Shown:
    place: str  # docs/bits.md:12
    text: str
    code: int


def _blocks(text):
    """(line number, lines) of each fenced or indented block."""
    block, first, fence = [], 0, ""
    for number, line in enumerate([*text.splitlines(), ""], 1):
        mark = re.match(r" *(`{3,}|~{3,})", line)
        if fence:
            if mark and line.strip().startswith(fence):
                yield first, block
                block, fence = [], ""
            else:
                block.append(line)
        elif mark:
            fence, first, block = mark[1], number + 1, []
        elif line.startswith("    ") and (block or line.strip()):
            first = first if block else number
            block.append(line[4:])
        elif block:
            yield first, block
            block = []


def _joined(lines):
    """(line number, line), lines that end with a backslash with those that follow."""
    whole, start = "", 0
    for number, line in enumerate(lines):
        start = start if whole else number
        whole += line[:-1].rstrip() + " " if line.endswith("\\") else line
        if not line.endswith("\\"):
            yield start, whole
            whole = ""


def without_comment(line):
    """The command, and what stands behind the first # that no quotes are around."""
    quote = ""
    for place, letter in enumerate(line):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter == "#" and line[place - 1] == " ":
            return line[:place].rstrip(), line[place + 1 :]
    return line.rstrip(), ""


def _code(comment, rest):
    stated = re.search(r"\bexit (\d+)", comment)
    if stated:
        return int(stated[1])
    if len(rest) > 1 and rest[0].startswith("$ echo $?"):
        return int(rest[1])
    return 0


def commands_of(text, name):
    """Every command of a Markdown document."""
    shown = []
    for first, block in _blocks(text):
        prompts = any(line.startswith("$ ") for line in block)
        for number, line in _joined(block):
            if prompts and (not line.startswith("$ ") or line.startswith("$ echo $?")):
                continue
            command, comment = without_comment(re.sub(r"^\$ ", "", line))
            if not prompts and not command.startswith(PROGRAMS):
                continue
            later = [each for each in block[number + 1 :]]
            while prompts and later and not later[0].startswith("$ "):
                later.pop(0)
            shown.append(Shown(f"{name}:{first + number}", command, _code(comment, later)))
    return shown


def inline_commands(text, name):
    """What stands in single backquotes within a sentence."""
    prose = re.sub(r"(?ms)^ *(`{3,}).*?^ *\1", lambda match: "\n" * match[0].count("\n"), text)
    return [Shown(f"{name}:{prose.count(chr(10), 0, match.start()) + 1}", match[1], 0) for match in re.finditer(r"`(tiebreak [^`\n]+)`", prose)]


def examples_of(help_text, name):
    """Those below `Examples:` of a help text."""
    block = help_text.partition("Examples:\n")[2].partition("\n\n")[0].splitlines()
    shown = []
    for number, line in _joined(block):
        command, comment = without_comment(line.strip())
        if command.startswith("tiebreak "):
            shown.append(Shown(f"{name}, example {number + 1}", command, _code(comment, [])))
    return shown
