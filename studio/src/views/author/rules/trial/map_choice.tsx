/** Which map the rules run on: a blank one, a drawing, the current level at a step of its recipe, or a map of the project. */
import { useEffect } from "preact/hooks"
import { signal } from "@preact/signals"
import { Button } from "../../../../widgets/button"
import { Menu } from "../../../../widgets/choices"
import { LineInput } from "../../../../widgets/line_input"
import { runOn, type RunOn } from "../../../../project/open_in_author"
import { greeting, post } from "../../../../server/connection"
import type { FileRow } from "../../../../server/protocol"
import { changedFile, outline as recipe } from "../../../../state/recipes"
import { useSeed } from "../../../../state/seeds"
import { isMap, source, work } from "../../../../state/work"
import { tiles } from "../drawing/tile_looks"
import { runSeed, runSize } from "../reading"
import { drawn, startNow } from "./run_start"

/** Maps of the project. */
const maps = signal<string[]>([])

/** Levels, and files of a format that holds maps. Pictures are no maps, though a map can be read from one. */
function isMapFile({ kind, path }: FileRow): boolean {
  const reads = greeting.peek()?.formats.filter((format) => format.reads).flatMap((format) => format.suffixes) ?? []
  return kind === "level" || (kind === "other" && !path.endsWith(".png") && reads.some((suffix) => path.endsWith(suffix)))
}

const nameOf = (on: RunOn): string => (on.kind === "file" ? "file " + on.path : on.kind)

export function MapChoice() {
  const on = startNow.value
  const changed = changedFile.value?.at
  useEffect(() => {
    void post<FileRow[]>("/api/files/list", {}).then((got) => {
      if (got.ok) maps.value = got.value.filter(isMapFile).map((file) => file.path)
    })
  }, [changed])
  const now = work.value
  const paths = on.kind === "file" && !maps.value.includes(on.path) ? [...maps.value, on.path] : maps.value
  const choices: { on: RunOn; title: string }[] = [
    { on: { kind: "fill", tile: "" }, title: "A blank map" },
    { on: { kind: "drawing" }, title: "A drawing" },
    ...(now && source.value ? [{ on: { kind: "level" as const, step: "" }, title: `Level: ${now.file.replace(/\.\w+$/, "")}${isMap(now) ? "" : ", seed " + now.seed}` }] : []),
    ...paths.map((path) => ({ on: { kind: "file" as const, path }, title: path })),
  ]
  return (
    <Menu
      small
      label="Map to run on"
      value={nameOf(on)}
      options={choices.map((one) => ({ value: nameOf(one.on), title: one.title }))}
      onChange={(name) => {
        const next = choices.find((one) => nameOf(one.on) === name)
        if (next) runOn.value = next.on
      }}
    />
  )
}

/** What can be set about that map: the tile and size of a blank one, the step of a level; and the seed. */
export function MapSettings() {
  const on = startNow.value
  const atStep = on.kind === "level" && on.step !== ""
  return (
    <>
      {on.kind === "level" && recipe.value.steps.length > 0 && !(work.value && isMap(work.value)) && (
        <Menu small label="Step of the level" value={on.step} options={[{ value: "", title: "whole level" }, ...recipe.value.steps.map((one) => ({ value: one.id, title: `at ${one.id}` }))]} onChange={(step) => (runOn.value = { kind: "level", step })} />
      )}
      {on.kind === "fill" && <Menu small label="Tile of the blank map" value={tiles.value.some((tile) => tile.name === on.tile) ? on.tile : (tiles.value[0]?.name ?? "")} options={tiles.value.map((tile) => ({ value: tile.name, title: tile.name }))} onChange={(tile) => (runOn.value = { kind: "fill", tile: tile === tiles.peek()[0]?.name ? "" : tile })} />}
      {on.kind === "drawing" && (
        <Button small look="quiet" icon="trash" label="Clear the drawing" disabled={Object.keys(drawn.value).length === 0} onClick={() => (drawn.value = {})} />
      )}
      <label class="field small ar-seed" title={atStep ? "The seed of the level" : undefined}>
        <span class="quiet">seed</span>
        {atStep ? (
          <LineInput class="mono" aria-label="Seed of the level" value={work.value?.seed ?? ""} onTake={useSeed} />
        ) : (
          <LineInput class="mono" aria-label="Seed of the run" value={runSeed.value} onTake={(seed) => (runSeed.value = seed.trim() || "1")} />
        )}
      </label>
      {(on.kind === "fill" || on.kind === "drawing") && <Size />}
    </>
  )
}

function Size() {
  const set = (at: 0 | 1, text: string): void => {
    const value = Math.max(1, Math.min(200, Math.round(Number(text)) || 1))
    runSize.value = at === 0 ? [value, runSize.peek()[1]] : [runSize.peek()[0], value]
  }
  return (
    <span class="field small ar-run-size" role="group" aria-label="Size of the blank map">
      <LineInput class="mono" inputMode="numeric" aria-label="Width" value={runSize.value[0]} onTake={(side) => set(0, side)} />
      <span class="quiet">×</span>
      <LineInput class="mono" inputMode="numeric" aria-label="Height" value={runSize.value[1]} onTake={(side) => set(1, side)} />
    </span>
  )
}
