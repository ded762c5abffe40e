/** What earlier versions kept in the browser, each value under "undercroft" and its name: as the values of today. It is removed there. */
import { digest } from "./digest"

const PREFIX = "undercroft "

export function oldValues(project: string): [string, unknown][] {
  const found: [string, unknown][] = []
  try {
    for (const key of Object.keys(localStorage)) {
      if (!key.startsWith(PREFIX)) continue
      const name = key.slice(PREFIX.length)
      if (name.startsWith("author rules ") && name !== "author rules " + project) continue
      try {
        found.push(...converted(name, JSON.parse(localStorage.getItem(key) ?? "null")))
      } catch {
        // It is damaged.
      }
      localStorage.removeItem(key)
    }
  } catch {
    // Nothing can be read here.
  }
  return found
}

interface RulesOfOld {
  file: string
  docs: { file: string }[]
}

/** The values of today that a value of old stands for. Whether they are good is seen when they are recalled. */
function converted(name: string, value: unknown): [string, unknown][] {
  if (name === "favourites") return (value as object[]).map((one) => [`favourites/${digest(JSON.stringify(one))}`, one])
  if (name === "history") return (value as { entries: { id: number }[] }).entries.map((one) => [`history/${one.id}`, one])
  if (name === "work") return [["drafts/work/old", value]]
  if (name === "opened files") return Object.entries(value as object).map(([path, one]) => [`drafts/opened/${path}`, one])
  if (name === "layout") return [["open layout", value]]
  if (name === "layout drafts") return (value as [string, unknown][]).map(([path, one]) => [`drafts/layouts/${path}`, one])
  if (name.startsWith("author rules ")) {
    const { file, docs } = value as RulesOfOld
    return [["open rules", docs.find((one) => one.file === file)], ...docs.map((one): [string, unknown] => [`drafts/rules/${one.file}`, one])]
  }
  return [[name, value]]
}
