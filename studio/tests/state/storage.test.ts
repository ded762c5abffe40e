import { afterEach, beforeEach, expect, test, vi } from "vitest"
import type { KeptValue, KeptValues } from "../../src/server/protocol"

const PROJECT = "/home/ann/crypt"
const PREFIX = `undercroft:${PROJECT}\n`

/** A server that keeps values, and how it answers now. */
let values: KeptValues
let stored: { changes: KeptValues; bytes: number; keepalive: boolean }[]
let answer: (changes: KeptValues) => { status: number; refused?: string[]; notes?: string[] }
let events: Map<string, () => void>
type Storage = typeof import("../../src/state/storage")
type Connection = typeof import("../../src/server/connection")
let connection: Connection["connection"]

const reply = (status: number, body: unknown): Response => new Response(JSON.stringify(body), { status })

async function opened(): Promise<Storage> {
  vi.resetModules()
  const line = await import("../../src/server/connection")
  const storage = await import("../../src/state/storage")
  connection = line.connection
  line.greeting.value = { project: PROJECT, restart: "" } as never
  return storage
}

beforeEach(() => {
  vi.useFakeTimers()
  localStorage.clear()
  sessionStorage.setItem("undercroft token", "t")
  values = {}
  stored = []
  events = new Map()
  answer = () => ({ status: 200 })
  vi.stubGlobal("BroadcastChannel", class { postMessage = (): void => undefined })
  vi.stubGlobal("addEventListener", (name: string, hear: () => void) => events.set(name, hear))
  vi.stubGlobal("fetch", (path: string, init: { body: string; keepalive?: boolean }) => {
    if (path === "/api/state/load") return Promise.resolve(reply(200, { project: PROJECT, values, notes: [] }))
    const { changes } = JSON.parse(init.body) as { changes: KeptValues }
    const { status, refused = [], notes = [] } = answer(changes)
    if (status === 0) return Promise.reject(new TypeError("no server"))
    if (status !== 200) return Promise.resolve(reply(status, { problem: "half of a character", fix: "", place: null }))
    stored.push({ changes, bytes: init.body.length, keepalive: init.keepalive ?? false })
    for (const [name, one] of Object.entries(changes)) if (!refused.includes(name)) values[name] = one
    return Promise.resolve(reply(200, { refused, notes }))
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  localStorage.clear()
})

const open = async (): Promise<void> => {
  connection.value = { kind: "open" }
  await vi.advanceTimersByTimeAsync(2000)
}
const waiting = (): string[] => Object.keys(localStorage).map((key) => key.slice(PREFIX.length))
const put = (name: string, one: KeptValue): void => localStorage.setItem(PREFIX + name, JSON.stringify(one))

test("what was remembered is recalled, and else what is given", async () => {
  values = { kept: { at: 1, value: { a: [1, null] } } }
  const { recall, remember } = await opened()
  expect(recall("kept", {})).toEqual({ a: [1, null] })
  expect(recall("nothing", 5)).toBe(5)
  remember("nothing", 7)
  expect(recall("nothing", 5)).toBe(7)
})

test("a value goes to the server, and leaves the browser's storage when it is there", async () => {
  const { remember } = await opened()
  remember("thing", 1)
  expect(waiting()).toEqual(["thing"])
  await vi.advanceTimersByTimeAsync(2000)
  expect(stored).toEqual([]) // not connected yet
  await open()
  expect(values["thing"]?.value).toBe(1)
  expect(waiting()).toEqual([])
})

test("what the first visit begins with is not kept", async () => {
  const { recall, remember } = await opened()
  recall("thing", "first")
  remember("thing", "first")
  await open()
  expect(stored).toEqual([])
  remember("thing", "second")
  await vi.advanceTimersByTimeAsync(2000)
  remember("thing", "first") // a change like any other
  await vi.advanceTimersByTimeAsync(2000)
  expect(values["thing"]?.value).toBe("first")
})

test("many changes within a moment are sent once, with the last value", async () => {
  const { rememberSoon, remember } = await opened()
  await open()
  let value = 0
  for (let k = 1; k <= 9; k++) rememberSoon("thing", () => (value = k))
  for (let k = 1; k <= 9; k++) remember("other", k)
  expect(value).toBe(0)
  await vi.advanceTimersByTimeAsync(2000)
  expect(value).toBe(9)
  expect(stored.flatMap((one) => Object.keys(one.changes)).sort()).toEqual(["other", "thing"])
  expect(values["other"]?.value).toBe(9)
})

test("without a server nothing is lost, and it is sent when there is one", async () => {
  const { remember } = await opened()
  await open()
  answer = () => ({ status: 0 })
  remember("thing", 1)
  await vi.advanceTimersByTimeAsync(5000)
  expect(waiting()).toEqual(["thing"])
  answer = () => ({ status: 200 })
  connection.value = { kind: "gone", again: 0 }
  await open()
  expect(values["thing"]?.value).toBe(1)
  expect(waiting()).toEqual([])
})

test("what an earlier visit could not send is there, if the server has nothing newer", async () => {
  values = { thing: { at: 5, value: "server" }, other: { at: 5, value: "server" } }
  put("thing", { at: 4, value: "browser" })
  put("other", { at: 6, value: "browser" })
  const { recall } = await opened()
  expect([recall("thing", ""), recall("other", "")]).toEqual(["server", "browser"])
  await open()
  expect(values["other"]?.value).toBe("browser")
  expect(waiting()).toEqual([])
})

test("a change is newer than what was known, even if the clock was set back", async () => {
  values = { thing: { at: 9e15, value: 1 } }
  const { remember } = await opened()
  await open()
  remember("thing", 2)
  await vi.advanceTimersByTimeAsync(2000)
  expect(values["thing"]).toEqual({ at: 9e15 + 1, value: 2 })
})

test("what is refused stays in the browser, and is sent again only when it changes", async () => {
  answer = () => ({ status: 200, refused: ["thing"], notes: ["It cannot be written."] })
  const { remember, storageNote } = await opened()
  await open()
  remember("thing", 1)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(stored).toHaveLength(1)
  expect(storageNote.peek()).toBe("It cannot be written. Until then, this browser keeps it.")
  expect(waiting()).toEqual(["thing"])
  remember("thing", 2)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(stored).toHaveLength(2)
})

test("one value that the server does not accept holds up no other", async () => {
  answer = (changes) => ({ status: "bad" in changes ? 400 : 200 })
  const { remember } = await opened()
  await open()
  for (const name of ["thing", "bad", "other"]) remember(name, 1)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(Object.keys(values).sort()).toEqual(["other", "thing"])
  expect(waiting()).toEqual(["bad"])
  remember("other", 2)
  await vi.advanceTimersByTimeAsync(2000)
  expect(values["other"]?.value).toBe(2)
})

test("a page that is closed sends at most what outlives it; the rest stays for the next visit", async () => {
  const { remember, rememberSoon } = await opened()
  await open()
  remember("big", "x".repeat(100_000))
  rememberSoon("thing", () => "typed just now")
  events.get("pagehide")?.()
  await vi.advanceTimersByTimeAsync(0)
  expect(stored.map((one) => [one.keepalive, Object.keys(one.changes)])).toEqual([[true, ["thing"]]])
  expect(stored[0]?.bytes).toBeLessThan(64 << 10)
  expect(waiting()).toEqual(["big"])
})

test("a full or forbidden storage does no harm", async () => {
  const full = vi.spyOn(localStorage, "setItem").mockImplementation(() => { throw new Error("full") })
  const { remember } = await opened()
  await open()
  expect(() => remember("thing", 1)).not.toThrow()
  await vi.advanceTimersByTimeAsync(2000)
  expect(values["thing"]?.value).toBe(1)
  full.mockRestore()
})

test.each([
  [5, "x", 5], [5, null, 5], [5, [1], 5], ["a", 5, "a"], ["a", {}, "a"], [{ a: 1 }, [1], { a: 1 }], [["a"], "a", ["a"]], [["a"], [1], ["a"]],
  [[1, 2], [1], [1, 2]], [[1, 2], [3, 4], [3, 4]], [["a"], [], []], [true, 1, true], [false, true, true], [null, "text", "text"],
])("with %j expected, %j is recalled as %j", async (otherwise, value, found) => {
  values = { thing: { at: 1, value } }
  const { recall } = await opened()
  expect(recall<unknown>("thing", otherwise)).toEqual(found)
})

test("of a collection only what was changed here is written or removed", async () => {
  values = { "favourites/a": { at: 1, value: 1 }, "favourites/odd": { at: 1, value: "no number" } }
  const { keepEach } = await opened()
  const { signal } = await import("@preact/signals")
  const members = signal<ReadonlyMap<string, number>>(new Map())
  keepEach("favourites", (value): value is number => typeof value === "number", () => members.value, (kept) => (members.value = kept))
  await open()
  expect([...members.peek()]).toEqual([["a", 1]])
  expect(stored).toEqual([])
  values["favourites/of another tab"] = { at: 2, value: 2 }
  members.value = new Map([["b", 3]])
  await vi.advanceTimersByTimeAsync(2000)
  expect(stored.flatMap((one) => Object.entries(one.changes).map(([name, { value }]) => [name, value]))).toEqual([["favourites/b", 3], ["favourites/a", null]])
})

test("without a token nothing is asked for and nothing kept", async () => {
  sessionStorage.removeItem("undercroft token")
  const asked = vi.fn()
  vi.stubGlobal("fetch", asked)
  const { recall, remember } = await opened()
  expect(recall("thing", 1)).toBe(1)
  remember("thing", 2)
  await vi.advanceTimersByTimeAsync(2000)
  expect(asked).not.toHaveBeenCalled()
})

test("a change that is written a moment later counts from when it was made", async () => {
  const { rememberSoon } = await opened()
  await open()
  const when = Date.now()
  rememberSoon("thing", () => 1)
  await vi.advanceTimersByTimeAsync(2000)
  expect(values["thing"]).toEqual({ at: when, value: 1 })
})
