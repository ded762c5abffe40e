"""A font with one letter, made byte by byte: a square for the sign that is asked for."""

from __future__ import annotations

import struct


def build_font(sign: str) -> bytes:
    """A TrueType font: an empty glyph, and a square for the sign."""
    square = struct.pack(">hhhhh", 1, 100, 0, 900, 800) + struct.pack(">HH", 3, 0) + bytes([1] * 4)
    for steps in ((100, 800, 0, -800), (0, 0, 800, 0)):
        square += struct.pack(">4h", *steps)
    square += b"\0" * (-len(square) % 4)
    code = ord(sign)
    segments = struct.pack(">4H", 4, 4, 1, 0)
    segments += struct.pack(">2H", code, 0xFFFF) + struct.pack(">H", 0) + struct.pack(">2H", code, 0xFFFF)
    segments += struct.pack(">2h", (1 - code + 0x8000) % 0x10000 - 0x8000, 1) + struct.pack(">2H", 0, 0)
    subtable = struct.pack(">3H", 4, 6 + len(segments), 0) + segments
    tables = {
        b"cmap": struct.pack(">2H", 0, 1) + struct.pack(">2HI", 3, 1, 12) + subtable,
        b"glyf": square,
        b"head": struct.pack(">IIIIHH", 0x10000, 0x10000, 0, 0x5F0F3CF5, 0, 1000)
        + bytes(16)
        + struct.pack(">4h", 100, 0, 900, 800)
        + struct.pack(">HHhhh", 0, 8, 2, 1, 0),
        b"hhea": struct.pack(">I3hH", 0x10000, 800, -200, 0, 1000) + bytes(22) + struct.pack(">H", 2),
        b"hmtx": struct.pack(">HhHh", 500, 0, 1000, 100),
        b"loca": struct.pack(">3I", 0, 0, len(square)),
        b"maxp": struct.pack(">IH", 0x10000, 2) + struct.pack(">13H", 4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0),
    }
    data, at = b"", 12 + 16 * len(tables)
    head = struct.pack(">I4H", 0x10000, len(tables), 64, 2, 48)
    for name, table in tables.items():
        head += struct.pack(">4sIII", name, 0, at + len(data), len(table))
        data += table + b"\0" * (-len(table) % 4)
    return head + data
