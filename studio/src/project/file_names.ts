/** A name that every system takes for a file. */
export const plainName = (of: string): string =>
  of
    .toLowerCase()
    .replace(/[^\p{L}\p{N}._-]+/gu, "-")
    .replace(/^[-.]+|[-.]+$/g, "")
    .slice(0, 60) || "level"
