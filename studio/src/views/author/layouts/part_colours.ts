/** Colours of partitions. */
import type { Doc } from "./model"

/** Colours of partitions that have none, in this order: the same as on the sheets of the command line. */
const PART_COLOURS = ["#4f9ad8", "#e6a23c", "#5dbb7a", "#c86bb5", "#e06c5e", "#48b8b0", "#9a86e0", "#b9b04a", "#d98aa8", "#7fa35a", "#6f8fd0", "#c98d5d"]

const probe = document.createElement("canvas").getContext("2d")

const hexColours = new Map<string, string>()

/** A colour as people write it, as #rrggbb; empty if it is none. */
export function hexColour(written: string): string {
  let found = hexColours.get(written)
  if (found === undefined && probe) {
    probe.fillStyle = "#010203"
    probe.fillStyle = written
    found = probe.fillStyle
    found = found === "#010203" || !found.startsWith("#") ? "" : found
    hexColours.set(written, found)
  }
  return found ?? ""
}

export function colourOf(doc: Doc, part: number): string {
  const index = doc.parts.findIndex((one) => one.id === part)
  const own = doc.parts[index]?.colour
  return (own && hexColour(own)) || (PART_COLOURS[index % PART_COLOURS.length] as string)
}
