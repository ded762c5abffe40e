/**
 * The token that authorises this page at its server.
 *
 * It comes in the fragment of the address, which browsers never send. It is taken out of the address at once, so that it is neither copied with a
 * link nor kept in the history. Memory and the tab's own storage hold it. Another tab of the same origin may ask for it, so that a link opens.
 */
const STORAGE_KEY = "undercroft token"
const channel = new BroadcastChannel(STORAGE_KEY)

let held: string | null = null
/** Tokens that were refused: two tabs must not hand an old one to each other for ever. */
const refusedTokens = new Set<string>()
const listeners = new Set<() => void>()

export const token = (): string | null => held

/** Takes the token out of the address; what else the fragment says stays. */
export function takeToken(): void {
  const said = new URLSearchParams(location.hash.slice(1))
  const found = said.get("token")
  if (found) {
    said.delete("token")
    const rest = said.toString()
    history.replaceState(null, "", location.pathname + (rest ? "#" + rest : ""))
    sessionStorage.setItem(STORAGE_KEY, found)
    channel.postMessage({ token: found })
    refusedTokens.delete(found)
    if (listeners.size) {
      setToken(found)
      return
    }
  }
  held = found ?? held ?? sessionStorage.getItem(STORAGE_KEY)
  if (!held) channel.postMessage({ wanted: true })
}

/** A token typed or pasted by hand, as an address or alone. */
export function giveToken(written: string): void {
  const found = /token=([^&\s]+)/.exec(written)?.[1] ?? written.trim()
  refusedTokens.delete(found)
  setToken(found)
}

export function forgetToken(): void {
  if (held) refusedTokens.add(held)
  held = null
  sessionStorage.removeItem(STORAGE_KEY)
  channel.postMessage({ wanted: true })
}

/** Calls back when a token arrives from another tab or from the form. */
export function onNewToken(hear: () => void): void {
  listeners.add(hear)
}

function setToken(found: string): void {
  if (!found || found === held || refusedTokens.has(found)) return
  held = found
  sessionStorage.setItem(STORAGE_KEY, found)
  for (const hear of listeners) hear()
}

channel.onmessage = (message: MessageEvent<{ token?: string; wanted?: boolean }>) => {
  if (message.data.wanted && held) channel.postMessage({ token: held })
  if (message.data.token && message.data.token !== held) setToken(message.data.token)
}
