/** Choose what to draw: a first room, a layout of the project, or a copy of a shipped one. */
import { signal, useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { Button } from "../../../widgets/button"
import { Search } from "../../../widgets/choices"
import { Icon } from "../../../widgets/icons"
import type { LayoutsThere } from "../../../server/protocol"
import { ask, connection } from "../../../server/connection"
import { dialog, say } from "../../../state/navigation"
import { theme } from "../../../state/theme"
import { startLayout, drafts, listLayouts, projectLayouts, openLayout } from "./files"
import { drawSquare, inks } from "./drawing/ink"
import { colourOf } from "./part_colours"
import { placeOfKey, boxOf, fromData, type Doc } from "./model"
import { STANDARD_TILES } from "../../../canvas/standard_tiles"

const ourLayouts = signal<(LayoutsThere["layouts"][number] & { doc: Doc })[]>([])

export function Begin({ onOpened }: { onOpened?: () => void }) {
  const query = useSignal("")
  const here = connection.value.kind === "open"
  useEffect(() => {
    if (!here) return
    void listLayouts()
    if (ourLayouts.peek().length === 0)
      void ask<LayoutsThere>("layouts", { do: "layouts" }).then((reply) => {
        if (reply.kind === "done") ourLayouts.value = reply.head.layouts.map((one) => ({ ...one, doc: fromData(one.data) }))
      })
  }, [here])
  const words = query.value.toLowerCase().split(/\s+/).filter(Boolean)
  const is = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word))
  const files = projectLayouts.value.filter((row) => is(row.path))
  const waiting = [...drafts.value.keys()].filter((path) => is(path) && !projectLayouts.value.some((row) => row.path === path))
  const notifyOpened = (): void => onOpened?.()
  return (
    <section class="lay-begin" aria-label="Choose a layout">
      <header>
        <div>
          <h1>Layouts</h1>
          <p class="second">A drawing of a room that comes in many sizes. Each part says how it grows, and every size is shown while you draw.</p>
        </div>
        <span class="gap" />
        <Search label="Find a layout" value={query.value} onInput={(value) => (query.value = value)} />
        <Button look="main" icon="plus" onClick={() => void startLayout().then(notifyOpened)}>
          New room
        </Button>
      </header>
      {(files.length > 0 || waiting.length > 0) && (
        <>
          <div class="row lay-in-project">
            <h2 class="caption">In the project</h2>
            {files.length > 0 && (
              <Button
                small
                look="quiet"
                icon="rename"
                onClick={() => {
                  notifyOpened()
                  dialog.value = "open"
                }}
              >
                Rename or delete
              </Button>
            )}
          </div>
          <ul class="lay-files">
            {[...waiting.map((path) => ({ path, fresh: true })), ...files.map((row) => ({ path: row.path, fresh: drafts.value.has(row.path) }))].map(({ path, fresh }) => (
              <li key={path}>
                <button type="button" onClick={() => void openLayout(path).then((problem) => (problem ? say(problem.problem) : notifyOpened()))}>
                  <Icon name="room" />
                  <span class="mono">{path}</span>
                  {fresh && <span class="quiet">not saved</span>}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      <h2 class="caption">Ours, to take and change</h2>
      <ul class="lay-cards">
        {ourLayouts.value
          .filter((one) => is(`${one.name} ${one.about} ${one.tags.join(" ")}`))
          .map((one) => (
            <li key={one.name}>
              <button type="button" class="lay-card" aria-label={`${one.name}: ${one.about}`} title={one.sizes} onClick={() => void startLayout(one.name, one.text).then(notifyOpened)}>
                <Picture of={one.doc} look={theme.value} />
                <b>{one.name}</b>
                <span>{one.about}</span>
              </button>
            </li>
          ))}
      </ul>
    </section>
  )
}

const SIDE = { width: 128, height: 84 }

function Picture({ of, look }: { of: Doc; look: string }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const element = canvas.current
    const ctx = element?.getContext("2d")
    const box = boxOf(of.cells.keys())
    if (!element || !ctx || !box) return
    const ratio = window.devicePixelRatio || 1
    element.width = SIDE.width * ratio
    element.height = SIDE.height * ratio
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0)
    const s = Math.floor(Math.min((SIDE.width - 8) / box.width, (SIDE.height - 8) / box.height, 9) * ratio) / ratio
    const [left, top] = [Math.round((SIDE.width - box.width * s) / 2), Math.round((SIDE.height - box.height * s) / 2)]
    for (const [one, cell] of of.cells) {
      const [x, y] = placeOfKey(one)
      const role = STANDARD_TILES.find((tile) => tile.name === cell.tile)?.role ?? "floor"
      drawSquare(ctx, { role, ...(cell.mark ? { mark: cell.mark } : {}) }, left + (x - box.x) * s, top + (y - box.y) * s, s, cell.part >= 0 ? colourOf(of, cell.part) : null, inks())
    }
  }, [of, look])
  return <canvas ref={canvas} style={{ width: SIDE.width, height: SIDE.height }} aria-hidden="true" />
}
