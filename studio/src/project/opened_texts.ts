/**
 * Which text of a file was opened here or saved from here last, by its digest.
 *
 * A file on disk is overwritten only if it still has that text, so that changes made elsewhere are never lost silently, not even between two visits.
 */
import { signal } from "@preact/signals"
import { digest } from "../state/digest"
import { isText, recallEach, remember } from "../state/storage"

const digests = recallEach("drafts/opened", isText)

export function noteOpened(path: string, text: string): void {
  digests.set(path, digest(text))
  remember("drafts/opened/" + path, digests.get(path))
}

/** The file has another name, or is none of ours any more. */
export function noteRenamed(path: string, to: string | null): void {
  const found = digests.get(path)
  if (found === undefined) return
  digests.delete(path)
  remember("drafts/opened/" + path, null)
  if (to === null) return
  digests.set(to, found)
  remember("drafts/opened/" + to, found)
}

/** Whether this text is the one that was opened here; a file that never was is not. */
export const isOpenedText = (path: string, text: string): boolean => digests.get(path) === digest(text)
export const wasOpened = (path: string): boolean => digests.has(path)

/** The current file was changed here and elsewhere. */
export const changedElsewhere = signal<{ path: string; text: string } | null>(null)
