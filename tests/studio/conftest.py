"""One studio for many tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.studio_pages import Page, Server


def pytest_itemcollected(item: pytest.Item) -> None:
    """Whoever speaks to the running studio waits for a process."""
    if {"server", "page"} & set(getattr(item, "fixturenames", ())):
        item.add_marker(pytest.mark.processes)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("project")) as server:
        yield server


@pytest.fixture
def page(server: Server) -> Iterator[Page]:
    with server.page() as page:
        yield page
