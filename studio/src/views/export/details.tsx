/** One format: what it looks like, what it keeps and drops of this level, what it is told, where it goes, and whether it is kept up to date. */
import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { sentence } from "../../editor/problem_text"
import { Button } from "../../widgets/button"
import { Segmented, Switch } from "../../widgets/choices"
import { Icon } from "../../widgets/icons"
import type { FormatCard } from "../../server/protocol"
import { level } from "../../state/level"
import { PARTS, PARTS_BY_SERVER_WORDS, underline } from "./format_cards"
import { into, outputOf, pathOf, setPath, suitsFormat } from "./choices"
import { losses } from "./losses"
import { Options } from "./options"
import { Preview } from "./preview"
import { copyText } from "./write_files"
import { trouble, watch, watched, writtenFiles } from "./watched_files"
import { programName, timeAgo, sizeText } from "./file_words"

export function Details({ card }: { card: FormatCard }) {
  const under = underline(card)
  return (
    <section class="exp-details" aria-label={card.title}>
      <Preview key={card.name} card={card} />
      <header>
        <h3>{card.title}</h3>
        <span class="gap" />
        {card.tested ? (
          <span class="chip ok exp-tested" title={under.text}>
            <Icon name="check" small />
            <span>{under.text}</span>
          </span>
        ) : (
          under.warn && <span class="chip accent">Not yet opened elsewhere</span>
        )}
        {card.name.startsWith("text") && (
          <Button small icon="copy" onClick={() => void copyText(card)}>
            Copy
          </Button>
        )}
      </header>
      <p class="exp-about">{sentence(card.about)}</p>
      <Keeps card={card} />
      <Options card={card} />
      <Where card={card} />
      <Watch card={card} />
    </section>
  )
}

/** What there is to this level, and whether the file has it. */
function Keeps({ card }: { card: FormatCard }) {
  const head = level.value?.head
  const refused = losses.value?.refused[card.name]
  if (refused)
    return (
      <p class="exp-lost" role="alert">
        <Icon name="warn" small />
        {sentence(refused)}
      </p>
    )
  if (!head) return null
  const lost = (losses.value?.losses[card.name] ?? []).map((word) => PARTS_BY_SERVER_WORDS[word] ?? word)
  const counts: Record<string, string> = {
    regions: countText(head.rooms.filter((room) => room.number > 0).length, "room"),
    doors: countText(head.doors.length, "door"),
    links: countText(head.links.length, "way"),
    things: countText(head.things.length, "thing"),
    tiles: `${head.size[0]} × ${head.size[1]} tiles`,
  }
  const there: Record<string, boolean> = { regions: head.rooms.length > 0, doors: head.doors.length > 0, links: head.links.length > 0, things: head.things.length > 0, layers: false, palette: false, ends: head.start !== null }
  const kept = card.keeps.filter((part) => there[part] !== false && part in PARTS)
  if (kept.length + lost.length === 0) return null
  return (
    <ul class="exp-keeps" aria-label="What the file holds">
      {kept.map((part) => (
        <li key={part}>
          <Icon name="check" small />
          <span>{counts[part] ?? PARTS[part]}</span>
        </li>
      ))}
      {lost.map((part) => (
        <li key={part} class="lost">
          <Icon name="warn" small />
          <span>{PARTS[part] ?? part}</span>
          <span>{counts[part] ? `${counts[part]}, not in the file` : "not in the file"}</span>
        </li>
      ))}
    </ul>
  )
}

const countText = (count: number, what: string): string => `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`

function Where({ card }: { card: FormatCard }) {
  const path = pathOf(card)
  const good = suitsFormat(card, path)
  return (
    <div class="exp-where">
      <div class="row">
        <span class="caption">File</span>
        <span class="gap" />
        {card.suffixes.length > 1 && (
          <Segmented
            small
            label="Kind of file"
            value={card.suffixes.find((suffix) => path.endsWith(suffix)) ?? (card.suffixes[0] as string)}
            options={card.suffixes.map((suffix) => ({ value: suffix, title: suffix }))}
            onChange={(suffix) => setPath(card, path.replace(/(\.fvtt)?\.\w+$/, "") + suffix)}
          />
        )}
        <Segmented
          small
          label="Files go into"
          value={into.value}
          options={[
            { value: "project", title: "the project" },
            { value: "download", title: "a download" },
          ]}
          onChange={(value) => (into.value = value)}
        />
      </div>
      <label class={"field" + (good ? "" : " wrong")}>
        <Icon name="folder" />
        <input class="mono" type="text" aria-label="File name" aria-invalid={!good} value={path} onInput={(event) => setPath(card, event.currentTarget.value)} />
      </label>
      {!good && <p class="bad">End the name in {card.suffixes.join(" or ")}.</p>}
    </div>
  )
}

function Watch({ card }: { card: FormatCard }) {
  const on = watched.value.has(card.name)
  const busy = useSignal(false)
  const path = watched.value.get(card.name)?.path ?? pathOf(card)
  const last = writtenFiles.value.get(path)
  const now = useSignal(Date.now())
  useEffect(() => {
    if (!on) return
    const timer = setInterval(() => (now.value = Date.now()), 1000)
    return () => clearInterval(timer)
  }, [on])
  const said = useRef<HTMLParagraphElement>(null)
  useEffect(() => said.current?.scrollIntoView({ block: "nearest" }), [trouble.value])
  const turn = async (next: boolean): Promise<void> => {
    busy.value = true
    const output = outputOf(card)
    await watch((all) => {
      if (next) all.set(card.name, output)
      else all.delete(card.name)
    })
    busy.value = false
  }
  return (
    <section class={"exp-watch" + (on ? " on" : "")} aria-label="Keep this file up to date">
      <div class="row">
        <b>Keep this file up to date</b>
        <span class="gap" />
        <Switch bare label="Keep this file up to date" value={on} disabled={busy.value || !suitsFormat(card, path) || card.name in (losses.value?.refused ?? {})} onChange={(next) => void turn(next)} />
      </div>
      <p>Written into the project again whenever the level changes, so that {programName(card)} loads it anew.</p>
      {on && last && (
        <p class="exp-last" role="status">
          <i aria-hidden="true" />
          {path === pathOf(card) ? "Last" : `${path} was last`} written {timeAgo(Math.max(0, now.value - last.at))}, {sizeText(last.bytes)}
        </p>
      )}
      {trouble.value && (
        <p class="bad" role="alert" ref={said}>
          {sentence(trouble.value.problem)} {trouble.value.fix && sentence(trouble.value.fix)}
          {trouble.value.again && (
            <Button small onClick={() => void trouble.value?.again?.()}>
              Write over it
            </Button>
          )}
        </p>
      )}
    </section>
  )
}
