/** One of the two: which level it is, and its map. */
import { useSignal } from "@preact/signals"
import { MapCanvas } from "../../../canvas/map_canvas"
import { Button } from "../../../widgets/button"
import { RecipeMenu } from "../../../widgets/recipe_menu"
import { MetChip } from "../../../widgets/requirements"
import { describeCell } from "../../../state/level"
import { view } from "../../../state/navigation"
import { cardOf, workOfCard, openWork, recipes } from "../../../state/recipes"
import { isMap, work, type Work } from "../../../state/work"
import { marks, type Mark } from "../state"
import { maps } from "./maps"
import { setSeed, setSide, sides } from "./state"

const MARGIN = { top: 38, right: 20, bottom: 20, left: 20 }
/** Options of the menu that are no recipe of the gallery. */
const MADE = " made"
const CHANGED = " changed"

const workName = (of: Work): string => of.file.replace(/\.toml$/, "")
const isUntouched = (of: Work): boolean => cardOf(of.base)?.text === of.text && Object.keys(of.values).length === 0
const sameRecipe = (a: Work, b: Work): boolean => JSON.stringify([a.base, a.text, a.values]) === JSON.stringify([b.base, b.text, b.values])

export function SideView({ which }: { which: Mark }) {
  const of = marks.value[which]
  const { level, problem } = sides[which]
  const now = level.value
  const letter = which.toUpperCase()
  if (!of) return null
  const stale = now !== null && now.source.seed !== of.seed
  return (
    <section class={"cp-side" + (stale ? " stale" : "")} aria-label={letter}>
      <header class="cp-head">
        <span class={"xp-mark" + (which === "b" ? " hollow" : "")}>{letter}</span>
        <SideRecipe which={which} of={of} />
        {!isMap(of) && <SeedField which={which} of={of} />}
        <span class="gap" />
        <Button small label={`Open in Make: ${letter}`} onClick={() => void openWork({ ...of }).then(() => (view.value = "make"))}>
          Open in Make
        </Button>
      </header>
      <div class="cp-map">
        <MapCanvas map={maps[which]} label={`Map of ${letter}: ${now?.head.title ?? workName(of)}`} margin={MARGIN} speak={([x, y]) => (now ? describeCell(now, y * now.width + x) : "")} />
        {now && (
          <div class="cp-title">
            <b>{now.head.title}</b>
            <span>
              {workName(of)}
              {!isMap(of) && `, seed ${now.head.seed}`}, {now.width} × {now.height}
            </span>
          </div>
        )}
        <div class="cp-corner">
          {now && <MetChip of={now.head.requirements} />}
          <span class="cp-zoom">{Math.round(maps[which].zoomed.value * 100)} %</span>
        </div>
        {problem.value && (
          <div class="cp-problem float" role="alert">
            <b>{problem.value.problem.split("\n")[0]}</b>
            {problem.value.fix && <span>Fix: {problem.value.fix}</span>}
          </div>
        )}
      </div>
    </section>
  )
}

function SideRecipe({ which, of }: { which: Mark; of: Work }) {
  const made = work.value
  const inMake = made && !isUntouched(made) ? made : null
  const value = inMake && sameRecipe(of, inMake) ? MADE : isUntouched(of) ? (cardOf(of.base)?.path ?? workName(of)) : CHANGED
  const options = [
    ...(value === CHANGED ? [{ value: CHANGED, title: isMap(of) ? workName(of) : `${workName(of)}, changed` }] : []),
    ...(inMake ? [{ value: MADE, title: `${workName(inMake)}, as in Make` }] : []),
    ...recipes.value.filter((one) => !one.problem).map((one) => ({ value: one.path ?? one.name, title: one.name, recipe: one })),
  ]
  const choose = (to: string): void => {
    if (to === MADE && inMake) setSide(which, isMap(inMake) ? inMake : { ...inMake, seed: of.seed, edits: [] })
    const card = recipes.peek().find((one) => (one.path ?? one.name) === to)
    // Its own size: not every recipe can be made in every size.
    if (card) setSide(which, { ...workOfCard(card, of.seed), tries: of.tries })
  }
  return <RecipeMenu label={`Recipe of ${which.toUpperCase()}`} value={value} options={options} onChange={choose} />
}

function SeedField({ which, of }: { which: Mark; of: Work }) {
  const typing = useSignal<string | null>(null)
  const take = (): void => {
    if (typing.value !== null) setSeed(which, typing.value)
    typing.value = null
  }
  return (
    <>
      <label class="field small cp-seed">
        <span class="field-name">Seed</span>
        <input
          class="mono"
          type="text"
          aria-label={`Seed of ${which.toUpperCase()}`}
          value={typing.value ?? of.seed}
          onFocus={(event) => event.currentTarget.select()}
          onInput={(event) => (typing.value = event.currentTarget.value)}
          onBlur={take}
          onKeyDown={(event) => {
            if (event.key === "Enter") take()
          }}
        />
      </label>
      <Button small icon="shuffle" label={`Another seed for ${which.toUpperCase()}`} look="quiet" onClick={() => setSeed(which, anySeed())} />
    </>
  )
}

export const anySeed = (): string => String(1 + Math.floor(Math.random() * 9999))
