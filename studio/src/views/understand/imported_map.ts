/** A map that was read from a file: it was not made here, so there are no steps and no rules to look at. */
import { isMap, work } from "../../state/work"

export const isImportedMap = (): boolean => work.value !== null && isMap(work.value)

/** What turn 0 shows. */
export const turnZeroName = (): string => (isImportedMap() ? "map of the file" : "blank map")
