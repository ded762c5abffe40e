import { afterEach, expect, test, vi } from "vitest"
import { recall, remember, rememberSoon } from "../../src/state/storage"

afterEach(() => vi.useRealTimers())

test("what was remembered is recalled, and else what is given", () => {
  remember("thing", { a: [1, null] })
  expect(recall("thing", null)).toEqual({ a: [1, null] })
  expect(recall("nothing", 5)).toBe(5)
})

test("a storage that fails or has garbage does no harm", () => {
  localStorage.setItem("undercroft broken", "{")
  expect(recall("broken", "other")).toBe("other")
  const full = vi.spyOn(localStorage, "setItem").mockImplementation(() => { throw new Error("full") })
  expect(() => remember("thing", 1)).not.toThrow()
  full.mockRestore()
})

test("many changes within a moment are written once, with the last value", () => {
  vi.useFakeTimers()
  const write = vi.spyOn(localStorage, "setItem")
  let value = 0
  for (let k = 1; k <= 9; k++) rememberSoon("soon", () => (value = k))
  expect(write).not.toHaveBeenCalled()
  vi.advanceTimersByTime(400)
  expect(write).toHaveBeenCalledTimes(1)
  expect(value).toBe(9)
  expect(recall("soon", 0)).toBe(9)
  write.mockRestore()
})
