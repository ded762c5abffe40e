import { describe, expect, test } from "vitest"
import type { Parts } from "../../src/server/protocol"
import { unpackMessage } from "../../src/server/message"
import { randomFrom } from "../support/random"

/** A message as the server packs it: length, head, padding to 8, parts. */
function pack(head: Record<string, unknown>, parts: Record<string, { type: Parts[string]["type"]; bytes: Uint8Array; at?: number }>): ArrayBuffer {
  let end = 0
  const rows: Parts = {}
  for (const [name, part] of Object.entries(parts)) {
    const at = part.at ?? Math.ceil(end / 8) * 8
    rows[name] = { at, bytes: part.bytes.length, type: part.type }
    end = at + part.bytes.length
  }
  const text = new TextEncoder().encode(JSON.stringify({ ...head, parts: rows }))
  const begin = Math.ceil((4 + text.length) / 8) * 8
  const data = new ArrayBuffer(begin + end)
  new DataView(data).setUint32(0, text.length, true)
  new Uint8Array(data, 4, text.length).set(text)
  for (const [name, part] of Object.entries(parts)) new Uint8Array(data, begin + (rows[name]?.at ?? 0), part.bytes.length).set(part.bytes)
  return data
}
const bytesOf = (numbers: ArrayBufferView): Uint8Array => new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)

describe("a binary message", () => {
  test("gives its head and a block of each type", () => {
    const [answer, blocks] = unpackMessage(
      pack({ id: 7, kind: "done", title: "Höhle" }, {
        tiles: { type: "u8", bytes: Uint8Array.of(1, 2, 255) },
        labels: { type: "u16", bytes: bytesOf(Uint16Array.of(1, 65535)) },
        far: { type: "i32", bytes: bytesOf(Int32Array.of(-1, 2 ** 31 - 1)) },
        ends: { type: "u32", bytes: bytesOf(Uint32Array.of(0, 2 ** 32 - 1)) },
        values: { type: "f64", bytes: bytesOf(Float64Array.of(0.1, -Infinity)) },
        png: { type: "png", bytes: Uint8Array.of(137, 80) },
      }),
    )
    expect(answer).toMatchObject({ id: 7, kind: "done", title: "Höhle" })
    expect(blocks.tiles).toEqual(Uint8Array.of(1, 2, 255))
    expect(blocks.labels).toEqual(Uint16Array.of(1, 65535))
    expect(blocks.far).toEqual(Int32Array.of(-1, 2 ** 31 - 1))
    expect(blocks.ends).toEqual(Uint32Array.of(0, 2 ** 32 - 1))
    expect(blocks.values).toEqual(Float64Array.of(0.1, -Infinity))
    expect(blocks.png).toEqual(Uint8Array.of(137, 80))
  })
  test("may have a block at an odd place: it is copied", () => {
    const [, blocks] = unpackMessage(pack({ id: 1, kind: "part" }, { far: { type: "i32", bytes: bytesOf(Int32Array.of(5, -6)), at: 3 } }))
    expect(blocks.far).toEqual(Int32Array.of(5, -6))
  })
  test("may have no blocks, or empty ones", () => {
    expect(unpackMessage(pack({ id: 1, kind: "done" }, {}))[1]).toEqual({})
    expect(unpackMessage(pack({ id: 1, kind: "done" }, { path: { type: "i32", bytes: new Uint8Array(0) } }))[1].path).toEqual(new Int32Array(0))
  })
  test("is read at every length of its head", () => {
    const random = randomFrom(1)
    for (let length = 0; length < 40; length++) {
      const numbers = Float64Array.from({ length: 1 + random.below(5) }, () => random.below(1000))
      const [answer, blocks] = unpackMessage(pack({ id: 1, kind: "done", pad: "x".repeat(length) }, { values: { type: "f64", bytes: bytesOf(numbers) } }))
      expect(answer).toMatchObject({ pad: "x".repeat(length) })
      expect(blocks.values).toEqual(numbers)
    }
  })
})
