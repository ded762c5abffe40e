import { describe, expect, test } from "vitest"
import vectors from "../../../tests/cases/works/links.json?raw"
import { deflate, inflate } from "../../src/state/deflate"
import { isLink, MAX_LINK_LENGTH, MAX_WORK_BYTES, packLink, unpackLink } from "../../src/state/link"
import { workText } from "../../src/state/work_document"
import { randomFrom } from "../support/random"

/** The vectors that the tests of the library read too. */
const VECTORS = JSON.parse(vectors) as Record<string, { data: Record<string, unknown>; text: string; link: string }>
const LINK = packLink('{"format":"undercroft-work/1",\n"recipe":"cave"}\n')
const problemOf = async (link: string): Promise<string> => {
  const found = await unpackLink(link)
  expect(typeof found, link.slice(0, 60)).toBe("object")
  return typeof found === "string" ? "" : found.problem
}
/** A link as a browser would pack it, with a wrong checksum. */
const pack = async (text: string): Promise<string> => {
  const data = new Uint8Array(await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer())
  return "undercroft:1:" + btoa("\0\0\0\0" + Array.from(data, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")
}

describe.each(Object.entries(VECTORS))("the page writes what the library writes: %s", (_, row) => {
  test("its text", () => expect(workText(row.data)).toBe(row.text))
  test("its link", () => expect(packLink(row.text)).toBe(row.link))
  test("and back", async () => expect(await unpackLink(row.link)).toBe(row.text))
})

test("many random texts come back", async () => {
  const random = randomFrom(11)
  for (let k = 0; k < 80; k++) {
    const [width, letters] = [random.pick([2, 20, 400, 60_000]), random.below(600)]
    const text = Array.from({ length: letters }, () => String.fromCodePoint(32 + random.below(width))).join("").replaceAll(/\p{Surrogate}/gu, "")
    const link = packLink(text)
    expect(link).toMatch(/^undercroft:1:[\w-]+$/)
    expect(await unpackLink(link)).toBe(text)
  }
})

test("what is packed can be unpacked by the browser", async () => {
  const random = randomFrom(5)
  for (const length of [0, 1, 2, 3, 4, 257, 258, 259, 600, 40_000]) {
    for (const letters of [1, 2, 5, 256]) {
      const data = Uint8Array.from({ length }, () => random.below(letters))
      expect(await inflate(deflate(data), length)).toEqual(data)
    }
  }
})

test("a link that is cut off says so, wherever it was cut", async () => {
  for (let kept = 0; kept < LINK.length; kept++) await problemOf(LINK.slice(0, kept))
  expect(await problemOf(LINK.slice(0, -5))).toBe("the link is cut off or damaged")
})

test("a link with another letter is damaged", async () => {
  const text = await unpackLink(LINK)
  for (let at = 13; at < LINK.length; at++) {
    const found = await unpackLink(LINK.slice(0, at) + (LINK[at] === "A" ? "B" : "A") + LINK.slice(at + 1))
    if (typeof found === "string") expect(found).toBe(text) // bits of the last letter that say nothing
  }
})

test("blanks and line ends do not matter", async () => {
  const broken = LINK.replaceAll(/(.{20})/g, "$1\r\n  ")
  expect(await unpackLink(` ${broken}\n`)).toBe(await unpackLink(LINK))
  expect(isLink(` ${LINK}`)).toBe(true)
  expect(isLink("http://127.0.0.1:8123/")).toBe(false)
})

test.each([
  ["", "no link"],
  ["http://127.0.0.1:8123/#recipe=cave", "no link"],
  ["undercroft:2:AAAA", "version '2'"],
  ["undercroft:1:", "cut off"],
  ["undercroft:1:A", "cut off"],
  ["undercroft:1:AAAA", "cut off"],
  ["undercroft:1:ab+c", "holds '+'"],
])("what is no link is refused: %s", async (link, words) => expect(await problemOf(link)).toContain(words))

test("a bomb is refused before it is unpacked", async () => {
  expect(await problemOf(await pack("{}"))).toContain("checksum")
  const bomb = await pack("#".repeat(20_000_000))
  expect(bomb.length).toBeLessThan(MAX_LINK_LENGTH)
  expect(await problemOf(bomb)).toContain(`more than ${MAX_WORK_BYTES.toLocaleString("en")} bytes`)
  expect(await problemOf(LINK + "A".repeat(MAX_LINK_LENGTH))).toContain("at most 30,000")
})
