"""How well text can be read: the contrast of two colours as the Web Content Accessibility Guidelines count it."""

from __future__ import annotations

import re
from typing import Any

GROUNDS = ("bg0", "bg1", "bg2", "bg3")
NAMES = ("tx", "tx2", "tx3", "accent", "ok", "bad", "info", "code-string", "code-section", "code-comment")
INKS = {
    "dark": dict(zip(NAMES, (15.9, 8.7, 6.0, 9.7, 9.1, 7.4, 8.1, 10.9, 7.8, 5.6), strict=True)),
    "light": dict(zip(NAMES, (15.6, 7.6, 5.2, 6.2, 5.5, 5.8, 6.2, 5.5, 6.5, 4.7), strict=True)),
}
"""On a panel."""
WEAKER = {
    ("dark", "code-comment", "bg3"): 4.4,
    ("light", "code-comment", "bg0"): 4.1,
    ("light", "code-comment", "bg3"): 4.1,
}
"""Text holds 4.5 on every ground, but for comments: on those they never stand alone."""
CONTRASTS = {
    theme: [
        *((ink, "bg1", least) for ink, least in inks.items()),
        *((ink, ground, WEAKER.get((theme, ink, ground), 4.5)) for ink in inks for ground in GROUNDS),
        ("on-accent", "accent-fill", 9.0),
        ("edge", "bg1", 3.5),
        ("line2", "bg1", 1.8),
        ("banner-ink", "banner", 4.5),
        ("banner-ink2", "banner", 4.5),
        ("kept-ink", "kept-plate", 4.5),
        ("moved-ink", "moved-plate", 4.5),
    ]
    for theme, inks in INKS.items()
}
"""Ink, ground, and the least contrast between them."""


def tokens(sheet: str, theme: str) -> dict[str, str]:
    """The colours of a theme by their names in the style sheet."""
    blocks = re.findall(r"([^{}]*)\{([^{}]*)\}", sheet)
    told = "".join(body for head, body in blocks if f'data-theme="{theme}"' in head)
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", told))


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def ratio(one: str, other: str) -> float:
    """
    >>> round(ratio("#000000", "#ffffff"), 1)
    21.0
    """
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


FAINT = r"""
() => {
  const parsed = (text) => {
    const found = /^rgba?\(([^)]*)\)$/.exec(text)
    if (found) {
      const [r, g, b, a = 1] = found[1].split(/[,\/ ]+/).filter(Boolean).map(parseFloat)
      return [r, g, b, a]
    }
    const mixed = /^color\(srgb ([^)]*)\)$/.exec(text)
    if (mixed) {
      const [r, g, b, a = 1] = mixed[1].split(/[\/ ]+/).filter(Boolean).map(parseFloat)
      return [r * 255, g * 255, b * 255, a]
    }
    return [0, 0, 0, 0]
  }
  const over = (top, under) => top.slice(0, 3).map((part, k) => part * top[3] + under[k] * (1 - top[3]))
  const linear = (part) => { part /= 255; return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4 }
  const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
  const contrast = (a, b) => {
    const [x, y] = [light(a), light(b)].sort((p, q) => q - p)
    return (x + 0.05) / (y + 0.05)
  }
  // What lies under an element at a place, down to something that hides the rest; null if a picture lies there.
  const ground = (one, x, y) => {
    const stack = document.elementsFromPoint(x, y)
    const from = stack.indexOf(one)
    if (from < 0) return null
    const layers = []
    for (const at of stack.slice(from)) {
      if (at !== one && /^(CANVAS|IMG|svg)$/.test(at.tagName)) return null
      const style = getComputedStyle(at)
      if (style.backgroundImage !== "none") return null
      const colour = parsed(style.backgroundColor)
      if (colour[3] > 0) layers.push(colour)
      if (colour[3] === 1) break
    }
    if (!layers.length || layers.at(-1)[3] < 1) return null
    return layers.reverse().reduce((under, top) => (under ? over(top, under) : top.slice(0, 3)), null)
  }
  // What rests need not be read, and the signs of tiles are drawings.
  const LEFT_OUT = ".unseen, :disabled, [aria-disabled=true], option, script, style, title, noscript, "
    + "[class*=tile], [class*=swatch]"
  const room = document.querySelector("dialog[open]") ?? document.body
  const walker = document.createTreeWalker(room, NodeFilter.SHOW_TEXT)
  const found = new Map()
  let looked = 0
  while (walker.nextNode()) {
    const node = walker.currentNode, one = node.parentElement
    if (!node.textContent.trim() || !one?.checkVisibility({ visibilityProperty: true })) continue
    if (one.closest(LEFT_OUT)) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const box = range.getBoundingClientRect()
    if (box.width < 2 || box.height < 2) continue
    const under = ground(one, box.left + box.width / 2, box.top + box.height / 2)
    if (!under) continue
    looked++
    let see = 1
    for (let at = one; at; at = at.parentElement) see *= Number(getComputedStyle(at).opacity)
    const style = getComputedStyle(one), ink = parsed(style.color)
    const shown = over([...ink.slice(0, 3), ink[3] * see], under)
    const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700)
    const has = contrast(shown, under)
    const told = `"${node.textContent.trim().slice(0, 30)}" in ${one.tagName.toLowerCase()}.${one.className}`
    if (has < (large ? 3 : 4.5) - 0.05) found.set(one.className + one.tagName, `${has.toFixed(2)}: ${told}`)
    if (size < 10.9 && /[a-z0-9]/i.test(node.textContent)) found.set(one.className + "small", `${size} px: ${told}`)
  }
  if (looked < 3) found.set("", `only ${looked} texts could be judged`)
  return [...found.values()]
}
"""


def faint(page: Any) -> list[str]:
    """Texts of a page with less contrast than 4.5 to 1 (3 to 1 if they are large), or smaller than 11 pixels; as far as
    they lie on plain colours.
    """
    found: list[str] = page.evaluate(FAINT)
    return found
