/** A thumbnail of a level. Empty until there is one. */
import { useEffect, useRef } from "preact/hooks"
import { drawThumbnail, type SmallLevel } from "../canvas/draw_thumbnail"
import { ramp } from "../canvas/colours"
import { theme } from "../state/theme"

interface Props {
  of: SmallLevel | null
  width: number
  height: number
  pad?: number
  path?: boolean
  outline?: boolean
  /** Ground of one colour: several rooms on one picture have no distance from each other. */
  flat?: boolean
}

export function Thumb({ of, width, height, pad, path, outline, flat }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const light = theme.value === "light"
  useEffect(() => {
    if (canvas.current && of) drawThumbnail(canvas.current, of, { width, height, light, ...(pad === undefined ? {} : { pad }), ...(path === undefined ? {} : { path }), ...(outline === undefined ? {} : { outline }), ...(flat ? { ground: ramp(0.75, light) } : {}) })
  }, [of, width, height, pad, path, outline, flat, light])
  return <canvas ref={canvas} class={"thumb" + (of ? "" : " empty")} width={width} height={height} style={{ width, height }} aria-hidden="true" />
}
