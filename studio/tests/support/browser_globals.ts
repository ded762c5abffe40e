/**
 * What modules of the page ask of a browser when they are loaded, as little of it as they need: storage, media queries, events, the root element.
 *
 * With it the state of the page can be tried in Node.js. Whatever draws or lays out is tried in a real browser instead.
 */
const stored = new Map<string, string>()
const storage = {
  getItem: (name: string) => stored.get(name) ?? null,
  setItem: (name: string, value: string) => void stored.set(name, value),
  removeItem: (name: string) => void stored.delete(name),
  clear: () => stored.clear(),
}

Object.assign(globalThis, {
  localStorage: storage,
  sessionStorage: storage,
  addEventListener: () => undefined,
  matchMedia: () => ({ matches: false, addEventListener: () => undefined }),
  location: { origin: "http://127.0.0.1:8123", pathname: "/", hash: "" },
  document: { documentElement: { dataset: {}, style: {} } },
})
