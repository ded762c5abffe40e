import { expect, test } from "vitest"
import { greeting } from "../../src/server/connection"
import type { DeletedFile, FileKind, Hello } from "../../src/server/protocol"
import { describeUses, nameBeside, projectFiles } from "../../src/project/file_acts"

test.each([
  [[["hall.toml", "extends"]], "hall.toml extends it."],
  [[["a.rules", "include"], ["hall.toml", "file"]], "a.rules includes it and hall.toml names it as file."],
  [[["a.toml", "default"], ["b.toml", "layouts"], ["c.toml", "extends"], ["d.toml", "file"], ["e.toml", "file"]], "a.toml names it as a default, b.toml names it as layouts, c.toml extends it, and 2 more use it."],
] as [[string, string][], string][])("%j", (uses, words) => expect(describeUses(uses.map(([path, by]) => ({ path, by })))).toBe(words))

test("a file comes back beside the one that has its name", () => {
  projectFiles.value = [{ path: "a/hall-2.toml", kind: "recipe", bytes: 1, changed: 1 }]
  const deleted = (path: string, kind: FileKind): DeletedFile => ({ id: "1", path, kind, bytes: 1, deleted: 1 })
  greeting.value = { kinds: [{ name: "work", title: "a whole work", suffixes: [".work.json", ".json"] }] } as Hello
  expect(nameBeside(deleted("a/hall.toml", "recipe"))).toBe("a/hall-3.toml")
  expect(nameBeside(deleted("hall.toml", "recipe"))).toBe("hall-2.toml")
  expect(nameBeside(deleted("Hall.Work.json", "work"))).toBe("Hall-2.Work.json")
  expect(nameBeside(deleted("hall.json", "work"))).toBe("hall-2.json")
})
