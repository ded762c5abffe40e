"""Who gives a foreign part, and the error if that part fails."""

from __future__ import annotations

from pathlib import PurePath
from types import TracebackType
from typing import NamedTuple

from undercroft.errors import PluginTrouble, UndercroftError
from undercroft.wording import shorten

MAX_REASON_LENGTH = 300
"""The most characters of a foreign error that messages show."""


class Provider(NamedTuple):
    """An installed package, or a module of the program that registered the part.

    >>> print(Provider("cellars.steps", "cellars", "1.2.0")), print(Provider("my_game"))
    the package cellars 1.2.0
    the module my_game
    (None, None)
    """

    module: str
    """The module that the part comes from."""
    package: str = ""
    """The name of the installed package; empty if a program registered the part."""
    version: str = ""

    def __str__(self) -> str:
        return f"the {'package' if self.package else 'module'} {self.label}"

    @property
    def label(self) -> str:
        """The package and its version, as a level records it; the module if there is no package."""
        return f"{self.package} {self.version}".strip() if self.package else self.module


def describe_error(error: BaseException) -> str:
    """An exception on one line, shortened."""
    return shorten(" ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":"), MAX_REASON_LENGTH)


def build_failure(what: str, provider: Provider, error: Exception | SystemExit) -> PluginTrouble:
    """The error if a foreign part raised an exception. `what` names the part, as in "the step 'spiral'"."""
    place = _find_place(error.__traceback__, provider.module.partition(".")[0])
    return PluginTrouble(
        f"{what} of {provider} failed: {describe_error(error)}{place and f' ({place})'}",
        fix="tell its authors what you did; with UNDERCROFT_DEBUG=1 the whole traceback is shown"
        if provider.package
        else "see the traceback of the error that caused this one",
    )


def is_foreign_failure(error: BaseException) -> bool:
    """Whether an exception says that a part failed: our own errors say something else, and lack of memory is handled
    where there are other processes.
    """
    return isinstance(error, (Exception, SystemExit)) and not isinstance(error, (UndercroftError, MemoryError))


def _find_place(traceback: TracebackType | None, package: str) -> str:
    """The file and line where the code of a package failed: the innermost one, whatever it called."""
    found = ""
    while traceback is not None:
        if str(traceback.tb_frame.f_globals.get("__name__", "")).partition(".")[0] == package:
            found = f"{PurePath(traceback.tb_frame.f_code.co_filename).name}, line {traceback.tb_lineno}"
        traceback = traceback.tb_next
    return found
