# SPDX-License-Identifier: Apache-2.0
"""The one exception of this package."""
import shlex


class Error(Exception):
    """What went wrong, in the words of the command or of the file that was read.

    message     the text, with its place in parentheses and a hint on a line of its own where there is one
    exit_code   of the command (docs/exit-codes.md); None where no command ran or none ended
    command     its command line as a text that a shell takes; "" where no command ran
    """

    def __init__(self, message, exit_code=None, command=()):
        self.message = message
        self.exit_code = exit_code
        self.command = shlex.join(map(str, command))
        super().__init__(message + (f"\n  command: {self.command}" if self.command else ""))
