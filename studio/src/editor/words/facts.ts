/** What is known about words: the server's catalogue, asked for when it is first needed, and what can be chosen. */
import { signal } from "@preact/signals"
import type { Choice, Vocabulary } from "../../server/protocol"
import { ask } from "../../server/connection"

export const vocabulary = signal<Vocabulary | null>(null)

export async function loadVocabulary(): Promise<void> {
  if (vocabulary.peek()) return
  const reply = await ask<Vocabulary>("vocabulary", { do: "vocabulary" })
  if (reply.kind === "done") vocabulary.value = reply.head
}

export interface ChoiceQuery {
  of: string
  text: string
  file: string
}

/** Lists that were answered; a list is asked for anew whenever a picker or a completion opens. */
export const lists = signal<Record<string, Choice[]>>({})

const listKey = (of: ChoiceQuery): string => `${of.of} ${of.file}`
export const choicesOf = (of: ChoiceQuery): Choice[] | null => lists.value[listKey(of)] ?? null

export async function loadChoices(of: ChoiceQuery): Promise<void> {
  const reply = await ask<{ choices: Choice[] }>(`choices ${of.of}`, { do: "choices", ...of })
  if (reply.kind === "done") lists.value = { ...lists.peek(), [listKey(of)]: reply.head.choices }
}
