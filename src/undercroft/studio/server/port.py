"""The port of a project: chosen once and remembered, so that its page has the same address at every start."""

from __future__ import annotations

import contextlib
import hashlib
import os
import socket
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from undercroft import limits
from undercroft.errors import BadInput, UndercroftError
from undercroft.inputs import files
from undercroft.studio.protocol.home import find_home, make_home

HOSTS = ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1"))
"""The addresses to listen on: this machine only."""
PORTS = range(20_000, 32_000)
"""The ports of projects. Systems take the ports of outgoing connections from above 32,768."""
MAX_TRIES = 100
PORT_NAME = "port"


class OpenPort(NamedTuple):
    """A port with its open sockets. `taken` is the remembered port if another program has it."""

    number: int
    sockets: list[socket.socket]
    taken: int | None = None


def open_port(port: int, taken: int | None = None) -> OpenPort:
    """Open a port: any free one if it is 0."""
    sockets = open_sockets(port)
    return OpenPort(sockets[0].getsockname()[1], sockets, taken)


def open_project_port(project: Path) -> OpenPort:
    """Open the port of a project. If it is taken, any free one is opened for this run; the next start tries again."""
    remembered = read_port(project)
    if remembered is not None:
        try:
            return open_port(remembered)
        except BadInput:
            return open_port(0, taken=remembered)
    for port in islice(_candidates(project), MAX_TRIES):
        with contextlib.suppress(BadInput):
            found = open_port(port)
            with contextlib.suppress(UndercroftError):  # a read-only folder has the same candidates at the next start
                _write_port(make_home(project) / PORT_NAME, port)
            return found
    return open_port(0)


def read_port(project: Path) -> int | None:
    """The remembered port; None if there is none, or something else in its place."""
    home = find_home(project)
    if home is None or (home / PORT_NAME).is_symlink():
        return None
    try:
        text = files.read_bytes(home / PORT_NAME, limits.STUDIO_STATE_BYTES).decode("ascii").strip()
    except (UndercroftError, UnicodeDecodeError):
        return None
    return int(text) if text.isdecimal() and int(text) in PORTS else None


def _write_port(path: Path, port: int) -> None:
    if not path.is_symlink():  # it would be followed, perhaps to a file of the user
        files.write_file(path, f"{port}\n".encode())


def _candidates(project: Path) -> Iterator[int]:
    """Ports to try, the same ones for the same folder."""
    first = int.from_bytes(hashlib.blake2b(os.fsencode(project.resolve()), digest_size=8).digest(), "big")
    return (PORTS[(first + step) % len(PORTS)] for step in range(len(PORTS)))


def open_sockets(port: int) -> list[socket.socket]:
    """Sockets on the addresses of this machine, all with the same port: any free one if it is 0."""
    if not 0 <= port < 1 << 16:
        raise BadInput(f"a port is a number from 1 to 65535, not {port}", fix="leave --port out for the project's own")
    sockets: list[socket.socket] = []
    for family, host in HOSTS:
        one = socket.socket(family, socket.SOCK_STREAM)
        try:
            if os.name != "nt":
                one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            one.bind((host, port))
            one.listen(128)
        except OSError as error:
            one.close()
            if family == socket.AF_INET6:  # not every machine has IPv6
                continue
            raise BadInput(
                f"port {port} cannot be had: {(error.strerror or str(error)).lower()}",
                fix="leave --port out for the project's own",
            ) from error
        sockets.append(one)
        port = one.getsockname()[1]
    return sockets
