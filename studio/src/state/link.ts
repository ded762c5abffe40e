/**
 * Links to works: the canonical text of a work, packed into one word that can be pasted anywhere. It holds no address.
 *
 * `works/link.py` of the library is its twin: both write the same letters, and say the same of a link that is not whole.
 */
import type { Problem } from "../server/protocol"
import { deflate, inflate } from "./deflate"

export const LINK_PREFIX = "undercroft:"
const LINK_VERSION = "1"
/** As in the table of limits of the library: a work's bytes, and a link's letters. */
export const MAX_WORK_BYTES = 512 * 1024
export const MAX_LINK_LENGTH = 30_000
const COPY_FIX = "copy the whole link again, from 'undercroft:' to its last letter"

/** Whether a text that was pasted is meant as a link. */
export const isLink = (text: string): boolean => text.trimStart().startsWith(LINK_PREFIX)

/** The link to a work, from its canonical text. */
export function packLink(text: string): string {
  const bytes = new TextEncoder().encode(text)
  const packed = deflate(bytes)
  const data = new Uint8Array(4 + packed.length)
  new DataView(data.buffer).setUint32(0, crc32(bytes))
  data.set(packed, 4)
  let letters = ""
  for (const byte of data) letters += String.fromCharCode(byte)
  return `${LINK_PREFIX}${LINK_VERSION}:${btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`
}

/** The text of the work in a link, or what is wrong with it. Blanks and line ends in it do not matter. */
export async function unpackLink(link: string): Promise<string | Problem> {
  if (link.length > MAX_LINK_LENGTH) return problemOf(`the link has ${link.length.toLocaleString("en")} letters; at most ${MAX_LINK_LENGTH.toLocaleString("en")} can be read`, "ask for the file instead of the link")
  const word = link.replaceAll(/\s+/g, "")
  if (!word.startsWith(LINK_PREFIX)) return problemOf("this is no link to a work", "a link begins with 'undercroft:1:'")
  const [, version = "", packed = ""] = /^undercroft:([^:]*):?(.*)$/.exec(word) ?? []
  if (version !== LINK_VERSION)
    return problemOf(`the link is of version '${version.slice(0, 20)}'; this studio reads version ${LINK_VERSION}`, /^\d+$/.test(version) ? "open it with the program that made it, or a newer one" : COPY_FIX)
  const strange = /[^A-Za-z0-9_-]/u.exec(packed)
  if (strange) return problemOf(`the link holds '${strange[0]}', which stands in no link`, COPY_FIX)
  if (packed.length % 4 === 1) return problemOf("the link is cut off or damaged", COPY_FIX)
  const data = Uint8Array.from(atob(packed.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0))
  let bytes: Uint8Array | null
  try {
    bytes = await inflate(data.subarray(4), MAX_WORK_BYTES)
  } catch {
    return problemOf(`the link holds more than ${MAX_WORK_BYTES.toLocaleString("en")} bytes when unpacked, and no work does`, "ask for the file instead of the link")
  }
  if (!bytes) return problemOf("the link is cut off or damaged", COPY_FIX)
  if (crc32(bytes) !== new DataView(data.buffer).getUint32(0)) return problemOf("the link is damaged: its checksum is another", COPY_FIX)
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return problemOf("the link is damaged: it holds no text", COPY_FIX)
  }
}

const problemOf = (problem: string, fix: string): Problem => ({ problem, fix, place: null })

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  return sum
})

function crc32(bytes: Uint8Array): number {
  let sum = 0xffffffff
  for (const byte of bytes) sum = (sum >>> 8) ^ (CRC_TABLE[(sum ^ byte) & 255] as number)
  return (sum ^ 0xffffffff) >>> 0
}
