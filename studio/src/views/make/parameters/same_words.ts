/** One word, one thing: a parameter and a measure of the same name both say what they are. */
import { spokenName } from "./slider_range"

interface Named {
  name: string
  about: string
}

/** The first clause of a text about something: "independent cycles, on the grid" -> "independent cycles". */
export const firstClause = (about: string): string => /^[^,;:(]*/.exec(about)?.[0].trim() ?? ""

/** What one of them is, if one of the others has its name; else nothing. */
export const clashingAbout = (one: Named, others: readonly Named[]): string => (others.some((other) => spokenName(other.name) === spokenName(one.name)) ? firstClause(one.about) : "")
