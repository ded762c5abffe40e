/** The recipes as live thumbnails, with filters and a search, and the favourites. */
import { signal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { Button, Chip } from "../../widgets/button"
import { Search } from "../../widgets/choices"
import { Icon } from "../../widgets/icons"
import { Thumb } from "../../widgets/thumbnail"
import type { RecipeCard, Source } from "../../server/protocol"
import { favourites } from "../../state/history"
import { dialog } from "../../state/navigation"
import { baseOf, openRecipe, openWork, recipes } from "../../state/recipes"
import { roughSource, thumbnailOf } from "../../state/thumbnails"
import { DEFAULT_TRIES, work, type Work } from "../../state/work"

/** Thumbnails show this seed, and opening a recipe takes it: what was pressed is what comes. */
export const gallerySeed = signal("1")
const filter = signal("all")
const query = signal("")

export const sourceOfCard = (of: RecipeCard, seed: string): Source => ({ recipe: baseOf(of), seed, size: null, params: {}, until: [], tries: DEFAULT_TRIES })

/** Tags as people would say them. */
const pluralTitle = (tag: string): string => tag.charAt(0).toUpperCase() + tag.slice(1) + (tag.endsWith("s") ? "" : "s")

function tags(): [string, number][] {
  const counts = new Map<string, number>()
  for (const recipe of recipes.value) for (const tag of recipe.tags) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return [...counts].filter(([, count]) => count > 1).sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]))
}

function matchingRecipes(): RecipeCard[] {
  const words = query.value.toLowerCase().split(/\s+/).filter(Boolean)
  return recipes.value.filter((recipe) => {
    if (filter.value === "mine" ? recipe.origin !== "mine" : filter.value !== "all" && filter.value !== "favourites" && !recipe.tags.includes(filter.value)) return false
    const text = `${recipe.name} ${recipe.about} ${recipe.tags.join(" ")}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

/** Scrolls the row alone: the browser's own way would move the page too when the gallery is a closed drawer. */
function scrollIntoRow(row: HTMLElement | null, card: Element | null | undefined): void {
  if (!row || !(card instanceof HTMLElement)) return
  const left = card.offsetLeft - row.offsetLeft
  const pad = 40
  if (left - pad < row.scrollLeft) row.scrollLeft = left - pad
  else if (left + card.offsetWidth + pad > row.scrollLeft + row.clientWidth) row.scrollLeft = left + card.offsetWidth + pad - row.clientWidth
}

export function Gallery() {
  const row = useRef<HTMLDivElement>(null)
  const base = work.value?.base
  const open = base && ("path" in base ? base.path : "name" in base ? base.name : "")
  useEffect(() => scrollIntoRow(row.current, row.current?.querySelector("[aria-current=true]")), [open])
  const mine = recipes.value.filter((recipe) => recipe.origin === "mine").length
  const found = matchingRecipes()
  return (
    <section class="gallery" aria-label="Recipes">
      <header class="gallery-head">
        <h2>Recipes</h2>
        <div class="gallery-filters" role="group" aria-label="Filter">
          <Filter name="all">All {recipes.value.length}</Filter>
          {mine > 0 && <Filter name="mine">Mine {mine}</Filter>}
          {favourites.value.length > 0 && (
            <Filter name="favourites">
              <Icon name="star" small filled /> {favourites.value.length}
            </Filter>
          )}
          {tags().map(([tag]) => (
            <Filter key={tag} name={tag}>
              {pluralTitle(tag)}
            </Filter>
          ))}
        </div>
        <Button icon="folder" label="Open a recipe of the project" small look="quiet" onClick={() => (dialog.value = "open")} />
        <Search small label="Find a recipe" value={query.value} onInput={(value) => (query.value = value)} onEnter={() => found[0] && openRecipe(found[0], gallerySeed.peek())} />
      </header>
      <div
        class="gallery-row"
        ref={row}
        data-arrows
        onWheel={(event) => {
          // A wheel turns the row; a touchpad that goes sideways already does.
          if (row.current && event.deltaX === 0) row.current.scrollLeft += event.deltaY
        }}
        onKeyDown={(event) => {
          const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0
          if (!by || !row.current) return
          const cards = [...row.current.querySelectorAll("button")]
          const next = cards[cards.indexOf(document.activeElement as HTMLButtonElement) + by]
          next?.focus({ preventScroll: true })
          scrollIntoRow(row.current, next)
          event.preventDefault()
        }}
      >
        {filter.value === "favourites" ? favourites.value.map((one, at) => <Favourite key={at} of={one} />) : found.map((recipe) => <Card key={recipe.path ?? recipe.name} of={recipe} />)}
        {filter.value !== "favourites" && found.length === 0 && (
          <p class="gallery-none">
            No recipe is called that.{" "}
            <Button small onClick={() => { query.value = ""; filter.value = "all" }}>
              Show all
            </Button>
          </p>
        )}
      </div>
    </section>
  )
}

function Filter({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <Chip on={filter.value === name} {...(name === "favourites" ? { label: `Favourites, ${favourites.value.length}` } : {})} onClick={() => (filter.value = filter.value === name ? "all" : name)}>
      {children}
    </Chip>
  )
}

/** Thumbnails follow the size of the row, which is lower on small screens. */
const CARD_WIDTH = 104
const CARD_HEIGHT = 72

export function Card({ of, width = CARD_WIDTH, height = CARD_HEIGHT }: { of: RecipeCard; width?: number; height?: number }) {
  const base = work.value?.base
  const on = base !== undefined && ("path" in base ? base.path === of.path : "name" in base && of.origin === "ours" && base.name === of.name)
  return (
    <button type="button" class={"card" + (on ? " on" : "")} aria-current={on} title={of.about} onClick={() => openRecipe(of, gallerySeed.peek())}>
      <span class="card-picture">
        {of.problem ? (
          <span class="card-problem">
            <Icon name="warn" />
          </span>
        ) : (
          <Thumb of={thumbnailOf(sourceOfCard(of, gallerySeed.value))} width={width} height={height} pad={6} />
        )}
      </span>
      <span class="card-name">{of.name}</span>
    </button>
  )
}

function Favourite({ of }: { of: Work }) {
  const name = `${of.file.replace(/\.toml$/, "")}, ${of.seed}`
  return (
    <button type="button" class="card" title={name} onClick={() => void openWork(of)}>
      <span class="card-picture">
        <Thumb of={thumbnailOf(roughSource(of))} width={CARD_WIDTH} height={CARD_HEIGHT} pad={6} />
      </span>
      <span class="card-name">{name}</span>
    </button>
  )
}
