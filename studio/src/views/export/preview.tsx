/** What the file will be like: the picture itself, the first lines of a text, or the map as it goes into a scene. */
import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import type { FormatCard, PictureHead } from "../../server/protocol"
import { ask, fetchFile } from "../../server/connection"
import { level } from "../../state/level"
import { style } from "../../state/picture"
import { BlobImage } from "../../widgets/blob_image"
import { ANIMATION } from "./format_cards"
import { optionsOf, outputOf, source } from "./choices"

const PICTURES = new Set(["png", "svg", "png:graph", "png:tiles", "png:gm", "png:player"])
const TEXTS = [".txt", ".csv", ".json", ".dot", ".graphml"]
const isText = (card: FormatCard): boolean => card.group === "data" && TEXTS.includes(card.suffixes[0] ?? "")
/** A large level takes its time: then only the map is shown. */
const MAX_PREVIEW_CELLS = 40_000
const MAX_PREVIEW_FRAMES = 40

type Seen = { kind: "picture"; blob: Blob; small: boolean } | { kind: "text"; text: string } | { kind: "none"; why: string }

export function Preview({ card }: { card: FormatCard }) {
  const seen = useSignal<Seen | null>(null)
  const now = level.value
  const from = source.value
  const key = `${card.name} ${JSON.stringify(optionsOf(card))} ${now?.number}`
  useEffect(() => {
    if (!now || !from) return
    let here = true
    const show = (next: Seen): void => {
      if (here) seen.value = next
    }
    const timer = setTimeout(() => void fetchPreview(card, show), 120)
    return () => {
      here = false
      clearTimeout(timer)
    }
  }, [key])
  const shown = seen.value
  return (
    <figure class={"exp-preview" + (shown?.kind === "text" ? " text" : "")} aria-label={`Preview of ${card.title}`} aria-busy={!shown}>
      {shown?.kind === "picture" && <BlobImage blob={shown.blob} alt={`${now?.head.title ?? "The level"} as ${card.title}`} class={shown.small ? "small" : ""} />}
      {shown?.kind === "text" && <pre>{shown.text}</pre>}
      {shown?.kind === "none" && <p class="quiet">{shown.why}</p>}
    </figure>
  )
}

async function fetchPreview(card: FormatCard, show: (seen: Seen) => void): Promise<void> {
  const now = level.peek()
  const from = source.peek()
  if (!now || !from) return
  const quick = now.width * now.height <= MAX_PREVIEW_CELLS
  if (quick && (PICTURES.has(card.name) || isText(card) || card.name === ANIMATION)) {
    const output = outputOf(card)
    const got = await fetchFile("/api/export", {
      ...from,
      outputs: [{ ...output, ...(card.name === ANIMATION ? { path: "preview.webp", options: { frames: MAX_PREVIEW_FRAMES } } : {}) }],
      into: "download",
    })
    if (!got.ok) show({ kind: "none", why: [got.problem.problem, got.problem.fix].filter(Boolean).join(". ") })
    else if (isText(card)) show({ kind: "text", text: (await got.value.blob.slice(0, 8000).text()).split("\n").slice(0, 40).join("\n") })
    else {
      const type = card.name === "svg" ? "image/svg+xml" : card.name === ANIMATION ? "image/webp" : "image/png"
      show({ kind: "picture", blob: new Blob([got.value.blob], { type }), small: card.name === "png:tiles" })
    }
    return
  }
  const look = String(optionsOf(card).style ?? (card.group === "tabletops" ? "ink" : style.peek()))
  const cell = Math.max(2, Math.min(12, Math.floor(Math.sqrt(1_500_000 / (now.width * now.height)))))
  const reply = await ask<PictureHead>("export preview", { do: "picture", style: look, cell, show: [], hide: [], ...now.exact })
  const png = reply.kind === "done" ? reply.blocks.png : undefined
  if (png) show({ kind: "picture", blob: new Blob([png as BlobPart], { type: "image/png" }), small: false })
  else if (reply.kind === "problem") show({ kind: "none", why: reply.problem.problem })
}
