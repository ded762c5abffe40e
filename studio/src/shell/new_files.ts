/** New files to begin with, and copies of the examples that come with the program. */
import type { FileKind, FileText, Problem } from "../server/protocol"
import { post, refreshHello } from "../server/connection"
import { noteOpened, noteRenamed } from "../project/opened_texts"
import { freeName, suffixOf } from "../project/file_names"
import { say, view } from "../state/navigation"
import { cardOf, openRecipe, openWork, recipes } from "../state/recipes"
import { DEFAULT_TRIES, seed } from "../state/work"
import { authorTab, openInAuthor } from "../project/open_in_author"
import { listProjectFiles } from "../project/file_acts"
import { startFile } from "../views/author/rules/files"
import { FIRST_RULES } from "../views/author/rules/starters"
import { startLayout } from "../views/author/layouts/files"

export const FIRST_RECIPE = `about = "Rooms in the rock, and corridors between them"
size = [60, 36]

[param.rooms]
default = 60
range = [1, 400]
about = "how many rooms to try to place"

[param.loops]
default = 0.05
range = [0.0, 1.0]
about = "chance of a further door where two parts are joined already"

[[step]]
use = "fill"

[[step]]
use = "rooms"
tries = "$rooms"

[[step]]
use = "maze"

[[step]]
use = "connect"
extra = "$loops"

[[step]]
use = "prune"

[[step]]
use = "survey"

[[step]]
use = "interest"

# What every level must have. Seeds that fail are tried again.
[require]
rooms = ">= 3"
`

/** A recipe that is in no file yet, and is made at once. Ctrl S asks for its name. */
export async function newRecipe(): Promise<void> {
  const file = freeName("recipe", ".toml", [...(await listProjectFiles()), ...recipes.peek()].flatMap((one) => one.path ?? []))
  noteRenamed(file, null)
  view.value = "make"
  await openWork({ base: { path: file }, file, text: FIRST_RECIPE, values: {}, seed: seed.peek() || "1", size: null, until: [], tries: DEFAULT_TRIES })
}

export async function newRules(): Promise<void> {
  await startFile(FIRST_RULES)
  authorTab.value = "rules"
  view.value = "author"
}

export async function newLayout(): Promise<void> {
  await startLayout()
  authorTab.value = "layouts"
  view.value = "author"
}

export interface Example {
  kind: Exclude<FileKind, "level" | "work">
  name: string
  about: string
  /** The name that its copy gets if it is free. */
  file: string
  text: string
}

/** Copies an example into the project under a free name, and opens it. */
export async function copyExample(of: Example): Promise<Problem | null> {
  const suffix = suffixOf(of.file)
  const taken = (await listProjectFiles()).map((file) => file.path)
  const path = freeName(of.file.slice(0, -suffix.length), suffix, taken)
  const got = await post<FileText>("/api/files/save", { path, text: of.text, seen: "", kind: of.kind })
  if (!got.ok) return got.problem
  say(`${path} is in the project now`)
  if (of.kind !== "recipe") {
    openInAuthor(of.kind, path)
    return null
  }
  noteOpened(path, of.text)
  await refreshHello()
  const found = cardOf({ path })
  if (found) openRecipe(found)
  view.value = "make"
  return null
}
