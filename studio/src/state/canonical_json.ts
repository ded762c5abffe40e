/** JSON with its keys in order, so that the page and the command line write the same bytes. `inputs/canonical_json.py` of the library is its twin. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`
  if (value === null || typeof value !== "object") return JSON.stringify(value)
  return `{${sortedEntries(value).map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`).join(",")}}`
}

/** The entries that JSON holds, sorted by the UTF-16 of their keys. */
export const sortedEntries = (value: object): [string, unknown][] => Object.entries(value).filter(([, inner]) => inner !== undefined).sort(([a], [b]) => (a < b ? -1 : 1))
