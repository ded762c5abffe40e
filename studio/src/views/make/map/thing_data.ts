/** The data of a thing as the rows of a small table, and back. Every value keeps its type. */
export type ValueKind = "text" | "number" | "yes" | "no" | "list"
export interface DataRow {
  key: string
  kind: ValueKind
  /** The value as it is typed: of a list or table its JSON, of yes and no nothing. */
  text: string
}

export const VALUE_KINDS: { value: ValueKind; title: string }[] = [
  { value: "text", title: "text" },
  { value: "number", title: "number" },
  { value: "yes", title: "yes" },
  { value: "no", title: "no" },
  { value: "list", title: "list, table" },
]

export function rowsOfData(data: Record<string, unknown>): DataRow[] {
  return Object.entries(data).map(([key, value]) => {
    if (typeof value === "boolean") return { key, kind: value ? "yes" : "no", text: "" }
    if (typeof value === "string") return { key, kind: "text", text: value }
    return { key, kind: typeof value === "number" ? "number" : "list", text: JSON.stringify(value) }
  })
}

/** The data of rows, or what is wrong with the first that is wrong. */
export function dataOfRows(rows: readonly DataRow[]): { data: Record<string, unknown> } | { problem: string } {
  const data = new Map<string, unknown>()
  for (const { key, kind, text } of rows) {
    if (!key) return { problem: "Each value needs a name." }
    if (data.has(key)) return { problem: `There are two values "${key}".` }
    if (kind === "number" && (!text.trim() || Number.isNaN(Number(text)))) return { problem: `"${key}" is a number, such as 3 or -0.5.` }
    if (kind === "number" && !isSafe(Number(text))) return { problem: `The number "${key}" is too large. Make it a text.` }
    if (kind === "list") {
      const value = listOf(text)
      if (!value) return { problem: `"${key}" is a list or table without others in it, such as ["rope", 2] or {"item": "rope"}.` }
      data.set(key, value)
    } else data.set(key, kind === "text" ? text : kind === "number" ? Number(text) : kind === "yes")
  }
  return { data: Object.fromEntries(data) }
}

/** The most entries of a list or table, and what may stand in it: see `core/thing_data.py` of the library. */
const MAX_ENTRIES = 64
const isPlain = (value: unknown): boolean => typeof value === "string" || typeof value === "boolean" || (typeof value === "number" && isSafe(value))
/** A work holds no greater numbers, since browsers do not. */
const isSafe = (value: number): boolean => Math.abs(value) <= Number.MAX_SAFE_INTEGER
/** The name of a value with a number beyond those that browsers hold exactly, as the data of a map's file may have; null if there is none. */
export function inexactNumber(data: Record<string, unknown>): string | null {
  const isInexact = (value: unknown): boolean => (typeof value === "number" ? !isSafe(value) : typeof value === "object" && value !== null && Object.values(value).some(isInexact))
  return Object.keys(data).find((key) => isInexact(data[key])) ?? null
}
const isFlatTable = (value: unknown): value is object => typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length <= MAX_ENTRIES && Object.values(value).every(isPlain)

function listOf(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    if (Array.isArray(value)) return value.length <= MAX_ENTRIES && value.every((one) => isPlain(one) || isFlatTable(one)) ? value : null
    return isFlatTable(value) ? value : null
  } catch {
    return null
  }
}
