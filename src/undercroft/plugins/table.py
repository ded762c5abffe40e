"""A table of parts: our own rows, those that the program registered, and those of installed packages.

Every command imports this module, so all that only foreign parts need is imported in the functions that need it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from undercroft.errors import BadInput, PluginTrouble

if TYPE_CHECKING:
    from undercroft.plugins.entry_points import FoundEntry
    from undercroft.plugins.provider import Provider

Row = TypeVar("Row")
Check = Callable[[Any, str, "Provider"], Row]
"""Takes a foreign part, its name and who gives it; returns the row for the table. Raises `TypeError` with a sentence if
the part is not as it should be.
"""


LOWER_CASE_WORDS = r"[a-z][a-z0-9]*(-[a-z0-9]+)*"
"""The form of names with hyphens, as in `rooms-and-mazes`."""


class ForeignRow(Generic[Row]):
    """A row that is not ours, who gives it, and the part as it was registered or loaded."""

    __slots__ = ("part", "provider", "row")

    def __init__(self, row: Row, provider: Provider, part: Any) -> None:
        self.row, self.provider, self.part = row, provider, part


class PluginTable(Mapping[str, Row]):
    """Rows by name. Our own come first, and cost nothing more than in a dict. Only an unknown name, or the end of a
    loop over all rows, looks at the installed packages.

    A foreign part that cannot be loaded, or is not as it should be, raises `PluginTrouble` when it is used. Loops leave
    it out, and `problems` lists it.
    """

    def __init__(
        self,
        kind: str,
        own: Mapping[str, Row],
        check: Check[Row],
        *,
        form: str,
        name_of: Callable[[Any], str] = lambda part: str(part.name),
        loaded: Mapping[str, Row] | None = None,
    ) -> None:
        self.kind = kind
        """What its rows are: a step, a measure, a format or a style."""
        self.own = own
        """The rows of Undercroft itself."""
        self._check, self._name_of = check, name_of
        self._form = rf"(?=.{{1,40}}\Z)(?:{form})"
        """The form of names: lists and tables have room for forty characters."""
        self._quick = own if loaded is None else loaded
        """Our rows that are loaded already."""
        self._registered: dict[str, ForeignRow[Row]] = {}
        self._loaded: dict[str, ForeignRow[Row] | PluginTrouble] = {}

    def __getitem__(self, name: str) -> Row:
        try:
            return self._quick[name]
        except KeyError:
            if name in self.own:
                return self.own[name]
            return self._find_foreign(name).row

    def __contains__(self, name: object) -> bool:
        return name in self.own or name in self._registered or name in self._entries

    def __iter__(self) -> Iterator[str]:
        yield from self.own
        yield from self.foreign()

    def __len__(self) -> int:
        return len(self.own) + len(self.foreign())

    def foreign(self) -> dict[str, ForeignRow[Row]]:
        """The rows that are not ours, as far as they can be used: the registered ones, then those of packages."""
        found = dict(self._registered)
        for name in self._entries:
            if name not in self.own and name not in found and isinstance(one := self._load(name), ForeignRow):
                found[name] = one
        return found

    def provider(self, name: str) -> Provider | None:
        """Who gives the row of that name; None if it is ours."""
        return None if name in self.own else self._find_foreign(name).provider

    def problems(self) -> list[str]:
        """What is wrong with the parts of packages, in sentences."""
        found = []
        for name, entries in self._entries.items():
            if name in self.own:
                others = " and ".join(str(entry.provider) for entry in entries)
                found.append(f"{self._describe(name)} of {others} is not used: Undercroft has one of that name")
            elif isinstance(error := self._load(name), PluginTrouble):
                found.append(error.problem)
        return found

    def explain_failure(self, name: str, error: Exception | SystemExit) -> PluginTrouble | None:
        """The error to raise if the part of that name raised an exception; None if the exception may go on: the part is
        ours, or the error is.
        """
        from undercroft.plugins.provider import build_failure, is_foreign_failure

        if not is_foreign_failure(error) or (provider := self.provider(name)) is None:
            return None
        return build_failure(self._describe(name), provider, error)

    def register(self, part: Any, module: str) -> None:
        """Add a part of the program, from the named module. The same part, or a new version of it from the same place,
        may be registered again.
        """
        from undercroft.plugins.provider import Provider

        try:
            name = self._name_of(part)
            provider = Provider(module)
            self._check_form(name)
            row = self._check(part, name, provider)
        except TypeError as error:
            raise BadInput(f"this {self.kind} cannot be registered: {error}", fix=_HOW_TO_EXTEND) from None
        before = self._registered.get(name)
        if before is not None and before.part is not part and before.provider != provider:
            self._refuse_name(name, before.provider, provider)
        if name in self.own:
            self._refuse_name(name, "Undercroft itself", provider)
        for entry in self._entries.get(name, ()):
            if entry.target.partition(":")[0] != module:  # else a package registers its part too
                self._refuse_name(name, entry.provider, provider)
        self._registered[name] = ForeignRow(row, provider, part)

    def unregister(self, part: Any) -> None:
        """Drop a part of the program."""
        name = next((name for name, foreign in self._registered.items() if foreign.part is part), None)
        if name is None:
            raise BadInput(f"this {self.kind} is not registered", fix="give the same object that was registered")
        del self._registered[name]

    def registered(self) -> dict[str, ForeignRow[Row]]:
        """The parts of the program."""
        return dict(self._registered)

    def forget_foreign(self) -> None:
        """Drop all that is not ours; installed packages are looked at again when they are needed."""
        from undercroft.plugins.entry_points import scan_packages

        self._registered.clear()
        self._loaded.clear()
        scan_packages.cache_clear()

    @property
    def _entries(self) -> Mapping[str, tuple[FoundEntry, ...]]:
        from undercroft.plugins.entry_points import scan_packages

        return scan_packages().entries[self.kind]

    def _find_foreign(self, name: str) -> ForeignRow[Row]:
        if name in self._registered:
            return self._registered[name]
        if name not in self._entries:
            raise KeyError(name)
        found = self._load(name)
        if isinstance(found, PluginTrouble):
            raise PluginTrouble(found.problem, fix=found.fix)  # a new one each time: who catches it adds the place
        return found

    def _load(self, name: str) -> ForeignRow[Row] | PluginTrouble:
        """The row of a package, or why there is none. Each is loaded once."""
        if name not in self._loaded:
            self._loaded[name] = self._load_entry(name, self._entries[name])
        return self._loaded[name]

    def _load_entry(self, name: str, entries: tuple[FoundEntry, ...]) -> ForeignRow[Row] | PluginTrouble:
        from undercroft.plugins.provider import describe_error

        first = entries[0]
        if len(entries) > 1:
            others = " and ".join(str(entry.provider) for entry in entries)
            return PluginTrouble(f"{self._describe(name)} is given by {others}", fix="uninstall all but one of them")
        what = f"{self._describe(name)} of {first.provider}"
        try:
            part = first.load()
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a package does when it is imported
            return PluginTrouble(
                f"{what} cannot be loaded: {describe_error(error)}",
                fix=f"reinstall the package {first.provider.package}, or uninstall it",
            )
        try:
            self._check_form(name)
            row = self._check(part, name, first.provider)
            if (own_name := self._name_of(part)) != name:
                raise TypeError(f"its entry point calls it {name!r}, and it is called {own_name!r}")
            return ForeignRow(row, first.provider, part)
        except Exception as error:  # noqa: BLE001 - what is wrong with it may show in any way
            reason = str(error) if isinstance(error, TypeError) else describe_error(error)
            return PluginTrouble(f"{what} cannot be used: {reason}", fix="tell its authors")

    def _check_form(self, name: str) -> None:
        import re

        if not re.fullmatch(self._form, name):
            raise TypeError(f"{name!r} has not the form of our names, such as {next(reversed([*self.own]))!r}")

    def _refuse_name(self, name: str, first: object, second: Provider) -> None:
        raise BadInput(
            f"{self._describe(name)} is given by {first} and by {second}", fix="give one of them another name"
        )

    def _describe(self, name: str) -> str:
        return f"the {self.kind} {name!r}"


_HOW_TO_EXTEND = "see the page 'Extending' of the documentation for what it needs"
