/** The card about the size under the pointer: why it cannot be made or comes out short, and buttons that change just so much that it can. */
import { signal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { sentence } from "../../../../editor/problem_text"
import { Button } from "../../../../widgets/button"
import type { Way } from "../../../../server/protocol"
import { ask } from "../../../../server/connection"
import { say } from "../../../../state/navigation"
import { fromData, toData } from "../model"
import { sizeKey, verdict, type Size } from "./size_words"
import { ghosted, leniency, madeSizes, overgrow } from "./sizes"
import { doc, drawAndSettle } from "../state"

/** The size that is spoken of. A pinned one stays when the pointer leaves. */
export const why = signal<{ size: Size; pinned: boolean } | null>(null)
const ways = signal<{ of: string; list: Way[] } | null>(null)

const PAUSE_MILLISECONDS = 120
let timer: ReturnType<typeof setTimeout> | undefined

export function showWhy(size: Size, pinned: boolean): void {
  clearTimeout(timer)
  if (!pinned && why.peek()?.pinned) return
  if (pinned) why.value = { size, pinned }
  else timer = setTimeout(() => (why.value = { size, pinned }), PAUSE_MILLISECONDS)
}

/** The pointer or the focus went on. It may go into the card, so that waits a moment. */
export function hideWhy(size: Size): void {
  clearTimeout(timer)
  timer = setTimeout(() => {
    const now = why.peek()
    if (now && !now.pinned && sizeKey(now.size) === sizeKey(size) && !inCard) why.value = null
  }, PAUSE_MILLISECONDS)
}
let inCard = false

export function closeWhy(): boolean {
  if (!why.peek()) return false
  why.value = null
  ghosted.value = null
  return true
}

export function Why({ within }: { within: { width: number; height: number } }) {
  const card = useRef<HTMLDivElement>(null)
  const now = why.value
  const size = now?.size
  const of = size && madeSizes.value.get(sizeKey(size))
  const told = of && (!of.head.made || !of.head.exact || (of.head.faults ?? []).length > 0 || now.pinned)
  const key = of ? `${of.stamp} ${sizeKey(of.head.size)} ${leniency.value.join()} ${overgrow.value}` : ""

  // Changes that would help are requested only when the card opens, since the server tries each of them.
  useEffect(() => {
    const drawing = doc.peek()
    if (!of || !drawing || of.head.exact) return
    const exact = of.head.made !== null
    const asked = exact ? { leniency: [0, 0] as Size, overgrow: false } : { leniency: leniency.peek(), overgrow: overgrow.peek() }
    void ask<{ ways: Way[] }>("allow", { do: "allow", text: JSON.stringify(toData(drawing)), file: "drawing.json", size: of.head.size, ...asked }).then((reply) => {
      // A room that is only short is allowed already: what is left is to make it exact.
      if (reply.kind === "done") ways.value = { of: key, list: reply.head.ways.filter((way) => !exact || way.data !== null) }
    })
  }, [key])

  // Beside its size, where it covers neither that nor falls out of the sheet.
  useEffect(() => {
    const element = card.current
    const beside = size && document.querySelector<HTMLElement>(`[data-size="${sizeKey(size)}"]`)
    if (!element || !beside) return
    const grid = element.parentElement?.getBoundingClientRect()
    const box = beside.getBoundingClientRect()
    if (!grid) return
    const [wide, high] = [element.offsetWidth, element.offsetHeight]
    const right = box.right - grid.left + 6
    const left = right + wide <= within.width - 6 ? right : Math.max(6, box.left - grid.left - wide - 6)
    element.style.left = left + "px"
    element.style.top = Math.max(6, Math.min(within.height - high - 6, box.top - grid.top + box.height / 2 - 20)) + "px"
  })

  if (!of || !told) return null
  const { head } = of
  const found = ways.value?.of === key ? ways.value.list : []
  return (
    <div
      ref={card}
      class="float lay-why"
      role="dialog"
      aria-label={`${size[0]} by ${size[1]}`}
      onPointerEnter={() => (inCard = true)}
      onPointerLeave={() => {
        inCard = false
        hideWhy(size)
      }}
    >
      <h3>
        {size[0]} × {size[1]} {head.made ? (head.exact ? "is made as it is" : `comes out ${head.made[0]} × ${head.made[1]}`) : "cannot be made"}
      </h3>
      <p>{head.made ? (head.exact ? "" : sentence(`${verdict(head)} than asked for`)) : sentence(head.refused ?? "")}</p>
      {!head.made && (head.near ?? []).length > 0 && <p class="quiet">{(head.near ?? []).map((one) => `${one[0]} × ${one[1]}`).join(" and ")} can be.</p>}
      {(head.faults ?? []).length > 0 && <p class="bad">{sentence((head.faults ?? []).join(", "))} Crossed out where.</p>}
      {found.length > 0 && (
        <ul class="lay-ways">
          {found.map((way) => (
            <li key={way.kind + way.label}>
              <Button small label={`${way.label}: ${way.about}`} onClick={() => applyWay(way)}>
                {way.label}
              </Button>
              <span>{way.about}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function applyWay(way: Way): void {
  const now = doc.peek()
  if (!now) return
  if (way.data !== null) drawAndSettle(fromData(way.data, now))
  else {
    leniency.value = way.leniency
    overgrow.value = way.overgrow
  }
  inCard = false
  closeWhy()
  say(`${way.label}: ${way.about}. It makes ${way.made[0]} × ${way.made[1]}.`)
}
