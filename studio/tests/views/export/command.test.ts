import { describe, expect, test } from "vitest"
import type { FormatCard, Output, Source } from "../../../src/server/protocol"
import { suitsFormat, stylesFor } from "../../../src/views/export/choices"
import { command, isMoreThanRecipe, shellQuoted } from "../../../src/views/export/command"
import { sizeText, timeAgo, programName } from "../../../src/views/export/file_words"
import { needsName, underline } from "../../../src/views/export/format_cards"

const card = (name: string, options: string[] = [], more: Partial<FormatCard> = {}): FormatCard => ({ name, title: name, about: "about it", group: "pictures", suffixes: ["." + (name.split(":")[0] ?? "")], reads: false, writes: true, keeps: [], loses: [], tested: "", options, ...more })
const source = (more: Partial<Source> = {}): Source => ({ recipe: { name: "cave" }, seed: "7", size: null, params: {}, until: [], tries: 100, ...more })
const file = (name: string, path: string, options: Output["options"] = {}, own: string[] = Object.keys(options)) => ({ card: card(name, own), output: name === "animation" ? { format: "", path, options, animation: true } : { format: name, path, options } })

describe("words as a shell takes them", () => {
  test.each([["cave", "cave"], ["a b", "'a b'"], ["it's", "'it'\\''s'"], ["", "''"], ["$HOME", "'$HOME'"], ["a=b,c", "a=b,c"], ["x;rm", "'x;rm'"], ["`id`", "'`id`'"]])("%s", (word, quoted) => expect(shellQuoted(word)).toBe(quoted))
})

describe("the command", () => {
  const text = (of: Source, ...files: ReturnType<typeof file>[]): string => command(of, files, "cave-7").text
  test("has all that makes the level", () => {
    expect(text(source(), file("png", "a.png"))).toBe("undercroft generate cave --seed 7 -o a.png")
    expect(text(source({ seed: "two words", size: [60, 40], params: { fill: 0.5, on: true, name: "a b", kind: "deep", list: [1, "x"] }, until: ["loops >= 3"], tries: 5, attempt: 2 }), file("png", "a.png"))).toBe(
      `undercroft generate cave --seed 'two words' --size 60x40 --set fill=0.5 --set on=true --set 'name="a b"' --set kind=deep --set 'list=[1,"x"]' --until 'loops >= 3' --tries 5 --attempt 2 -o a.png`,
    )
  })
  test("quotes a word that TOML would read as a switch", () => expect(text(source({ params: { a: "true" } }), file("png", "a.png"))).toContain(`'a="true"'`))
  test("writes several files at once if they agree", () => {
    expect(text(source(), file("png", "a.png", { style: "ink" }), file("tmx", "a.tmx"))).toBe("undercroft generate cave --seed 7 -o a.png -o a.tmx --style ink")
    expect(text(source(), file("png", "a.png", { style: "ink" }), file("svg", "a.svg", { style: "plain" }))).toBe("undercroft generate cave --seed 7 -o a.png --style ink && undercroft generate cave --seed 7 -o a.svg --style plain")
  })
  test("names kinds of a format, each alone", () => {
    expect(text(source(), file("png:gm", "a.png"), file("png", "b.png"))).toBe("undercroft generate cave --seed 7 -o a.png --format png:gm && undercroft generate cave --seed 7 -o b.png")
  })
  test("has options of their own words, and others by name", () => {
    expect(text(source(), file("png", "a.png", { show: ["doors", "grid"], cell: 16, inset: 3 }))).toBe("undercroft generate cave --seed 7 -o a.png --show doors,grid --cell 16 --option inset=3")
  })
  test("animates", () => expect(text(source(), file("animation", "a.gif", { frames: 40 }), file("png", "a.png"))).toBe("undercroft generate cave --seed 7 --animate a.gif --frames 40 -o a.png"))
  test("prints the level if no file is chosen", () => expect(text(source())).toBe("undercroft generate cave --seed 7"))
  test("says that a changed recipe must be saved first", () => {
    expect(command(source({ recipe: { text: "x", file: "my.toml" } }), [], "s").note).toContain("my.toml")
    expect(command(source(), [], "s").note).toBe("")
  })
  test("converts a level that is more than its recipe makes", () => {
    const painted = source({ edits: [[1, "wall"]] })
    expect(isMoreThanRecipe(painted)).toBe(true)
    expect(command(painted, [file("png:gm", "a.png", { cell: 8 })], "cave-7")).toEqual({ text: "undercroft convert levels/cave-7.json a.png --format png:gm --cell 8", note: expect.stringContaining("levels/cave-7.json") as string })
    expect(text(source({ recipe: { path: "levels/x.tmx" } }), file("png", "a.png"))).toBe("undercroft convert levels/x.tmx a.png")
    expect(text(source({ recipe: { path: "levels/x.tmx" } }))).toBe("undercroft convert levels/x.tmx - --format text")
    expect(isMoreThanRecipe(source({ recipe: { path: "my.toml" } }))).toBe(false)
    expect(isMoreThanRecipe(source({ keep: { of: source(), cells: [[0, 1]] } }))).toBe(true)
  })
})

test("names of files suit their formats", () => {
  expect(suitsFormat(card("png"), "a.PNG")).toBe(true)
  expect(suitsFormat(card("png"), ".png")).toBe(false)
  expect(suitsFormat(card("png"), "a.svg")).toBe(false)
  expect(stylesFor(card("svg"), ["pixels", "ink"])).toEqual(["ink"])
  expect(stylesFor(card("png"), ["pixels", "ink"])).toEqual(["pixels", "ink"])
})

test("what stands under a format's name", () => {
  expect(underline(card("tmx", [], { tested: "Tiled 1.10" }))).toEqual({ text: "Tested with Tiled 1.10", warn: false })
  expect(underline(card("vox", [], { group: "engines" })).warn).toBe(true)
  expect(underline(card("pdf", [], { group: "tabletops" }))).toEqual({ text: "About it", warn: false })
  expect(needsName(card("png:gm"))).toBe(true)
})

test("files in words", () => {
  expect([0, 999, 1000, 1499, 999_999, 1e6, 12_345_678].map(sizeText)).toEqual(["0 bytes", "999 bytes", "1 kB", "1 kB", "1000 kB", "1.0 MB", "12.3 MB"])
  expect([0, 1400, 30_000, 120_000, 7_200_000].map(timeAgo)).toEqual(["just now", "just now", "30 seconds ago", "2 minutes ago", "2 hours ago"])
  expect(programName(card("tmx"))).toBe("Tiled")
  expect(programName(card("npz"))).toContain("program")
})
