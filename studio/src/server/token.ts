/**
 * The token that lets this page talk to its server.
 *
 * It comes in the fragment of the address, which browsers never send. It is taken out of the address at once, so that it is neither copied with a
 * link nor kept in the history. Memory and the tab's own storage hold it. Another tab of the same origin may ask for it, so that a link opens.
 */
const PLACE = "undercroft token"
const channel = new BroadcastChannel(PLACE)

let held: string | null = null
/** Tokens that were refused: two tabs must not hand an old one to each other for ever. */
const stale = new Set<string>()
const hearers = new Set<() => void>()

export const token = (): string | null => held

/** Takes the token out of the address; what else the fragment says stays. */
export function takeToken(): void {
  const said = new URLSearchParams(location.hash.slice(1))
  const found = said.get("token")
  if (found) {
    said.delete("token")
    const rest = said.toString()
    history.replaceState(null, "", location.pathname + (rest ? "#" + rest : ""))
    sessionStorage.setItem(PLACE, found)
    channel.postMessage({ token: found })
    stale.delete(found)
    if (hearers.size) {
      take(found)
      return
    }
  }
  held = found ?? held ?? sessionStorage.getItem(PLACE)
  if (!held) channel.postMessage({ wanted: true })
}

/** A token typed or pasted by hand, as an address or alone. */
export function giveToken(written: string): void {
  const found = /token=([^&\s]+)/.exec(written)?.[1] ?? written.trim()
  stale.delete(found)
  take(found)
}

export function forgetToken(): void {
  if (held) stale.add(held)
  held = null
  sessionStorage.removeItem(PLACE)
  channel.postMessage({ wanted: true })
}

/** Calls back when another tab or a person brings a token. */
export function newToken(hear: () => void): void {
  hearers.add(hear)
}

function take(found: string): void {
  if (!found || found === held || stale.has(found)) return
  held = found
  sessionStorage.setItem(PLACE, found)
  for (const hear of hearers) hear()
}

channel.onmessage = (message: MessageEvent<{ token?: string; wanted?: boolean }>) => {
  if (message.data.wanted && held) channel.postMessage({ token: held })
  if (message.data.token && message.data.token !== held) take(message.data.token)
}
