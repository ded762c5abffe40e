/** One size on the sheet: its room, short or exact, or why there is none. */
import { memo } from "../../../../widgets/memo"
import { useEffect, useRef } from "preact/hooks"
import { theme } from "../../../../state/theme"
import { inks } from "../drawing/ink"
import type { Doc } from "../model"
import { coloursOf, drawRoom } from "./draw_room"
import { refusal, verdict, type Size } from "./size_words"
import { ghosted, shows, type MadeSize } from "./sizes"
import { showWhy, hideWhy, why } from "./why_card"

interface Props {
  size: Size
  of: MadeSize | null
  doc: Doc
  scale: number
  width: number
  height: number
  /** The first visible size takes the focus when the sheet is entered with Tab. */
  first: boolean
}

export function SizeCell({ size, of, doc, scale, width, height, first }: Props) {
  const head = of?.head
  const held = why.value
  const pinned = held?.pinned && held.size[0] === size[0] && held.size[1] === size[1]
  const state = !head ? "waits" : !head.made ? "refused" : head.exact ? "exact" : "short"
  const faulty = (head?.faults ?? []).length > 0
  return (
    <button
      type="button"
      role="gridcell"
      class={`lay-size ${state}` + (faulty ? " faulty" : "") + (pinned ? " pinned" : "")}
      data-size={`${size[0]}x${size[1]}`}
      aria-label={sizeText(size, of)}
      tabIndex={first || pinned ? 0 : -1}
      onPointerEnter={(event) => event.pointerType !== "touch" && pointAt(size)}
      onPointerLeave={() => hideWhy(size)}
      onFocus={(event) => event.currentTarget.matches(":focus-visible") && pointAt(size)}
      onBlur={() => hideWhy(size)}
      onClick={() => {
        ghosted.value = size
        showWhy(size, true)
      }}
    >
      {head?.made ? (
        <Picture of={of as MadeSize} doc={doc} scale={scale} width={width} height={height} partitions={shows.value === "partitions"} theme={theme.value} />
      ) : head ? (
        <Refused of={of} />
      ) : null}
      {(state === "short" || faulty) && <span class="lay-dot" aria-hidden="true" />}
    </button>
  )
}

function pointAt(size: Size): void {
  ghosted.value = size
  showWhy(size, false)
}

function Refused({ of }: { of: MadeSize }) {
  const { fault, works } = refusal(of.head)
  return (
    <span class="lay-refused">
      <b>{fault}</b>
      <span>{works}</span>
    </span>
  )
}

function sizeText(size: Size, of: MadeSize | null): string {
  const words = `${size[0]} wide, ${size[1]} high`
  if (!of) return `${words}: being made`
  const { head } = of
  if (!head.made) return `${words}: cannot be made, ${head.refused}. ${head.works ? `${head.works.replaceAll("x", " by ")} would work.` : ""}`
  const faults = (head.faults ?? []).length ? `; ${head.faults?.join(", ")}` : ""
  return `${words}: ${verdict(head)}${head.exact ? "" : `, ${head.made[0]} by ${head.made[1]}`}${faults}`
}

interface PictureProps {
  of: MadeSize
  doc: Doc
  scale: number
  width: number
  height: number
  partitions: boolean
  theme: string
}

/** Rendered again only if its room differs: some forty of them may change with each stroke. */
const Picture = memo(
  function Picture({ of, doc, scale, width, height, partitions }: PictureProps) {
    const canvas = useRef<HTMLCanvasElement>(null)
    useEffect(() => {
      const element = canvas.current
      const ctx = element?.getContext("2d")
      if (!element || !ctx || width < 4 || height < 4 || !of.head.made) return
      const ratio = window.devicePixelRatio || 1
      element.width = Math.round(width * ratio)
      element.height = Math.round(height * ratio)
      element.style.width = width + "px"
      element.style.height = height + "px"
      ctx.setTransform(ratio, 0, 0, ratio, 0, 0)
      const [wide, high] = of.head.made
      const [asked, down] = of.head.size
      const whole = (at: number): number => Math.round(at * ratio) / ratio
      const left = whole((width - Math.max(wide, asked) * scale) / 2)
      const top = whole((height - Math.max(high, down) * scale) / 2)
      drawRoom(ctx, of, left, top, scale, partitions ? coloursOf(of, doc) : null, inks())
      if (!of.head.exact) {
        ctx.setLineDash([3, 3])
        ctx.strokeStyle = getComputedStyle(element).getPropertyValue("--accent-fill")
        ctx.lineWidth = 1
        ctx.strokeRect(left + 0.5, top + 0.5, asked * scale - 1, down * scale - 1)
      }
    })
    return <canvas ref={canvas} aria-hidden="true" />
  },
  (a, b) =>
    a.of === b.of && a.scale === b.scale && a.width === b.width && a.height === b.height && a.partitions === b.partitions && a.theme === b.theme && (!a.partitions || a.doc.parts === b.doc.parts),
)
