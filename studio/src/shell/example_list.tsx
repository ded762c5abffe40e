/** What comes with the program, to be copied into the project: recipes, rules and layouts. */
import { signal, useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { Button } from "../widgets/button"
import { Icon } from "../widgets/icons"
import { Trouble } from "../widgets/path_field"
import type { LayoutsThere, Problem } from "../server/protocol"
import { ask } from "../server/connection"
import { recipes } from "../state/recipes"
import { STARTERS } from "../views/author/rules/starters"
import { iconOfKind } from "./file_list"
import { copyExample, type Example } from "./new_files"

const layouts = signal<Example[]>([])

const GROUPS: { title: string; list: () => Example[] }[] = [
  {
    title: "Recipes",
    list: () => recipes.value.filter((one) => one.origin === "ours").map((one) => ({ kind: "recipe", name: one.name, about: one.about, file: `my-${one.name}.toml`, text: one.text })),
  },
  { title: "Rules", list: () => STARTERS.map((one) => ({ kind: "rules", name: one.name, about: one.about, file: one.file, text: one.text })) },
  { title: "Layouts", list: () => layouts.value },
]

export function ExampleList({ matches, onOpened }: { matches: (text: string) => boolean; onOpened: () => void }) {
  const problem = useSignal<Problem | null>(null)
  const busy = useSignal(false)
  useEffect(() => {
    if (layouts.peek().length === 0)
      void ask<LayoutsThere>("examples", { do: "layouts" }).then((reply) => {
        if (reply.kind === "done") layouts.value = reply.head.layouts.map((one) => ({ kind: "layout", name: one.name, about: one.about, file: `${one.name}.layout`, text: one.text }))
      })
  }, [])
  const copy = async (of: Example): Promise<void> => {
    busy.value = true
    problem.value = await copyExample(of)
    busy.value = false
    if (!problem.value) onOpened()
  }
  const groups = GROUPS.map(({ title, list }) => ({ title, rows: list().filter((one) => matches(`${one.name} ${one.about} ${one.kind}`)) })).filter((group) => group.rows.length)
  return (
    <>
      {problem.value && <Trouble problem={problem.value} />}
      {groups.length === 0 && <p class="second open-none">No example is called that.</p>}
      {groups.map(({ title, rows }) => (
        <section key={title} aria-label={title}>
          <h3 class="caption open-caption">{title}</h3>
          <ul class="open-list">
            {rows.map((one) => (
              <li key={one.name} class="open-row">
                <span class="open-file" title={one.about}>
                  <Icon name={iconOfKind(one.kind)} />
                  <span class="open-name">{one.name}</span>
                  <span class="quiet open-about">{one.about}</span>
                </span>
                <Button small icon="copy" label={`Copy the ${one.kind} ${one.name} into the project`} disabled={busy.value} onClick={() => void copy(one)}>
                  Copy
                </Button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}
