/**
 * A link that makes the same level: everything is in the fragment, which browsers do not send anywhere.
 *
 * What people may want to read is written plainly (recipe, seed, size, parameters); the rest (a changed text, kept and painted cells) is packed.
 */
import { DEFAULT_TRIES, type Work } from "./work"

type Rest = Pick<Work, "text" | "values" | "until" | "tries" | "keep" | "edits">

const bytesOf = async (stream: ReadableStream): Promise<Uint8Array> => new Uint8Array(await new Response(stream).arrayBuffer())

async function pack(value: unknown): Promise<string> {
  const bytes = await bytesOf(new Blob([JSON.stringify(value)]).stream().pipeThrough(new CompressionStream("deflate-raw")))
  let text = ""
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")
}

async function unpack<T>(text: string): Promise<T> {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0))
  return JSON.parse(new TextDecoder().decode(await bytesOf(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))))) as T
}

/** The fragment of a link to a work, without its "#". */
export async function linkFragment(of: Work, baseText: string, style: string | null): Promise<string> {
  const said = new URLSearchParams()
  if ("path" in of.base) said.set("path", of.base.path)
  else if ("name" in of.base) said.set("recipe", of.base.name)
  // An imported map exists only in this server's memory: its link has no recipe, and leads to no level.
  said.set("seed", of.seed)
  if (of.size) said.set("size", of.size.join("x"))
  if (style) said.set("style", style)
  const rest: Partial<Rest> = {
    ...(of.text === baseText ? {} : { text: of.text }),
    ...(Object.keys(of.values).length ? { values: of.values } : {}),
    ...(of.until.length ? { until: of.until } : {}),
    ...(of.tries === DEFAULT_TRIES ? {} : { tries: of.tries }),
    ...(of.keep?.cells.length ? { keep: of.keep } : {}),
    ...(of.edits?.length ? { edits: of.edits } : {}),
  }
  if (Object.keys(rest).length) said.set("with", await pack(rest))
  return said.toString()
}

/** A work as a link has it: without its text if that is the recipe's own, and without the file, which follows from the recipe. */
export type LinkedWork = Omit<Work, "text" | "file"> & Partial<Pick<Work, "text">>

/** The work and the style that a fragment names; null if it names no recipe, or is not whole. */
export async function parseFragment(fragment: string): Promise<{ work: LinkedWork; style: string | null } | null> {
  const said = new URLSearchParams(fragment)
  const name = said.get("recipe")
  const path = said.get("path")
  if (!name && !path) return null
  let rest: Partial<Rest> = {}
  const more = said.get("with")
  if (more)
    try {
      rest = await unpack<Partial<Rest>>(more)
    } catch {
      return null
    }
  const size = /^(\d+)x(\d+)$/.exec(said.get("size") ?? "")
  const work: LinkedWork = {
    base: path ? { path } : { name: name ?? "" },
    seed: said.get("seed") ?? "1",
    size: size ? [Number(size[1]), Number(size[2])] : null,
    values: rest.values ?? {},
    until: rest.until ?? [],
    tries: rest.tries ?? DEFAULT_TRIES,
    ...(rest.text === undefined ? {} : { text: rest.text }),
    ...(rest.keep ? { keep: rest.keep } : {}),
    ...(rest.edits ? { edits: rest.edits } : {}),
  }
  return { work, style: said.get("style") }
}
