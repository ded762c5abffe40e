"""Deflate (RFC 1951), always with the same bytes for the same data.

zlib promises that what it packs can be unpacked, and not which bytes it packs it into: browsers, systems and versions
differ. Links of the same work must be equal, wherever they are made. So this packs them, and
`studio/src/state/deflate.ts` does the same. zlib unpacks them.

Method: one block with fixed codes. From left to right, the longest match of 3 to 258 bytes among the last 64 places
within 32 KB that begin with the same three bytes is taken, the nearest one of several; else the byte itself.
Cost: at most 64 comparisons of 258 bytes for each byte.
"""

from __future__ import annotations

import zlib
from collections import defaultdict, deque

WINDOW = 1 << 15
MIN_MATCH, MAX_MATCH = 3, 258
MAX_CANDIDATES = 64
"""The places that are compared, the nearest ones."""
END_OF_BLOCK = 256


def _ranges(extra_bits: list[int], first: int) -> list[tuple[int, int]]:
    """The first value of each code, and the bits that tell the value among those of the code."""
    table = []
    for bits in extra_bits:
        table.append((first, bits))
        first += 1 << bits
    return table


LENGTHS = [*_ranges([0] * 8 + [bits for bits in range(1, 6) for _ in range(4)], MIN_MATCH)[:28], (MAX_MATCH, 0)]
"""Codes 257 to 285."""
DISTANCES = _ranges([0, 0] + [bits for bits in range(14) for _ in range(2)], 1)
"""Codes 0 to 29."""


class _BitWriter:
    """Bits, the first one lowest in its byte."""

    def __init__(self) -> None:
        self.data = bytearray()
        self._held = self._count = 0

    def add(self, value: int, bits: int) -> None:
        """A number, its lowest bit first."""
        self._held |= value << self._count
        self._count += bits
        while self._count >= 8:
            self.data.append(self._held & 255)
            self._held >>= 8
            self._count -= 8

    def add_code(self, code: int, bits: int) -> None:
        """A Huffman code, its highest bit first."""
        self.add(int(f"{code:0{bits}b}"[::-1], 2), bits)

    def add_symbol(self, symbol: int) -> None:
        """A byte, the end of the block, or the code of a length, in the fixed code."""
        if symbol < 144:
            self.add_code(0x30 + symbol, 8)
        elif symbol < 256:
            self.add_code(0x190 + symbol - 144, 9)
        elif symbol < 280:
            self.add_code(symbol - 256, 7)
        else:
            self.add_code(0xC0 + symbol - 280, 8)

    def add_match(self, length: int, distance: int) -> None:
        """A text that stood before."""
        code = next(code for code in reversed(range(len(LENGTHS))) if LENGTHS[code][0] <= length)
        self.add_symbol(257 + code)
        self.add(length - LENGTHS[code][0], LENGTHS[code][1])
        code = next(code for code in reversed(range(len(DISTANCES))) if DISTANCES[code][0] <= distance)
        self.add_code(code, 5)
        self.add(distance - DISTANCES[code][0], DISTANCES[code][1])

    def finish(self) -> bytes:
        """All bits, the last byte filled up."""
        if self._count:
            self.add(0, 8 - self._count)
        return bytes(self.data)


def deflate(data: bytes) -> bytes:
    """The data, packed.

    >>> zlib.decompress(deflate(b"####..####..####"), -zlib.MAX_WBITS)
    b'####..####..####'
    """
    writer = _BitWriter()
    writer.add(1, 1)  # the last block
    writer.add(1, 2)  # with fixed codes
    places: defaultdict[bytes, deque[int]] = defaultdict(lambda: deque(maxlen=MAX_CANDIDATES))
    at = 0
    while at < len(data):
        length, distance = _find_match(data, at, places[data[at : at + MIN_MATCH]])
        if length:
            writer.add_match(length, distance)
        else:
            writer.add_symbol(data[at])
            length = 1
        for place in range(at, min(at + length, len(data) - MIN_MATCH + 1)):
            places[data[place : place + MIN_MATCH]].appendleft(place)
        at += length
    writer.add_symbol(END_OF_BLOCK)
    return writer.finish()


def _find_match(data: bytes, at: int, places: deque[int]) -> tuple[int, int]:
    """The length and distance of the longest match; zeros if there is none."""
    most, best, distance = min(MAX_MATCH, len(data) - at), 0, 0
    if most < MIN_MATCH:
        return 0, 0
    for place in places:
        if at - place > WINDOW:
            break
        # it must match one byte more than the best one
        if data[place + best] != data[at + best] or data[place : place + best] != data[at : at + best]:
            continue
        length = best
        while length < most and data[place + length] == data[at + length]:
            length += 1
        if length > best:
            best, distance = length, at - place
        if best == most:
            break
    return best, distance


def inflate(data: bytes, most: int) -> bytes | None:
    """The unpacked data, or None if it is not whole: damaged, cut off, or followed by something else. Raises
    `OverflowError` before more than `most` bytes are unpacked.
    """
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        unpacked = unpacker.decompress(data, most + 1)
    except zlib.error:
        return None
    if len(unpacked) > most:
        raise OverflowError
    return unpacked if unpacker.eof and not unpacker.unused_data else None
