"""Pages of others in the same browser get nothing and change nothing; names that look like markup are text; the page
keeps its own policy.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from studio_browser.neighbours import BLIND, Neighbour, attempts
from undercroft.rewrite.text.names import quoted

SAVED = "saved.toml"


def snapshot(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_attempts_would_be_noticed(new_page: Callable[..., Any]) -> None:
    """The same attempts at a server that lets everybody in get through: without this, the next test could not fail."""
    with Neighbour() as open_house, Neighbour() as neighbour:
        page = new_page(noisy=True)
        page.goto(f"http://127.0.0.1:{neighbour.port}/")
        found = attempts(page, f"http://127.0.0.1:{open_house.port}", "x", script="x.js", style="x.css", image="x.svg")
        refused = {name for name, got in found.items() if got == "no"}
        # It speaks no WebSocket, sends no events, and is another origin still: what is in a frame or a window of
        # another origin cannot be read.
        assert refused == {
            "socket",
            "socket elsewhere",
            "events",
            "frame",
            "frame of an answer",
            "window",
            "read hello with credentials",
        }
        assert len(open_house.heard) >= 9, "what was sent blindly has come"


@pytest.mark.parametrize(
    ("come", "name"),
    [("127.0.0.1", "127.0.0.1"), ("127.0.0.1", "[::1]"), ("127.0.0.1", "localhost"), ("evil.test", "127.0.0.1")],
    ids=["another port", "another port, by another address", "another name of this machine", "another site"],
)
def test_a_page_of_somebody_else_gets_nothing_and_changes_nothing(
    new_page: Callable[..., Any], studio: Any, come: str, name: str
) -> None:
    (studio.project / SAVED).write_text('size = [9, 9]\n\n[[step]]\nuse = "fill"\n')
    before = snapshot(studio.project)
    with Neighbour() as neighbour:
        page = new_page(noisy=True)
        page.goto(f"http://{come}:{neighbour.port}/")
        # Even a neighbour that knows the token gets nothing.
        found = attempts(
            page, f"http://{name}:{studio.port}", studio.token, script="page.js", style="style.css", image="favicon.svg"
        )
    assert {way: got for way, got in found.items() if got != "no" and way not in BLIND} == {}
    assert snapshot(studio.project) == before
    assert studio.hello()["version"], "the studio goes on"


def test_the_page_itself_gets_all_that(page: Any, studio: Any) -> None:
    """The other side of the coin: what the neighbours try is what our own page does."""
    page.goto(studio.address)
    page.locator(".connected.open").wait_for()
    found = page.evaluate(
        """async ({ token }) => {
          const key = { "X-Undercroft-Token": token }
          const hello = await fetch("/api/hello", { headers: key }).then((answer) => answer.status)
          const body = JSON.stringify({ path: "ours.toml", text: "size = [9, 9]", seen: "" })
          const headers = { ...key, "Content-Type": "application/json" }
          const saved = await fetch("/api/files/save", { method: "POST", headers, body })
            .then((answer) => answer.status)
          const heard = await new Promise((done) => {
            const line = new WebSocket(location.origin.replace("http", "ws") + "/api/live")
            line.onopen = () => {
              line.send(JSON.stringify({ token }))
              line.send(JSON.stringify({ id: 1, lane: "x", do: "layouts" }))
            }
            line.onmessage = (message) => {
              const head = JSON.parse(message.data)
              if (head.id === 1) done(head.kind) // the file that was saved is told of too, before or after
            }
            line.onclose = () => done("closed")
          })
          return [hello, saved, heard]
        }""",
        {"token": studio.token},
    )
    assert found == [200, 200, "done"]
    assert (studio.project / "ours.toml").read_text() == "size = [9, 9]"


def test_a_name_that_was_bound_anew_is_refused(new_page: Callable[..., Any], studio: Any) -> None:
    """The name of another site now means this machine: to the browser its page and we are the same origin, and the Host
    alone tells.
    """
    page = new_page(noisy=True)
    answer = page.goto(f"http://rebound.test:{studio.port}/")
    assert answer.status == 421
    found = page.evaluate(
        """async ({ token }) => {
          const headers = { "X-Undercroft-Token": token, "Content-Type": "application/json" }
          const status = (path, how) => fetch(path, { ...how, headers }).then((answer) => answer.status, () => 0)
          const socket = await new Promise((done) => {
            const line = new WebSocket(location.origin.replace("http", "ws") + "/api/live")
            line.onmessage = line.onopen = () => done("opened")
            line.onclose = () => done("closed")
          })
          const saved = await status("/api/files/save", { method: "POST", body: "{}" })
          return [await status("/"), await status("/api/hello"), await status("/page.js"), saved, socket]
        }""",
        {"token": studio.token},
    )
    assert found == [421, 421, 421, 421, "closed"]


def test_the_token_is_in_no_address_and_no_lasting_memory(page: Any, studio: Any) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url + json.dumps(request.headers.get("referer", ""))))
    page.goto(studio.address + "&recipe=cave&seed=3")
    page.locator(".stage-title").wait_for()
    assert asked
    assert not [url for url in asked if studio.token in url.split("#")[0]]
    assert studio.token not in page.url
    assert studio.token not in page.evaluate(
        "JSON.stringify(localStorage) + document.cookie + document.documentElement.outerHTML"
    )
    assert page.evaluate("history.length") == 2, "no address with the token is in the history"


# --- names are text

NAMES = (
    "<script>boom()</script>",
    "<img src=x onerror=boom()>",
    '"><svg onload=boom()>',
    "'><svg onload='boom()'>",
    "<svg><animate onbegin=boom() attributeName=x>",
    "<iframe srcdoc='<script>parent.boom()</script>'>",
    "<a href=javascript:boom()>press me</a>",
    "<style>*{display:none}</style>",
    "<b>bold</b>",
    "&lt;script&gt;boom()&lt;/script&gt;",
    "&#60;img src=x onerror=boom()&#62;",
    "</textarea><script>boom()</script>",
    "</title><script>boom()</script>",
    "<!--",
    "{{constructor.constructor('boom()')()}}",
    "${boom()}",
    "javascript:boom()",
    "<details open ontoggle=boom()>",
    "<input autofocus onfocus=boom()>",
    "<x style=animation-name:x onanimationstart=boom()>",
    "\u202e<img src=x onerror=boom()>",
)
WATCH = """
  globalThis.boomed = 0
  globalThis.boom = () => { globalThis.boomed++ }
  globalThis.violations = []
  document.addEventListener("securitypolicyviolation", (event) =>
    globalThis.violations.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sample}`))
"""
MARKED = r"""() => {
  const leads = (attribute) => ["href", "src", "action", "formaction"].includes(attribute.name)
    && /^\s*javascript:/i.test(attribute.value)
  const acts = (one) => [...one.attributes].some((attribute) => /^on/.test(attribute.name) || leads(attribute))
  const odd = (one) => ["IFRAME", "ANIMATE", "DETAILS", "X"].includes(one.tagName)
    || (one.tagName === "SCRIPT" && !one.src)
  return [...document.querySelectorAll("*")].filter((one) => acts(one) || odd(one))
    .map((one) => one.outerHTML.slice(0, 100))
}"""
"""Elements that only markup in a name could have made."""


def as_file(name: str) -> str:
    """A name that a file can have."""
    return name.replace("/", "∕")


@pytest.fixture
def watched(page: Any) -> Any:
    """A page that notices when something in it is executed, or offends the policy."""
    page.add_init_script(WATCH)
    return page


def calm(page: Any) -> None:
    assert page.evaluate("boomed") == 0
    assert page.evaluate(MARKED) == []
    assert page.evaluate("violations") == []


def test_names_of_files_are_text(watched: Any, start: Any, tmp_path: Path) -> None:
    names = sorted(map(as_file, NAMES))
    for name in names:
        said = json.dumps(name, ensure_ascii=False)
        (tmp_path / f"{name}.toml").write_text(
            f'about = {said}\ntags = [{said}]\nsize = [9, 9]\n\n[[step]]\nuse = "fill"\n'
        )
    with start(tmp_path) as studio:
        watched.goto(f"{studio.address}&recipe=cave&seed=1&size=30x20&style=plain")
        watched.locator(".stage-title").wait_for()
        watched.get_by_role("button", name=re.compile("^Mine")).click()
        cards = watched.locator(".gallery .card-name")
        assert sorted(cards.all_text_contents()) == names
        for name in names[:6]:
            cards.get_by_text(name, exact=True).click()
            watched.locator(".panel-head", has_text=f"{name}.toml").wait_for()
            # The text of the file; or, since no system that others use takes such a name, the sentence that says so.
            assert name in watched.evaluate("document.querySelector('.cm-content').textContent").replace('\\"', '"')
            calm(watched)
        watched.get_by_role("button", name="Open a recipe of the project").click()
        all_shown(watched, ".open-list .mono", names)
        watched.keyboard.press("Escape")
        watched.keyboard.press("Control+p")
        watched.keyboard.type("open")
        all_shown(watched, ".palette [role=option]", names)
        watched.goto("about:blank")  # before the server goes


def all_shown(page: Any, listed: str, names: list[str]) -> None:
    page.locator(listed).first.wait_for()
    shown = "\n".join(page.locator(listed).all_text_contents())
    assert [name for name in names if name not in shown] == []
    calm(page)


def test_names_of_rules_are_text(watched: Any, studio: Any) -> None:
    rules = "\n".join(f"one  {quoted(name)}, up to 2 times\n    ## -> #." for name in NAMES)
    text = (
        'size = [12, 8]\n\n[[step]]\nuse = "fill"\n\n[[step]]\nuse = "rewrite"\nid = "dig"\nrules = \'\'\'\n'
        f"{rules}\n'''\n"
    )
    (studio.project / "ruled.toml").write_text(text)
    watched.goto(f"{studio.address}&path=ruled.toml&seed=1&style=plain")
    watched.locator(".stage-title").wait_for()
    watched.keyboard.press("2")
    shown = watched.locator(".under-rule .under-name")
    shown.nth(len(NAMES) - 1).wait_for()
    assert shown.all_text_contents() == list(NAMES)
    for at in (0, 1, 2):
        shown.nth(at).click()
        watched.locator(".under-rule[aria-pressed=true]", has_text=NAMES[at]).wait_for()
        watched.wait_for_timeout(200)
        calm(watched)


def test_names_of_rooms_are_text(watched: Any, studio: Any) -> None:
    many, room = len(NAMES), {"kind": "room", "y": 1, "width": 1, "height": 1, "area": 1}
    told = {
        "format": "undercroft-level/1",
        "size": [2 * many + 1, 3],
        "palette": "standard",
        "tiles": ["#" * (2 * many + 1), "#" + ".#" * many, "#" * (2 * many + 1)],
        "regions": {
            "labels": [f"0*{2 * many + 1}", "0 " + " ".join(f"{k} 0" for k in range(1, many + 1)), f"0*{2 * many + 1}"],
            "table": [{"label": k, "x": 2 * k - 1, "name": name, **room} for k, name in enumerate(NAMES, 1)],
        },
    }
    (studio.project / "rooms.json").write_text(json.dumps(told))
    watched.goto(f"{studio.address}&path=rooms.json&seed=1&style=plain")
    watched.locator(".stage-title").wait_for()
    watched.locator(".map-canvas").focus()
    spoken, heard = watched.locator(".map-holder [role=status]"), []
    for key in ["ArrowLeft"] * (many + 2) + ["ArrowRight"] * (2 * many):
        before = spoken.text_content()
        watched.keyboard.press(key)
        if not before.startswith("(0,") or key == "ArrowRight":
            watched.wait_for_function(
                "(before) => document.querySelector('.map-holder [role=status]').textContent !== before", arg=before
            )
        heard.append(spoken.text_content())
    assert [name for name in NAMES if not any(name in said for said in heard)] == []
    calm(watched)


def test_every_view_keeps_to_its_policy(watched: Any, studio: Any) -> None:
    """Styles and scripts are our own files; the editor's style element has the nonce. Also while things are turned and
    typed.
    """
    page = watched
    page.goto(f"{studio.address}&recipe=rooms-and-mazes&seed=3&size=41x31")
    page.locator(".stage-title").wait_for()
    page.locator(".cm-content").click()
    page.keyboard.press("Control+Home")
    page.keyboard.type("# typed\n")
    page.locator(".map-canvas").click()
    for key in (
        "b",
        "l",
        "h",
        "2",
        "k",
        "w",
        "3",
        "c",
        "Escape",
        "4",
        "e",
        "Escape",
        "?",
        "Escape",
        "Control+p",
        "Escape",
        "1",
        "Space",
    ):
        page.keyboard.press(key)
        page.wait_for_timeout(150)
    for theme in ("Light theme", "Dark theme"):
        page.get_by_role("button", name=theme).click()
    calm(page)
    policy = page.request.get(studio.address.split("#")[0]).headers["content-security-policy"]
    assert "unsafe" not in policy
    assert "script-src" not in policy or "script-src 'self'" in policy


def test_an_offence_would_be_noticed(new_page: Callable[..., Any], studio: Any) -> None:
    """Without this, the tests above could not fail."""
    page = new_page(noisy=True)
    page.add_init_script(WATCH)
    page.goto(studio.address)
    page.locator(".connected.open").wait_for()
    page.evaluate(
        "document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=boom()><b style=\"color:red\">x</b><svg "
        "onload=boom()></svg>')"
    )
    page.wait_for_function("violations.length >= 2")
    assert page.evaluate("boomed") == 0, "the policy itself holds"
    assert len(page.evaluate(MARKED)) == 2
