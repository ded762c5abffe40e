"""A page on another port, in a real browser, tries all that a browser lets it try. Nothing of it succeeds."""

from __future__ import annotations

import http.server
import shutil
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from support.studio_pages import TOKEN, Server

api: Any = pytest.importorskip("playwright.sync_api", reason="playwright is not there: pip install playwright")
PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "chromium-headless-shell")
CHROMIUM = next(filter(None, map(shutil.which, PROGRAMS)), None)
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here: apt-get install chromium"),
    pytest.mark.long,
    pytest.mark.processes,
]

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

TRIES = """
async ([port, token]) => {
  const evil = JSON.stringify({ path: "evil.toml", text: "evil", seen: "" })
  const found = {}
  const bases = [`http://127.0.0.1:${port}`, `http://localhost:${port}`, `http://[::1]:${port}`]
  const tried = async (name, work) => { try { found[name] = await work() } catch (error) { found[name] = "refused" } }
  for (const base of bases) {
    await tried(`read ${base}`, async () =>
      (await fetch(`${base}/api/hello`, { headers: { "X-Undercroft-Token": token } })).text())
    await tried(`read without a token ${base}`, async () => (await fetch(`${base}/api/hello`)).text())
    await tried(`read the page ${base}`, async () => (await fetch(`${base}/`)).text())
    const headers = { "Content-Type": "application/json", "X-Undercroft-Token": token }
    await tried(`write ${base}`, async () =>
      (await fetch(`${base}/api/files/save`, { method: "POST", headers, body: evil })).text())
    await tried(`blind write ${base}`, async () => {
      await fetch(`${base}/api/files/save`, { method: "POST", mode: "no-cors", body: evil })
      return "sent"
    })
    await tried(`beacon ${base}`, async () => {
      navigator.sendBeacon(`${base}/api/files/save`, new Blob([evil], { type: "text/plain" }))
      return "sent"
    })
    await tried(`socket ${base}`, () => new Promise((done) => {
      const socket = new WebSocket(`${base.replace("http", "ws")}/api/live`)
      socket.onopen = () => {
        socket.send(JSON.stringify({ token }))
        socket.send(JSON.stringify({ id: 1, lane: "x", do: "recipe", text: "", file: "x.toml" }))
      }
      socket.onmessage = (event) => done(`heard ${event.data}`)
      socket.onerror = socket.onclose = () => done("refused")
    }))
    await tried(`script ${base}`, () => new Promise((done) => {
      const script = document.createElement("script")
      script.src = `${base}/page.js`; script.type = "module"
      script.onload = () => done("loaded"); script.onerror = () => done("refused")
      document.head.append(script)
    }))
    await tried(`picture ${base}`, () => new Promise((done) => {
      const image = new Image()
      image.onload = () => done("loaded"); image.onerror = () => done("refused")
      image.src = `${base}/api/hello`
    }))
    await tried(`frame ${base}`, () => new Promise((done) => {
      const frame = document.createElement("iframe")
      frame.onload = () => {
        try { done(frame.contentDocument ? frame.contentDocument.title || "empty" : "refused") }
        catch { done("refused") }
      }
      frame.src = `${base}/`
      document.body.append(frame)
      setTimeout(() => done("refused"), 3000)
    }))
    await tried(`form ${base}`, () => new Promise((done) => {
      const frame = document.createElement("iframe"); frame.name = `form${Math.random()}`; document.body.append(frame)
      const form = document.createElement("form")
      form.method = "POST"; form.enctype = "text/plain"
      form.action = `${base}/api/files/save`; form.target = frame.name
      const field = document.createElement("input")
      field.name = '{"path": "evil.toml", "seen": "", "text": "'; field.value = '"}'
      form.append(field)
      document.body.append(form)
      frame.onload = () => done("sent")
      form.submit()
      setTimeout(() => done("sent"), 1500)
    }))
  }
  return found
}
"""


class Evil(http.server.BaseHTTPRequestHandler):
    """A web server of somebody else."""

    def do_GET(self) -> None:
        body = b"<!doctype html><title>evil</title><body></body>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@pytest.fixture(scope="module")
def evil() -> Iterator[int]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Evil)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_address[1]
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=[*FLAGS, "--host-resolver-rules=MAP rebound.example 127.0.0.1"]
        )
        yield browser
        browser.close()


def test_another_page_gets_nothing_even_if_it_knows_the_token(server: Server, evil: int, browser: Any) -> None:
    before = sorted(server.project.rglob("*"))
    for site in (f"http://127.0.0.1:{evil}/", f"http://localhost:{evil}/"):
        page = browser.new_page()
        page.goto(site)
        found = page.evaluate(TRIES, [server.port, TOKEN])
        page.close()
        assert len(found) == 33
        succeeded = {name: value for name, value in found.items() if value not in ("refused", "sent")}
        assert succeeded == {}
    assert sorted(server.project.rglob("*")) == before


def test_a_link_of_another_page_does_not_open_ours(server: Server, evil: int, browser: Any) -> None:
    """It could carry a wrong token or a level, which our other windows would take over."""
    page = browser.new_page()
    page.goto(f"http://localhost:{evil}/")
    with page.expect_navigation():
        page.evaluate(f"location = 'http://127.0.0.1:{server.port}/#token=guess'")
    assert "another site asks" in page.inner_text("body")
    page.close()


def test_a_name_that_is_rebound_to_this_machine_gets_nothing(server: Server, browser: Any) -> None:
    page = browser.new_page()
    answer = page.goto(f"http://rebound.example:{server.port}/")
    assert answer.status == 421
    assert "this is not the studio of" in page.inner_text("body")
    assert page.evaluate("async () => (await fetch('/api/hello')).status") == 421
    page.close()


def test_our_own_page_in_the_same_browser_gets_its_answers(server: Server, browser: Any) -> None:
    """Else the tests above would prove nothing."""
    page = browser.new_page()
    for name in ("127.0.0.1", "localhost", "[::1]"):
        assert page.goto(f"http://{name}:{server.port}/").status == 200
        status = page.evaluate(
            "async (token) => (await fetch('/api/hello', { headers: { 'X-Undercroft-Token': token } })).status", TOKEN
        )
        heard = page.evaluate(
            """(token) => new Promise((done) => {
              const socket = new WebSocket(`ws://${location.host}/api/live`)
              socket.onopen = () => {
                socket.send(JSON.stringify({ token }))
                socket.send(JSON.stringify({ id: 1, lane: "x", do: "recipe", text: "", file: "x.toml" }))
              }
              socket.onmessage = (event) => done(JSON.parse(event.data).kind)
              socket.onclose = () => done("refused")
            })""",
            TOKEN,
        )
        assert (status, heard) == (200, "done"), name
    page.close()
