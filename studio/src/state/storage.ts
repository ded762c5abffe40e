/** State that the browser stores between visits. A full or forbidden storage is ignored. */
const PREFIX = "undercroft "

export function recall<T>(name: string, otherwise: T): T {
  try {
    const found = localStorage.getItem(PREFIX + name)
    return found === null ? otherwise : (JSON.parse(found) as T)
  } catch {
    return otherwise
  }
}

export function remember(name: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value))
  } catch {
    // The value is only not remembered.
  }
}

const pendingWrites = new Map<string, () => void>()

/** The same a moment later, for what changes with every key press: writing it each time would cost more than drawing a level. */
export function rememberSoon(name: string, value: () => unknown): void {
  if (pendingWrites.size === 0) setTimeout(rememberNow, 400)
  pendingWrites.set(name, () => remember(name, value()))
}

function rememberNow(): void {
  for (const write of pendingWrites.values()) write()
  pendingWrites.clear()
}
addEventListener("pagehide", rememberNow)
addEventListener("visibilitychange", rememberNow)
