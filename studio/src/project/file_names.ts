/** Names of files: the suffix of their kind, free ones, and what every system takes. */
import { greeting } from "../server/connection"
import type { FileKind } from "../server/protocol"

/** A name that every system takes for a file. */
export const plainName = (of: string): string =>
  of
    .toLowerCase()
    .replace(/[^\p{L}\p{N}._-]+/gu, "-")
    .replace(/^[-.]+|[-.]+$/g, "")
    .slice(0, 60) || "level"

export interface CompletedName {
  path: string
  /** Why `path` is not what was typed, if that is the name of another kind of file: the user is asked. */
  why: string
}

/** A name with the suffix of its kind. A suffix that no file of the studio has is part of the name, as in "crypt.v2". */
export function completeName(typed: string, suffixes: readonly string[], known: readonly string[], title: string): CompletedName {
  const name = typed.trim()
  const base = name.replace(/^.*[/\\]/, "")
  const ends = (suffix: string): boolean => base.toLowerCase().endsWith(suffix) && base.length > suffix.length
  if (!base || suffixes.some(ends)) return { path: name, why: "" }
  const [foreign] = known.filter(ends).sort((a, b) => b.length - a.length)
  if (foreign === undefined) return { path: name.replace(/\.+$/, "") + (suffixes[0] ?? ""), why: "" }
  return { path: name.slice(0, -foreign.length) + (suffixes[0] ?? ""), why: `${name} is the name of another kind of file, and this is ${title}` }
}

/** The same for a kind of file; `suffix` is the only one that fits, if the file has one already. */
export function nameOfKind(typed: string, kind: FileKind, suffix?: string): CompletedName {
  const row = greeting.peek()?.kinds.find((one) => one.name === kind)
  return completeName(typed, suffix ? [suffix] : (row?.suffixes ?? []), greeting.peek()?.suffixes ?? [], row?.title ?? "a file")
}

/** A name that none of these files has, also where the case of letters does not count. */
export function freeName(stem: string, suffix: string, taken: Iterable<string>): string {
  const there = new Set([...taken].map((name) => name.normalize("NFC").toLowerCase()))
  for (let number = 1; ; number++) {
    const name = `${stem}${number > 1 ? "-" + number : ""}${suffix}`
    if (!there.has(name.normalize("NFC").toLowerCase())) return name
  }
}

export const suffixOf = (path: string): string => /[^/\\](\.[^./\\]+)$/.exec(path)?.[1] ?? ""
/** The same of a file of a kind whose suffix may have two parts, as .work.json. */
export function suffixOfKind(path: string, kind: FileKind | "other"): string {
  const found = greeting.peek()?.kinds.find((one) => one.name === kind)?.suffixes.find((suffix) => path.toLowerCase().endsWith(suffix))
  return found ? path.slice(-found.length) : suffixOf(path)
}
export const isRecipePath = (path: string): boolean => suffixOf(path).toLowerCase() === ".toml"
