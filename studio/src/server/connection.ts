/**
 * The connection to the server: a socket for requests that are answered over time, and HTTP for files.
 *
 * `ask` never throws: it ends in "done", "problem", "cancelled" (a newer ask of the same lane, or `cancel`) or "gone" (the server went away).
 * A newer ask of a lane cancels the older one at once, here and on the server.
 */
import { signal } from "@preact/signals"
import type { Answer, Ask, Hello, LevelHead, Problem } from "./protocol"
import { forgetToken, onNewToken, token } from "./token"
import { type Blocks, unpackMessage } from "./message"

export type Progress = Extract<Answer, { kind: "progress" }>

export type Reply<Head> =
  | { kind: "done"; head: Head; blocks: Blocks }
  | { kind: "problem"; problem: Problem; nearest?: LevelHead; blocks: Blocks }
  | { kind: "cancelled" }
  | { kind: "gone" }

/** `Omit` that keeps the members of a union apart. */
type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never
export type AskBody = Without<Ask, "id" | "lane">

export interface Listener<Part> {
  progress?: (step: Progress) => void
  part?: (head: Part, blocks: Blocks) => void
}

export type Connection =
  /** Not yet, or trying again now. */
  | { kind: "trying" }
  | { kind: "open" }
  /** Gone; the next try is at this time, in milliseconds since 1970. */
  | { kind: "gone"; again: number }
  /** The server runs but refuses the token: it was restarted, or the page was opened without a token. */
  | { kind: "refused" }

export const connection = signal<Connection>({ kind: "trying" })

interface Pending {
  lane: string
  hear: Listener<never>
  end: (reply: Reply<never>) => void
}

const RETRY_SECONDS = [1, 2, 4, 8]
const CLOSED_TOKEN_REFUSED = 4401

let socket: WebSocket | null = null
let tries = 0
/** Until the page connects for the first time, a token is only taken. */
let begun = false
let lastId = 0
const pending = new Map<number, Pending>()
const listeners = new Set<(news: Extract<Answer, { id: 0 }>) => void>()

/** Listens to messages that are no answers: files changed on disk, watched files written. Returns a function that stops it. */
export function onNews(hear: (news: Extract<Answer, { id: 0 }>) => void): () => void {
  listeners.add(hear)
  return () => listeners.delete(hear)
}

export function ask<Head, Part = never>(lane: string, what: AskBody, hear: Listener<Part> = {}): Promise<Reply<Head>> {
  const line = socket
  endPending(lane)
  if (!line || connection.peek().kind !== "open") return Promise.resolve({ kind: "gone" })
  const id = ++lastId
  const message = JSON.stringify({ id, lane, ...what })
  const refused = tooLong(message)
  if (refused) return Promise.resolve({ kind: "problem", problem: refused, blocks: {} })
  return new Promise((end) => {
    pending.set(id, { lane, hear, end })
    line.send(message)
  })
}

/** The server would drop the connection, so a message beyond its limit is not sent. */
function tooLong(message: string): Problem | null {
  const most = greeting.peek()?.limits.request ?? Infinity
  const bytes = message.length > most / 3 ? new TextEncoder().encode(message).length : 0
  if (bytes <= most) return null
  return { problem: `this is too long for the studio: ${bytes.toLocaleString("en")} bytes, and the limit is ${most.toLocaleString("en")}`, fix: "shorten the text, or keep what is long in a file of its own", place: null }
}

export function cancel(lane: string): void {
  if (endPending(lane) && socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ cancel: lane }))
}

/** Ends what is pending in a lane; answers that still arrive are ignored. */
function endPending(lane: string): boolean {
  let any = false
  for (const [id, one] of pending)
    if (one.lane === lane) {
      pending.delete(id)
      one.end({ kind: "cancelled" })
      any = true
    }
  return any
}

export function connect(): void {
  begun = true
  if (socket?.readyState === WebSocket.CONNECTING) return // it takes the token of then
  if (!token()) {
    connection.value = { kind: "refused" }
    return
  }
  connection.value = { kind: "trying" }
  const line = new WebSocket(location.origin.replace(/^http/, "ws") + "/api/live")
  line.binaryType = "arraybuffer"
  socket = line
  let greeted = false
  line.onopen = () => {
    line.send(JSON.stringify({ token: token() }))
    // A refused token closes the socket; the request for hello shows at once whether it was accepted.
    void fetchHello().then((found) => {
      if (line !== socket || line.readyState !== WebSocket.OPEN) return
      if (!found) {
        line.close() // and tried again later
        return
      }
      greeted = true
      tries = 0
      connection.value = { kind: "open" }
    })
  }
  line.onmessage = (message: MessageEvent<string | ArrayBuffer>) => receive(message.data)
  line.onclose = (event) => {
    if (line !== socket) return
    socket = null
    for (const one of pending.values()) one.end({ kind: "gone" })
    pending.clear()
    if (event.code === CLOSED_TOKEN_REFUSED && !greeted) {
      dropToken()
      return
    }
    retryLater()
  }
}

function retryLater(): void {
  if (connection.peek().kind === "refused") return
  const wait = (RETRY_SECONDS[Math.min(tries++, RETRY_SECONDS.length - 1)] ?? 8) * 1000
  connection.value = { kind: "gone", again: Date.now() + wait }
  setTimeout(() => {
    if (connection.peek().kind === "gone") connect()
  }, wait)
}

/** Try now instead of waiting. */
export function tryNow(): void {
  if (connection.peek().kind === "gone" || connection.peek().kind === "refused") connect()
}

function dropToken(): void {
  forgetToken()
  connection.value = { kind: "refused" }
}
onNewToken(() => {
  if (begun && connection.peek().kind !== "open") connect()
})

function receive(data: string | ArrayBuffer): void {
  const [answer, blocks] = typeof data === "string" ? [JSON.parse(data) as Answer, {}] : unpackMessage(data)
  if (answer.id === 0) {
    for (const listener of listeners) listener(answer as Extract<Answer, { id: 0 }>)
    return
  }
  const one = pending.get(answer.id)
  if (!one) return
  if (answer.kind === "progress") one.hear.progress?.(answer)
  else if (answer.kind === "part") one.hear.part?.(answer as never, blocks)
  else {
    pending.delete(answer.id)
    if (answer.kind === "cancelled") one.end({ kind: "cancelled" })
    else if (answer.kind === "problem") one.end({ kind: "problem", problem: answer, ...(answer.nearest ? { nearest: answer.nearest } : {}), blocks })
    else one.end({ kind: "done", head: answer as never, blocks })
  }
}

/* ---- HTTP ---- */

export type HttpResult<T> = { ok: true; value: T } | { ok: false; problem: Problem; status: number }

export const greeting = signal<Hello | null>(null)

async function fetchHello(): Promise<Hello | null> {
  const got = await requestJson<Hello>("GET", "/api/hello")
  if (got.ok) {
    greeting.value = got.value
    return got.value
  }
  if (got.status === 401 || got.status === 403) dropToken()
  return null
}

/** Fetches the recipes again after a file of the project changed. */
export const refreshHello = fetchHello

/** With `keepalive` the request outlives the page; it may have at most 64 kB. */
export const post = <T>(path: string, body: unknown, more: RequestInit = {}): Promise<HttpResult<T>> => requestJson<T>("POST", path, body, more)

const requestJson = <T>(method: string, path: string, body?: unknown, more?: RequestInit): Promise<HttpResult<T>> =>
  request(method, path, body, (answer) => answer.json() as Promise<T>, more)

/** A file that the server makes: its bytes and the name it suggests. */
export const fetchFile = (path: string, body: unknown): Promise<HttpResult<{ blob: Blob; name: string; type: string }>> =>
  request("POST", path, body, async (answer) => {
    const name = /filename="([^"]*)"/.exec(answer.headers.get("content-disposition") ?? "")?.[1] ?? "level"
    return { blob: await answer.blob(), name, type: answer.headers.get("content-type") ?? "" }
  })

/** Never throws: a connection that is lost during the answer counts as no answer. */
async function request<T>(method: string, path: string, body: unknown, take: (answer: Response) => Promise<T>, more?: RequestInit): Promise<HttpResult<T>> {
  try {
    const answer = await fetch(path, {
      method,
      headers: { "X-Undercroft-Token": token() ?? "", ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      credentials: "omit",
      cache: "no-store",
      ...more,
    })
    if (answer.ok) return { ok: true, value: await take(answer) }
    const told = (await answer.json().catch(() => null)) as Problem | null
    return { ok: false, status: answer.status, problem: told?.problem ? told : { problem: `The studio answered with ${answer.status}.`, fix: "", place: null } }
  } catch {
    return { ok: false, status: 0, problem: { problem: "The studio does not answer.", fix: `start it again with: ${greeting.peek()?.restart ?? "undercroft studio"}`, place: null } }
  }
}
