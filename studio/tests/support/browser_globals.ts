/**
 * What modules of the page ask of a browser when they are loaded, as little of it as they need: storage, media queries, events, the root element.
 *
 * With it the state of the page can be tried in Node.js. Whatever draws or lays out is tried in a real browser instead.
 */
/** As in a browser, the keys of the storage are its names. */
class FakeStorage {
  [name: string]: unknown
  getItem(name: string): string | null {
    return Object.hasOwn(this, name) ? (this[name] as string) : null
  }
  setItem(name: string, value: string): void {
    this[name] = value
  }
  removeItem(name: string): void {
    Reflect.deleteProperty(this, name)
  }
  clear(): void {
    for (const name of Object.keys(this)) this.removeItem(name)
  }
}

Object.assign(globalThis, {
  localStorage: new FakeStorage(),
  sessionStorage: new FakeStorage(),
  addEventListener: () => undefined,
  matchMedia: () => ({ matches: false, addEventListener: () => undefined }),
  location: { origin: "http://127.0.0.1:8123", pathname: "/", hash: "" },
  document: { documentElement: { dataset: {}, style: {} } },
})
