/** The buttons in the corner of a map. */
import { useComputed } from "@preact/signals"
import type { MapView } from "../canvas/map_view"
import { Icon } from "./icons"

export function Zoom({ map, class: more }: { map: MapView; class: string }) {
  const share = useComputed(() => `${Math.round(map.zoomed.value * 100)} %`)
  return (
    <div class={"float tools " + more} role="toolbar" aria-label="Zoom">
      <button type="button" class="tool" aria-label="Zoom out" title="Zoom out (−)" onClick={() => map.zoom(0.8)}>
        <Icon name="minus" />
      </button>
      <span class="zoom-share">{share}</span>
      <button type="button" class="tool" aria-label="Zoom in" title="Zoom in (+)" onClick={() => map.zoom(1.25)}>
        <Icon name="plus" />
      </button>
      <span class="rule" />
      <button type="button" class="tool" aria-label="Fit" title="Fit (0)" onClick={() => map.fit()}>
        <Icon name="fit" />
      </button>
    </div>
  )
}
