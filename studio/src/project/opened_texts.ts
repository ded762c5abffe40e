/**
 * Which text of a file was opened here or saved from here last, by its digest.
 *
 * A file on disk is overwritten only if it still has that text, so that changes made elsewhere are never lost silently, not even between two visits.
 */
import { signal } from "@preact/signals"
import { recall, remember } from "../state/storage"

const digests = new Map<string, string>(Object.entries(recall<Record<string, string>>("opened files", {})))

/** A short digest: enough to tell two texts of one file apart. */
function digest(text: string): string {
  let a = 0xdeadbeef
  let b = 0x41c6ce57
  for (let k = 0; k < text.length; k++) {
    const code = text.charCodeAt(k)
    a = Math.imul(a ^ code, 2654435761)
    b = Math.imul(b ^ code, 1597334677)
  }
  return `${text.length} ${(a >>> 0).toString(36)}${(b >>> 0).toString(36)}`
}

export function noteOpened(path: string, text: string): void {
  digests.set(path, digest(text))
  remember("opened files", Object.fromEntries(digests))
}

/** Whether this text is the one that was opened here; a file that never was is not. */
export const isOpenedText = (path: string, text: string): boolean => digests.get(path) === digest(text)
export const wasOpened = (path: string): boolean => digests.has(path)

/** The current file was changed here and elsewhere. */
export const changedElsewhere = signal<{ path: string; text: string } | null>(null)
