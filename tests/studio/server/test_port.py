"""The same project opens on the same port."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from undercroft.errors import BadInput
from undercroft.studio.protocol.home import HOME_NAME, make_home
from undercroft.studio.server.port import PORTS, OpenPort, open_project_port, open_sockets, read_port


@contextlib.contextmanager
def opened(project: Path) -> Iterator[OpenPort]:
    found = open_project_port(project)
    try:
        yield found
    finally:
        for one in found.sockets:
            one.close()


def test_it_is_chosen_once_and_remembered(tmp_path: Path) -> None:
    with opened(tmp_path) as first:
        assert first.number in PORTS
        assert first.taken is None
        assert read_port(tmp_path) == first.number
    with opened(tmp_path) as second:
        assert (second.number, second.taken) == (first.number, None)


def test_a_project_that_is_moved_takes_its_port_along(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    with opened(tmp_path / "here") as first:
        pass
    (tmp_path / "here").rename(tmp_path / "there")
    with opened(tmp_path / "there") as second:
        assert second.number == first.number


def test_two_projects_have_two_ports(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    with opened(tmp_path / "a") as one, opened(tmp_path / "b") as other:
        assert one.number != other.number
        assert one.taken is other.taken is None


def test_if_it_is_taken_another_is_used_for_this_run_only(tmp_path: Path) -> None:
    with opened(tmp_path) as first:
        with opened(tmp_path) as second:
            assert second.taken == first.number != second.number
        assert read_port(tmp_path) == first.number
    with opened(tmp_path) as third:
        assert (third.number, third.taken) == (first.number, None)


@pytest.mark.parametrize("text", ["", "x", "22", "80", "99999", "-5", "2" * 40, "20000.5", "٢٠٠٠٠", "21000\n22000"])
def test_what_is_no_port_of_ours_is_replaced(tmp_path: Path, text: str) -> None:
    (make_home(tmp_path) / "port").write_text(text)
    with opened(tmp_path) as found:
        assert found.number in PORTS
        assert read_port(tmp_path) == found.number


def test_a_link_in_its_place_is_not_followed(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (tmp_path / "precious").write_text("21000")
    (make_home(project) / "port").symlink_to(tmp_path / "precious")
    assert read_port(project) is None
    with opened(project) as found:
        assert found.taken is None
    assert (tmp_path / "precious").read_text() == "21000"


def test_where_it_cannot_be_remembered_it_is_the_same_all_the_same(tmp_path: Path) -> None:
    (tmp_path / HOME_NAME).write_text("a file in the place of the folder")
    with opened(tmp_path) as first:
        pass
    with opened(tmp_path) as second:
        assert second.number == first.number in PORTS


def test_a_port_that_is_asked_for_is_that_one_or_none() -> None:
    (first, *rest) = open_sockets(0)
    try:
        with pytest.raises(BadInput, match="cannot be had"):
            open_sockets(first.getsockname()[1])
        with pytest.raises(BadInput, match="a port is a number"):
            open_sockets(1 << 16)
    finally:
        for one in (first, *rest):
            one.close()
