/** Two levels side by side: two seeds of a recipe, or two recipes. */
import { useSignal } from "@preact/signals"
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"
import { useKeys } from "../../../shell/keys"
import { Button, Chip } from "../../../widgets/button"
import { Switch } from "../../../widgets/choices"
import { TopMiddle } from "../../../widgets/top_middle"
import { fitBoth, panBoth, zoomBoth } from "./maps"
import { isMap, work } from "../../../state/work"
import { marks } from "../state"
import { anySeed, SideView } from "./side"
import { sameSize, startComparing, OVERLAYS, overlays, setSeed, SIDES, sides, swap, tie, tied, turnOverlay } from "./state"
import { Differences } from "./difference_table"

/** Levels that are wide and low are larger one above the other. */
function stackedIsLarger(across: number, down: number): boolean {
  const shapes = SIDES.map((which) => sides[which].level.value).filter((one) => one !== null)
  const scale = (width: number, height: number): number => Math.min(...shapes.map((one) => Math.min((width - 40) / one.width, (height - 84) / one.height)))
  return shapes.length > 0 && scale(across, down / 2) > 1.3 * scale(across / 2, down)
}

const PAN_PIXELS = 60
const ZOOM_FACTOR = 1.25

export function Compare({ onClose }: { onClose: () => void }) {
  useEffect(startComparing, [])
  useKeys({
    stop: onClose,
    compare: onClose,
    shuffle: () => setSeed("b", anySeed()),
    swap,
    fit: fitBoth,
    closer: () => zoomBoth(ZOOM_FACTOR),
    further: () => zoomBoth(1 / ZOOM_FACTOR),
    left: () => panBoth(PAN_PIXELS, 0),
    right: () => panBoth(-PAN_PIXELS, 0),
    up: () => panBoth(0, PAN_PIXELS),
    down: () => panBoth(0, -PAN_PIXELS),
    regions: () => turnOverlay("regions"),
    doors: () => turnOverlay("doors"),
    graph: () => turnOverlay("graph"),
    distance: () => turnOverlay("distance"),
    pathToo: () => turnOverlay("path"),
  })
  const box = useRef<HTMLDivElement>(null)
  const room = useSignal({ across: 1000, down: 600 })
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const watcher = new ResizeObserver(() => (room.value = { across: element.clientWidth, down: element.clientHeight }))
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [])
  return (
    <section class="cp" aria-label="Compare">
      <TopMiddle>
        <b class="xp-title">Compare A and B</b>
      </TopMiddle>
      <div class="cp-bar">
        <Button small icon="back" onClick={onClose}>
          {work.value && isMap(work.value) ? "Back" : "Wall"}
        </Button>
        <Button small icon="centre" label="Swap A and B" keys={["X"]} look="quiet" onClick={swap}>
          Swap
        </Button>
        {/* A map from a file has no seed. */}
        {!SIDES.some((which) => marks.value[which] && isMap(marks.value[which])) && (
          <div class="cp-tie">
            <Switch label="Same seed" value={tied.value} onChange={tie} />
          </div>
        )}
        <span class="gap" />
        <div class="cp-overlays" role="group" aria-label="On both maps">
          {OVERLAYS.filter((one) => one.name !== "differences" || sameSize.value).map((one) => (
            <Chip key={one.name} on={overlays.value[one.name]} dot={one.dot} {...(one.key ? { keys: [one.key] } : {})} onClick={() => turnOverlay(one.name)}>
              {one.title}
            </Chip>
          ))}
        </div>
        <span class="rule" />
        <Button small icon="minus" label="Zoom out" keys={["−"]} look="quiet" onClick={() => zoomBoth(1 / ZOOM_FACTOR)} />
        <Button small icon="plus" label="Zoom in" keys={["+"]} look="quiet" onClick={() => zoomBoth(ZOOM_FACTOR)} />
        <Button small icon="fit" label="Fit both" keys={["0"]} look="quiet" onClick={fitBoth} />
      </div>
      <div ref={box} class={"cp-sides" + (stackedIsLarger(room.value.across, room.value.down) ? " stacked" : "")}>
        <SideView which="a" />
        <SideView which="b" />
      </div>
      <Differences />
    </section>
  )
}
