"""Bounded read, safe join, atomic write: the only module that opens files that users name."""

from __future__ import annotations

import codecs
import errno
import os
import re
import stat
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from itertools import islice
from pathlib import Path, PurePath

from undercroft.errors import BadInput, FileTrouble
from undercroft.inputs.arguments import require_path
from undercroft.limits import FOLDER_DEPTH, FOLDER_ENTRIES, Limit

SHIPPED_FOLDER = Path(__file__).parents[1] / "shipped"
"""The files that come with the program: recipes, and the layouts, room types, things, words and grammars that they
name.
"""
SHIPPED_PREFIX = "undercroft:"
"""Begins the name of a shipped file, so that a recipe can name it from anywhere."""
ABANDONED_SECONDS = 3600
"""The age from which a temporary file counts as left behind by a run that was killed."""
_TEMPORARY_NAME = re.compile(r"\..{1,40}\.[0-9a-f]{16}\.part", re.DOTALL)
"""The names that `_temporary_path` gives."""
_ADDRESS = r"[A-Za-z][A-Za-z0-9+.-]+:[/\\]"
"""The beginning of an address, such as s3://; a `Path` has one of the two slashes. A single letter is a drive."""
_swept_folders: set[Path] = set()
"""The folders in which this process has looked for abandoned files."""


def as_path(path: str | os.PathLike[str], name: str = "path") -> Path:
    """What a caller gave as the name of a file or a folder, as a path. Raises if it is no name."""
    require_path(name, path)
    try:
        return Path(path)
    except TypeError:  # of bytes
        raise BadInput(f"{name} is the name of a file in bytes", fix="give a text or a pathlib.Path") from None


def read_bytes(path: str | Path, limit: Limit) -> bytes:
    """All bytes of a regular file; raises an error with the reason if it cannot be read."""
    path = as_path(path)
    try:
        with os.fdopen(
            os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)), "rb"
        ) as file:  # do not block on a pipe
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise FileTrouble(f"cannot read {path}: it is not a regular file", fix="name a file")
            limit.check(status.st_size, f"{path}: its size in bytes")
            data = file.read(status.st_size + 1)
            if len(data) > status.st_size:  # it has no size, or grows
                data += file.read(limit.value + 1 - len(data))
    except (OSError, ValueError) as error:
        if isinstance(error, FileNotFoundError) and ":" in str(path) and re.match(_ADDRESS, str(path)):
            raise _address_error("read", path) from error
        raise FileTrouble(f"cannot read {path}: {describe_os_error(error)}", fix=_reading_fix(error)) from error
    limit.check(len(data), f"{path}: its size in bytes")
    return data


def read_start(path: str | Path, count: int) -> bytes:
    """The first bytes of a regular file, at most so many; none if it cannot be read."""
    try:
        with Path(path).open("rb") as file:
            return file.read(count) if stat.S_ISREG(os.fstat(file.fileno()).st_mode) else b""
    except (OSError, ValueError):
        return b""


def read_text(path: str | Path, limit: Limit) -> str:
    """The file as UTF-8 text."""
    data = read_bytes(path, limit)
    try:
        return data.removeprefix(codecs.BOM_UTF8).decode()
    except UnicodeDecodeError as error:
        raise FileTrouble(f"{path}: byte {error.start} is not UTF-8 text", fix="save the file as UTF-8") from error


def safe_join(folder: str | Path, name: str) -> Path:
    """The path of a file that a text names, in a folder or below it. Refuses names that lead out of the folder, also
    through a link.

    >>> safe_join("crypt", "rules/../walls.rules").as_posix()
    'crypt/walls.rules'
    """
    parts: list[str] = []
    for step in PurePath(name).parts:
        if step == ".." and parts:
            parts.pop()
        elif step == ".." or PurePath(step).anchor or "\0" in step:
            raise FileTrouble(
                f"{name[:60]!r} lies outside the folder",
                fix="put the file beside the one that names it, or in a folder there",
            )
        else:
            parts.append(step)
    if not parts:
        raise FileTrouble(f"{name[:60]!r} names no file", fix="name a file in the folder")
    path = Path(folder, *parts)
    try:
        inside = path.resolve().is_relative_to(Path(folder).resolve())
    except (OSError, RuntimeError, ValueError):  # links in a circle, or a name that the system does not accept
        inside = False
    if not inside:
        raise FileTrouble(
            f"{name[:60]!r} lies outside the folder: a link leads there",
            fix="put the file itself beside the one that names it",
        )
    return path


def resolve_named(folder: Path | None, name: str) -> Path:
    """The path of a file that a recipe names: in the recipe's folder or below it, or one of ours, whose name begins
    with `undercroft:`. Raises if the recipe has no folder.

    >>> resolve_named(Path("crypt"), "walls.rules").as_posix()
    'crypt/walls.rules'
    >>> resolve_named(None, "undercroft:prefabs/diablo2.txt").relative_to(SHIPPED_FOLDER).as_posix()
    'prefabs/diablo2.txt'
    """
    if name.startswith(SHIPPED_PREFIX):
        return safe_join(SHIPPED_FOLDER, name.removeprefix(SHIPPED_PREFIX))
    if folder is None:
        raise BadInput(
            f"{name[:60]!r} cannot be read: this recipe is no file",
            fix="save the recipe beside it, or write out what it holds",
        )
    return safe_join(folder, name)


def list_files(folder: str | Path, suffix: str, *, deep: bool = False) -> list[str]:
    """The files of a folder with this suffix, in small or capital letters, sorted by name; if `deep`, those of the
    folders in it too. Links to folders are not followed.
    """
    found: list[str] = []
    waiting = [(Path(folder), "", 0)]
    while waiting:
        here, above, depth = waiting.pop()
        try:
            entries = list(islice(here.iterdir(), FOLDER_ENTRIES.value + 1))
        except (OSError, ValueError) as error:
            raise FileTrouble(f"cannot read {here}: {describe_os_error(error)}", fix="name a folder") from error
        FOLDER_ENTRIES.check(len(entries), f"{here}: its number of entries")
        for entry in entries:
            if not entry.is_dir():
                found += [above + entry.name] if entry.suffix.casefold() == suffix else []
            elif deep and not entry.is_symlink():
                FOLDER_DEPTH.check(depth + 1, f"{entry}: its depth")
                waiting.append((entry, f"{above}{entry.name}/", depth + 1))
    return sorted(found)


def refuse_address(path: str | Path) -> None:
    """Refuse to write to an address on the network: it would become a folder of that name here.

    >>> refuse_address("s3://bucket/caves")
    Traceback (most recent call last):
    undercroft.errors.FileTrouble: cannot write s3://bucket/caves: it is an address, no file of this machine
      fix: write to a folder here, and copy it there with the tools of that storage
    """
    if ":" in str(path) and re.match(_ADDRESS, str(path)):
        raise _address_error("write", path)


def refuse_to_read_address(name: str) -> None:
    """Refuse an address on the network where the name of a file or of something of ours belongs.

    >>> refuse_to_read_address("s3://bucket/caves")
    Traceback (most recent call last):
    undercroft.errors.FileTrouble: cannot read s3://bucket/caves: it is an address, no file of this machine
      fix: copy it to a folder here first
    """
    if ":" in name and re.match(_ADDRESS, name):
        raise _address_error("read", name)


def _address_error(verb: str, path: str | Path) -> FileTrouble:
    scheme, _, rest = str(path).partition(":")
    fix = (
        "write to a folder here, and copy it there with the tools of that storage"
        if verb == "write"
        else "copy it to a folder here first"
    )
    inside = rest.lstrip("/\\")
    return FileTrouble(f"cannot {verb} {scheme}://{inside}: it is an address, no file of this machine", fix=fix)


def check_target(path: str | Path) -> None:
    """Refuse a file that could not be written, before its contents are computed for hours."""
    refuse_address(path)
    path = Path(path)
    if not path.absolute().parent.is_dir():
        raise _missing_folder_error(path)
    with _writing_to(path):
        _refuse_folder(path)
        if not path.exists() or path.is_file():
            beside = _temporary_path(path.resolve())
            beside.open("wb").close()
            beside.unlink()


def write_file(path: str | Path, data: bytes | Iterable[bytes]) -> None:
    """Write `data`, or its pieces as they come, to the file, whole or not at all: to a temporary file beside it, which
    is synced and renamed.
    """
    write_files([(path, data)])


def write_files(contents: Iterable[tuple[str | Path, bytes | Iterable[bytes]]]) -> None:
    """Write several files, all of them or none, each whole.

    Every file is first written to a temporary file beside it and synced; a full disk, a missing folder or a missing
    permission shows then, and no file has changed. Devices and pipes, which take nothing back, follow. The renames come
    last. If one fails all the same, those before it are undone: a new file is removed, and a replaced one gets its old
    contents back (where the file system has hard links, which keep them meanwhile). Only a process that is killed
    between two renames leaves some files new and others old, each of them whole.
    """
    with ExitStack() as stack:
        staged: list[_StagedFile] = []
        devices: list[tuple[Path, Iterable[bytes]]] = []
        for name, data in contents:
            path, pieces = as_path(name), _as_pieces(data)
            refuse_address(name)
            with _writing_to(path):
                _refuse_folder(path)
                if path.exists() and not path.is_file():
                    devices.append((path, pieces))  # it cannot be renamed over
                    continue
                staged.append(_StagedFile(path))
                stack.callback(staged[-1].clean_up)
                staged[-1].write(pieces)
        for path, pieces in devices:
            with _writing_to(path), path.open("wb") as file:
                file.writelines(pieces)
        _rename_staged(staged)


def fold_name(name: str) -> str:
    """The name as systems compare it that ignore the case of letters, or how accents are composed.

    >>> fold_name("GRU\u0308FTE.toml") == fold_name("gr\u00fcfte.TOML")
    True
    """
    return unicodedata.normalize("NFC", name).casefold()


def is_same_name(one: str | Path, other: str | Path) -> bool:
    """Whether two paths lie in one folder and differ in nothing that every system keeps apart."""
    one, other = Path(one), Path(other)
    return one.parent == other.parent and fold_name(one.name) == fold_name(other.name)


def move_file(old: str | Path, new: str | Path) -> None:
    """Give a regular file another name, perhaps in another folder, which is made if it is missing. Never replaces a
    file: the new name must be free, or be the old one in other letters.
    """
    old, new = as_path(old, "old"), as_path(new, "new")
    try:
        status = old.lstat()
    except (OSError, ValueError) as error:
        raise FileTrouble(f"cannot move {old}: {describe_os_error(error)}", fix=_reading_fix(error)) from error
    if not stat.S_ISREG(status.st_mode):
        raise FileTrouble(f"cannot move {old}: it is not a regular file", fix="name a file")
    try:
        new.parent.mkdir(parents=True, exist_ok=True)
        if is_same_name(old, new) and new.exists() and old.samefile(new):
            old.rename(new)  # on a system that ignores the case, the name is no other
            return
        try:
            os.link(old, new, follow_symlinks=False)  # unlike a rename, it fails if there is a file
        except FileExistsError:
            raise
        except (OSError, NotImplementedError) as error:  # a file system without hard links
            if os.path.lexists(new):
                raise FileExistsError(errno.EEXIST, "file exists") from error
            old.rename(new)
        else:
            old.unlink()
    except (OSError, ValueError) as error:
        taken = isinstance(error, FileExistsError)
        raise FileTrouble(
            f"cannot move to {new}: {'it is there already' if taken else describe_os_error(error)}",
            fix="give another name" if taken else "move it to another place; the file is where it was",
        ) from error
    for folder in dict.fromkeys((new.parent, old.parent)):
        with suppress(OSError):
            _sync_folder(folder)


def write_folder(folder: str | Path, contents: Mapping[str, bytes]) -> None:
    """Make a folder of these files, all of them or none, as `write_files` does; folders that were made for nothing are
    removed. Refuses a folder that is not empty: older files would look like a part of it.
    """
    refuse_address(folder)
    folder = Path(folder)
    with ExitStack() as made_folders:
        try:
            for missing in reversed([path for path in (folder, *folder.parents) if not path.exists()]):
                missing.mkdir(exist_ok=True)
                made_folders.callback(_remove_empty_folder, missing)
            if next(folder.iterdir(), None) is not None:
                raise FileTrouble(f"cannot write to {folder}: it holds files already", fix="name a new folder")
        except (OSError, ValueError) as error:
            raise FileTrouble(
                f"cannot make the folder {folder}: {describe_os_error(error)}", fix="name another place"
            ) from error
        write_files((folder / name, data) for name, data in contents.items())
        made_folders.pop_all()


def _remove_empty_folder(folder: Path) -> None:
    with suppress(OSError):  # somebody else has put something into it
        folder.rmdir()


def _as_pieces(data: bytes | Iterable[bytes]) -> Iterable[bytes]:
    return (data,) if isinstance(data, bytes) else data


@contextmanager
def _writing_to(path: Path) -> Iterator[None]:
    """Report an error of the system as one about this file."""
    try:
        yield
    except OSError as error:
        if isinstance(error, (FileNotFoundError, NotADirectoryError)) and not path.absolute().parent.is_dir():
            raise _missing_folder_error(path) from error
        raise FileTrouble(
            f"cannot write {path}: {describe_os_error(error)}",
            fix="write to another place; what was there before is untouched",
        ) from error


def _missing_folder_error(path: Path) -> FileTrouble:
    return FileTrouble(f"cannot write {path}: no such folder", fix=f"make the folder {path.parent} first")


def _refuse_folder(path: Path) -> None:
    """Refuse a folder, and a name that no file can have."""
    with _writing_to(path):
        try:
            status = path.stat()
        except (FileNotFoundError, NotADirectoryError):
            return
        except ValueError as error:
            raise FileTrouble(f"cannot write {path}: {describe_os_error(error)}", fix="name another file") from error
    if stat.S_ISDIR(status.st_mode):
        raise FileTrouble(f"cannot write {path}: it is a folder", fix="name a file in it")


def _temporary_path(target: Path) -> Path:
    """The temporary path to which a file is written before it is renamed. It is unique: among threads, and among the
    processes of all machines that share the folder.
    """
    return target.with_name(f".{target.name[:40]}.{os.urandom(8).hex()}.part")


class _StagedFile:
    """The new contents of a file, in a temporary file beside it until it is renamed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._target = path.resolve()
        self._temporary = _temporary_path(self._target)
        self._old = _temporary_path(self._target)
        """A second name of the old file, as long as the rename may have to be undone."""
        self._mode = self._target.stat().st_mode & 0o777 if self._target.exists() else None
        self._failed = False

    @property
    def folder(self) -> Path:
        """Where the file lies, behind all links."""
        return self._target.parent

    def write(self, pieces: Iterable[bytes]) -> None:
        """Write and sync the temporary file, and remove old ones that nobody writes any more."""
        with self._temporary.open("wb") as file:
            file.writelines(pieces)
            file.flush()
            os.fsync(file.fileno())
            written = os.fstat(file.fileno()).st_mtime
        if self._mode is not None:
            self._temporary.chmod(self._mode)
        _sweep_folder(self.folder, written)

    def keep_old(self) -> None:
        """Keep the old contents for `undo`, if the file system can."""
        with suppress(OSError, NotImplementedError):
            os.link(self._target, self._old)

    def rename(self) -> None:
        """Put the new contents in place of the old."""
        with _writing_to(self.path):
            try:
                self._temporary.replace(self._target)
            except OSError:
                self._failed = True
                raise

    def undo(self) -> None:
        """Take a rename back."""
        with suppress(OSError):
            if self._failed or self._temporary.exists():  # it was not renamed
                return
            if self._old.exists():
                self._old.replace(self._target)
            elif self._mode is None:
                self._target.unlink()

    def clean_up(self) -> None:
        """Remove what is left of temporary files."""
        for path in (self._temporary, self._old):
            with suppress(OSError):
                path.unlink()


def _rename_staged(staged: list[_StagedFile]) -> None:
    """Rename all files, or none."""
    for one in staged:
        _refuse_folder(one.path)
    if len(staged) > 1:  # a single rename needs no undoing
        for one in staged:
            one.keep_old()
    with ExitStack() as undo:
        for one in staged:
            undo.callback(one.undo)
            one.rename()
        undo.pop_all()
    for folder in dict.fromkeys(one.folder for one in staged):
        with suppress(OSError):  # the files are in their places; some systems cannot sync a folder
            _sync_folder(folder)


def _sweep_folder(folder: Path, now: float) -> None:
    """Remove temporary files that killed runs have left in a folder; each process looks once.

    Another process, perhaps on another machine, may be writing such a file. A file that is being written changes all
    the time, so only one that has not changed for an hour is removed, and if its writer was only suspended, its rename
    fails and nothing else is lost. `now` is the time of a file that was just written in the same folder: so two times
    of one file system are compared, never the clocks of two machines. Links, folders and other names stay, and so
    does whatever cannot be removed.
    """
    if folder in _swept_folders:
        return
    _swept_folders.add(folder)
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in islice(entries, FOLDER_ENTRIES.value):  # in a larger folder a sweep would be slow
            if _TEMPORARY_NAME.fullmatch(entry.name):
                with suppress(OSError):
                    status = entry.stat(follow_symlinks=False)
                    # the second name of an old file has an old time of writing, but was linked just now
                    changed = max(status.st_mtime, status.st_ctime)
                    if stat.S_ISREG(status.st_mode) and changed < now - ABANDONED_SECONDS:
                        Path(entry.path).unlink()


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":  # Windows cannot open a folder
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def describe_os_error(error: OSError | ValueError) -> str:
    """Why the system refuses a file, in a few words. A `ValueError` is about its name.

    >>> describe_os_error(PermissionError(13, "Permission denied")), describe_os_error(ValueError("embedded null byte"))
    ('permission denied', 'no file can have that name')
    """
    return (error.strerror or str(error)).lower() if isinstance(error, OSError) else "no file can have that name"


def _reading_fix(error: OSError | ValueError) -> str:
    return "check the name" if isinstance(error, (FileNotFoundError, ValueError)) else "check who may read it"


def is_file(path: str | Path) -> bool:
    """Whether there is a file of that name; False for a name that the system does not accept."""
    try:
        return Path(path).is_file()
    except (OSError, ValueError):  # a name that no file can have
        return False


def is_folder(path: str | Path) -> bool:
    """Whether there is a folder of that name; False for a name that the system does not accept."""
    try:
        return Path(path).is_dir()
    except (OSError, ValueError):
        return False
