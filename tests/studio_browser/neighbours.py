"""A page of somebody else: on another port of this machine, or of another site, in the same browser. It tries whatever
pages can try.
"""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

PICTURE = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


class Neighbour:
    """A server that lets everybody do everything, and serves the page with the attempts. `heard` are the requests that
    change something.
    """

    def __init__(self) -> None:
        heard: list[tuple[str, str]] = []

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                if self.command == "POST":
                    heard.append((self.path, body.decode("utf-8", "replace")))
                suffix = "." + self.path.partition("?")[0].rpartition(".")[2]
                text = {".js": b"globalThis.included = true", ".css": b"html { --included: yes }", ".svg": PICTURE}.get(
                    suffix, b"<title>a neighbour</title>"
                )
                self.send_response(200)
                self.send_header("content-type", TYPES.get(suffix, "text/html"))
                self.send_header("content-length", str(len(text)))
                for name in ("origin", "headers", "methods"):
                    self.send_header(f"access-control-allow-{name}", "*")
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(text)

            do_GET = do_POST = do_PUT = do_DELETE = do_OPTIONS = do_HEAD = answer  # noqa: N815 (the names are those of the library)

            def log_message(self, *_: Any) -> None:
                pass

        self.heard = heard
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        self._thread = threading.Thread(target=self.server.serve_forever, daemon=True)

    def __enter__(self) -> Neighbour:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.server.shutdown()
        self.server.server_close()


ATTEMPTS = r"""
async ({ at, token, files }) => {
  // Each attempt says "no", or what it got.
  const page = (path) => at + path
  const body = JSON.stringify({ path: "stolen.toml", text: "mine now", seen: "", token })
  const key = { "X-Undercroft-Token": token }
  const json = { "Content-Type": "application/json" }
  const after = (time, value) => new Promise((done) => setTimeout(() => done(value), time))
  const read = async (answer) => `${answer.type} ${answer.status} ${(await answer.text()).slice(0, 60)}`
  const fetched = (path, how) => fetch(page(path), how).then(read, () => "no")
  const element = (name, set) => new Promise((done) => {
    const made = document.createElement(name)
    made.onload = () => done(`${name} loaded`)
    made.onerror = () => done("no")
    set(made)
    document.head.append(made)
    void after(4000, "no").then(done)
  })
  const framed = (url) => new Promise((done) => {
    const frame = document.createElement("iframe")
    frame.onload = () => after(300).then(() => {
      // A page that refuses to be framed leaves an error of the browser there, which is of no origin we could read.
      try { done(frame.contentDocument ? `read ${frame.contentDocument.title}` : "no") } catch { done("no") }
    })
    frame.src = url
    document.body.append(frame)
    void after(4000, "no").then(done)
  })
  const posted = (type) => new Promise((done) => {
    const frame = document.createElement("iframe")
    frame.name = "into" + Math.random()
    document.body.append(frame)
    const form = document.createElement("form")
    Object.assign(form, { method: "post", action: page("/api/files/save"), enctype: type, target: frame.name })
    const field = document.createElement("textarea")
    field.name = type === "text/plain" ? body.slice(0, -1) + ', "x": "' : "path"
    field.value = type === "text/plain" ? '"}' : "stolen.toml"
    form.append(field)
    document.body.append(form)
    frame.onload = () => after(200, "sent").then(done)
    form.submit()
    void after(3000, "sent").then(done)
  })
  const socket = (address) => new Promise((done) => {
    let line
    try { line = new WebSocket(address) } catch { return done("no") }
    line.onopen = () => {
      line.send(JSON.stringify({ token }))
      line.send(JSON.stringify({ id: 1, lane: "x", do: "layouts" }))
    }
    line.onmessage = (message) => done("heard " + String(message.data).slice(0, 40))
    line.onclose = () => done("no")
    void after(4000, "no").then(done)
  })
  const worker = () => new Promise((done) => {
    const address = JSON.stringify(page("/" + files.script))
    const text = `try { importScripts(${address}); postMessage("included") } catch { postMessage("no") }`
    const one = new Worker(URL.createObjectURL(new Blob([text], { type: "text/javascript" })))
    one.onmessage = (message) => done(message.data)
    one.onerror = () => done("no")
  })
  const opened = async (url) => {
    const other = window.open(url)
    try {
      for (let tries = 0; tries < 100; tries++) {
        await after(100)
        if (!other || other.closed) return "no"
        if (other.location.href !== "about:blank" && other.document.readyState === "complete")
          return "read " + other.document.title
      }
      return "no"
    } catch { return "no" } finally { other?.close() }
  }
  const events = () => new Promise((done) => {
    const source = new EventSource(page("/api/hello"))
    source.onopen = () => done("opened")
    source.onerror = () => { source.close(); done("no") }
  })
  const tries = {
    "read hello": () => fetched("/api/hello"),
    "read hello with the token": () => fetched("/api/hello", { headers: key }),
    "read hello with credentials": () => fetched("/api/hello", { credentials: "include" }),
    "read the page": () => fetched("/"),
    "read the page, no-cors": () => fetch(page("/"), { mode: "no-cors" }).then(() => "got an answer", () => "no"),
    "read the script, no-cors": () =>
      fetch(page("/" + files.script), { mode: "no-cors" }).then(() => "got an answer", () => "no"),
    "save as JSON": () => fetched("/api/files/save", { method: "POST", headers: { ...json, ...key }, body }),
    "save as JSON without the token": () => fetched("/api/files/save", { method: "POST", headers: json, body }),
    "save as plain text": () => fetched("/api/files/save", { method: "POST", body }),
    "save, no-cors": () =>
      fetch(page("/api/files/save"), { method: "POST", mode: "no-cors", body }).then(() => "sent", () => "no"),
    "save, no-cors, as bytes": () =>
      fetch(page("/api/files/save?token=" + token), { method: "POST", mode: "no-cors", body: new Blob([body]) })
        .then(() => "sent", () => "no"),
    "put": () => fetched("/api/files/save", { method: "PUT", headers: key, body }),
    "delete": () => fetched("/api/files/save", { method: "DELETE", headers: key }),
    "beacon": () => (navigator.sendBeacon(page("/api/files/save"), new Blob([body], { type: "text/plain" }))
      ? after(300, "sent") : "no"),
    "form": () => posted("application/x-www-form-urlencoded"),
    "form of plain text": () => posted("text/plain"),
    "form with a file": () => posted("multipart/form-data"),
    "image": () => element("img", (made) => (made.src = page("/" + files.image))),
    "script": () => element("script", (made) => (made.src = page("/" + files.script))),
    "module": () => import(page("/" + files.script)).then(() => "imported", () => "no"),
    "style": () => element("link", (made) => Object.assign(made, { rel: "stylesheet", href: page("/" + files.style) })),
    "worker": worker,
    "events": events,
    "frame": () => framed(page("/")),
    "frame of an answer": () => framed(page("/api/hello")),
    "window": () => opened(page("/")),
    "socket": () => socket(page("/api/live").replace(/^http/, "ws")),
    "socket elsewhere": () => socket(page("/").replace(/^http/, "ws")),
  }
  const found = {}
  for (const [name, attempt] of Object.entries(tries)) found[name] = await attempt()
  found["globals"] = globalThis.included || getComputedStyle(document.documentElement).getPropertyValue("--included")
    ? "included" : "no"
  return found
}
"""
BLIND = {"save, no-cors", "save, no-cors, as bytes", "beacon", "form", "form of plain text", "form with a file"}
"""Attempts whose sender never learns what became of them: what counts is that nothing was written."""


def attempts(page: Any, at: str, token: str, script: str, style: str, image: str) -> dict[str, str]:
    """What the attempts of a page at another place come to."""
    found: dict[str, str] = page.evaluate(
        ATTEMPTS, {"at": at, "token": token, "files": {"script": script, "style": style, "image": image}}
    )
    return found
