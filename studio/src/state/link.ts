/** Links to the current work: the page's address, with everything that makes the level in its fragment. */
import { linkFragment, parseFragment, type LinkedWork } from "./link_text"
import { chosenStyle } from "./picture"
import type { Work } from "./work"

export const linkTo = async (of: Work, baseText: string, style: string | null): Promise<string> => `${location.origin}/#${await linkFragment(of, baseText, style)}`

/** The work that the address's fragment names; null if it names none. A style that it names is chosen. */
export async function readLink(hash: string): Promise<LinkedWork | null> {
  const found = await parseFragment(hash.slice(1))
  if (found?.style) chosenStyle.value = found.style
  return found?.work ?? null
}
