/** A thumbnail of a level. Empty until there is one. */
import { useEffect, useRef } from "preact/hooks"
import { drawThumbnail, type SmallLevel } from "../canvas/draw_thumbnail"
import { theme } from "../state/theme"

interface Props {
  of: SmallLevel | null
  width: number
  height: number
  pad?: number
  path?: boolean
  outline?: boolean
}

export function Thumb({ of, width, height, pad, path, outline }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const light = theme.value === "light"
  useEffect(() => {
    if (canvas.current && of) drawThumbnail(canvas.current, of, { width, height, light, ...(pad === undefined ? {} : { pad }), ...(path === undefined ? {} : { path }), ...(outline === undefined ? {} : { outline }) })
  }, [of, width, height, pad, path, outline, light])
  return <canvas ref={canvas} class={"thumb" + (of ? "" : " empty")} width={width} height={height} style={{ width, height }} aria-hidden="true" />
}
