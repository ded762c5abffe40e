/** What the command palette offers: entries of the key table that do something now, and commands that views add. */
import { signal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { activeKeys, keyOf, runKey } from "./keys"

export interface Command {
  label: string
  /** A word about what it is: "recipe", "style". */
  kind?: string
  keys?: string[]
  run: () => void
}

const providers = signal<{ list: () => Command[] }[]>([])

/** Offers commands while a component is there. `list` is called when the palette opens. */
export function useCommands(list: () => Command[]): void {
  const latest = useRef(list)
  latest.current = list
  useEffect(() => {
    const mine = { list: () => latest.current() }
    providers.value = [...providers.peek(), mine]
    return () => {
      providers.value = providers.peek().filter((one) => one !== mine)
    }
  }, [])
}

export function commands(): Command[] {
  const keyed = activeKeys().map((name) => {
    const key = keyOf(name)
    return { label: key.command ?? key.label, keys: key.press[0]?.split("+") ?? [], run: () => void runKey(name) }
  })
  return [...keyed, ...providers.value.flatMap((one) => one.list())]
}

/** Commands that contain all words of the query, best matches first. */
export function matchingCommands(all: Command[], query: string): Command[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return all
  const score = (command: Command): number => {
    const text = `${command.label} ${command.kind ?? ""}`.toLowerCase()
    if (!words.every((word) => text.includes(word))) return -1
    return (text.startsWith(words[0] ?? "") ? 4 : 0) + (text.includes(" " + (words[0] ?? "")) ? 2 : 0) + 1 / text.length
  }
  return all.map((command) => ({ command, points: score(command) })).filter((one) => one.points >= 0).sort((a, b) => b.points - a.points).map((one) => one.command)
}
