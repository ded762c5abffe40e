/** Binary messages of the socket: a head as JSON, then blocks of numbers. Their layout is described in protocol.ts. */
import type { Answer, Parts } from "./protocol"

export type Numbers = Uint8Array | Uint16Array | Int32Array | Uint32Array | Float64Array

export type Blocks = Record<string, Numbers>

const ARRAY_TYPES = { u8: Uint8Array, u16: Uint16Array, i32: Int32Array, u32: Uint32Array, f64: Float64Array, png: Uint8Array }

/** The head and the blocks of a binary message. */
export function unpackMessage(data: ArrayBuffer): [Answer, Blocks] {
  const length = new DataView(data).getUint32(0, true)
  const answer = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length))) as Answer & { parts?: Parts }
  const begin = (4 + length + 7) & ~7
  const blocks: Blocks = {}
  for (const [name, part] of Object.entries(answer.parts ?? {})) {
    const Kind = ARRAY_TYPES[part.type]
    const at = begin + part.at
    // A view needs its place to be a multiple of the number's size; else the bytes are copied.
    blocks[name] =
      at % Kind.BYTES_PER_ELEMENT === 0 ? new Kind(data, at, part.bytes / Kind.BYTES_PER_ELEMENT) : new Kind(data.slice(at, at + part.bytes))
  }
  return [answer, blocks]
}
