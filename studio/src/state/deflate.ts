/**
 * Deflate (RFC 1951), always with the same bytes for the same data: browsers and systems promise only that what they pack can be unpacked.
 *
 * `works/deflate.py` of the library is its twin, and says how it works. The browser unpacks.
 */
const WINDOW = 1 << 15
const MIN_MATCH = 3
const MAX_MATCH = 258
const MAX_CANDIDATES = 64
const END_OF_BLOCK = 256

type Code = readonly [first: number, bits: number]

function codes(extraBits: readonly number[], first: number): Code[] {
  return extraBits.map((bits) => {
    const code: Code = [first, bits]
    first += 1 << bits
    return code
  })
}
const repeat = (times: number, from: readonly number[]): number[] => from.flatMap((bits) => Array<number>(times).fill(bits))
const LENGTHS: Code[] = [...codes([...repeat(8, [0]), ...repeat(4, [1, 2, 3, 4, 5])], MIN_MATCH), [MAX_MATCH, 0]]
const DISTANCES = codes([0, 0, ...repeat(2, Array.from({ length: 14 }, (_, bits) => bits))], 1)

class BitWriter {
  bytes: number[] = []
  private held = 0
  private count = 0

  /** A number, its lowest bit first. */
  add(value: number, bits: number): void {
    for (let bit = 0; bit < bits; bit++) this.addBit((value >> bit) & 1)
  }
  /** A Huffman code, its highest bit first. */
  addCode(code: number, bits: number): void {
    for (let bit = bits - 1; bit >= 0; bit--) this.addBit((code >> bit) & 1)
  }
  /** A byte, the end of the block, or the code of a length. */
  addSymbol(symbol: number): void {
    if (symbol < 144) this.addCode(0x30 + symbol, 8)
    else if (symbol < 256) this.addCode(0x190 + symbol - 144, 9)
    else if (symbol < 280) this.addCode(symbol - 256, 7)
    else this.addCode(0xc0 + symbol - 280, 8)
  }
  addMatch(length: number, distance: number): void {
    let code = LENGTHS.findLastIndex(([first]) => first <= length)
    const [shortest, lengthBits] = LENGTHS[code] as Code
    this.addSymbol(257 + code)
    this.add(length - shortest, lengthBits)
    code = DISTANCES.findLastIndex(([first]) => first <= distance)
    const [nearest, distanceBits] = DISTANCES[code] as Code
    this.addCode(code, 5)
    this.add(distance - nearest, distanceBits)
  }
  finish(): Uint8Array {
    while (this.count) this.addBit(0)
    return Uint8Array.from(this.bytes)
  }
  private addBit(bit: number): void {
    this.held |= bit << this.count
    if (++this.count < 8) return
    this.bytes.push(this.held)
    this.held = this.count = 0
  }
}

export function deflate(data: Uint8Array): Uint8Array {
  const writer = new BitWriter()
  writer.add(1, 1) // the last block
  writer.add(1, 2) // with fixed codes
  /** The place of the last three bytes of a kind, and for each place that of the ones before. */
  const last = new Map<number, number>()
  const before = new Int32Array(data.length)
  const keyAt = (at: number): number => ((data[at] as number) << 16) | ((data[at + 1] as number) << 8) | (data[at + 2] as number)

  const findMatch = (at: number): [length: number, distance: number] => {
    const most = Math.min(MAX_MATCH, data.length - at)
    if (most < MIN_MATCH) return [0, 0]
    let [best, distance] = [0, 0]
    let place = last.get(keyAt(at)) ?? -1
    for (let candidate = 0; place >= 0 && candidate < MAX_CANDIDATES && at - place <= WINDOW && best < most; candidate++) {
      let length = 0
      while (length < most && data[place + length] === data[at + length]) length++
      if (length > best) [best, distance] = [length, at - place]
      place = before[place] as number
    }
    return [best, distance]
  }

  for (let at = 0; at < data.length; ) {
    const [length, distance] = findMatch(at)
    if (length) writer.addMatch(length, distance)
    else writer.addSymbol(data[at] as number)
    const end = at + Math.max(length, 1)
    for (; at < end; at++)
      if (at + MIN_MATCH <= data.length) {
        before[at] = last.get(keyAt(at)) ?? -1
        last.set(keyAt(at), at)
      }
  }
  writer.addSymbol(END_OF_BLOCK)
  return writer.finish()
}

/** The unpacked data; null if it is not whole. Throws a `RangeError` before more than `most` bytes are unpacked. */
export async function inflate(data: Uint8Array, most: number): Promise<Uint8Array | null> {
  const reader = new Blob([data as BlobPart]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    let got: ReadableStreamReadResult<Uint8Array>
    try {
      got = await reader.read()
    } catch {
      return null
    }
    if (got.done) break
    size += got.value.length
    if (size > most) {
      void reader.cancel().catch(() => undefined)
      throw new RangeError("too much")
    }
    chunks.push(got.value)
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
