/** A tile, a slot or a socket as a small picture. */
import { useEffect, useRef } from "preact/hooks"
import { STANDARD_TILES } from "../../../../canvas/standard_tiles"
import { theme } from "../../../../state/theme"
import type { Ware } from "./brush"
import { drawSquare, inks } from "./ink"

export function Swatch({ of, size }: { of: Ware; size: number }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const look = theme.value
  useEffect(() => {
    const element = canvas.current
    const ctx = element?.getContext("2d")
    if (!element || !ctx) return
    const ratio = window.devicePixelRatio || 1
    element.width = element.height = Math.round(size * ratio)
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0)
    const role = STANDARD_TILES.find((tile) => tile.name === of.tile)?.role ?? "floor"
    drawSquare(ctx, { role, ...(of.mark ? { mark: of.mark } : {}) }, 0, 0, size, null, inks())
  }, [JSON.stringify(of), size, look])
  return <canvas ref={canvas} class="lay-tile" style={{ width: size, height: size }} aria-hidden="true" />
}
