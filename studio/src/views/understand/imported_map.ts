/** A map that was read from a file: it was not made here, so there are no steps and no rules to look at. */
import { isMap, work } from "../../state/work"

export const ofFile = (): boolean => work.value !== null && isMap(work.value)

/** What turn 0 shows. */
export const beginning = (): string => (ofFile() ? "map of the file" : "blank map")
