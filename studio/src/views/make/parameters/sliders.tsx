/** The parameters of the recipe as sliders, switches and choices. */
import { useSignal } from "@preact/signals"
import { Button } from "../../../widgets/button"
import { Menu, Segmented, Slider, Switch } from "../../../widgets/choices"
import type { Param, Value } from "../../../server/protocol"
import { greeting } from "../../../server/connection"
import { busyHand } from "../../../state/picture"
import { openWork } from "../../../state/recipes"
import { base, card, isMap, settle, turnParam, valueOf, work } from "../../../state/work"
import { held } from "./held"
import { Picker } from "./picker"
import { clashingAbout } from "./same_words"
import { sliderEnds, numberText, spokenName, roundedToStep } from "./slider_range"

export function Turn() {
  const params = card.value?.params ?? []
  const before = new Map((base.value?.params ?? []).map((param) => [param.name, param.default]))
  const turned = params.filter((param) => JSON.stringify(valueOf(param)) !== JSON.stringify(before.get(param.name)))
  return (
    <>
      <header class="panel-head">
        Turn
        <span class="gap" />
        <Button small look="quiet" disabled={turned.length === 0} label="Reset all parameters" onClick={() => reset(params, before)}>
          Reset
        </Button>
      </header>
      <div class="turn-list">
        {params.map((param) => (
          <ParamControl key={param.name} param={param} />
        ))}
        {params.length === 0 && work.value && !isMap(work.value) && <p class="turn-none">This recipe declares no parameters. Add a table such as [param.rooms] to its text, and its slider appears here.</p>}
      </div>
    </>
  )
}

function reset(params: Param[], before: Map<string, Value>): void {
  const now = work.peek()
  const was = base.peek()
  if (!now || !was) return
  if (now.text === was.text) void openWork({ ...now, values: {} })
  else {
    for (const param of params) {
      const first = before.get(param.name)
      if (first !== undefined) turnParam(param, first)
    }
    settle()
  }
}

function ParamControl({ param }: { param: Param }) {
  const value = valueOf(param)
  if ((param.kind === "whole" || param.kind === "number") && typeof value === "number") return <Sliding param={param} value={value} />
  if (param.kind === "switch") return <Switching param={param} on={value === true} />
  if (param.kind === "choice" && param.choices) return <Choosing param={param} value={String(value)} />
  if (param.picks || (param.kind === "list" && param.choices)) return <Picker param={param} value={value} onChange={(next) => turnAndSettle(param, next)} />
  return <Writing param={param} value={value} />
}

const turnAndSettle = (param: Param, value: Value): void => {
  turnParam(param, value)
  settle()
}

const hold = (param: Param) => (on: boolean) => {
  if (on) held.value = param.name
  else if (held.peek() === param.name) held.value = null
}

function Sliding({ param, value }: { param: Param; value: number }) {
  const ends = sliderEnds(param, value)
  const name = spokenName(param.name)
  const inUse = held.value === param.name
  return (
    <div class={"turned" + (inUse ? " held" : "")} data-turned={param.name} title={param.about}>
      <div class="turned-head">
        <span class="turned-name">{name}</span>
        <TypedNumber param={param} value={value} />
      </div>
      <What of={param} />
      <Slider
        label={name}
        said={`${numberText(value)}. ${param.about}`}
        value={value}
        low={ends.low}
        high={ends.high}
        step={ends.step}
        onInput={(next) => {
          busyHand.value = true
          turnParam(param, roundedToStep(next, ends.step))
        }}
        onDone={() => {
          busyHand.value = false
          settle()
        }}
        onHold={hold(param)}
      />
    </div>
  )
}

/** The number beside a slider: it can be typed, for values that the slider does not reach. */
function TypedNumber({ param, value }: { param: Param; value: number }) {
  const typing = useSignal<string | null>(null)
  const text = typing.value ?? numberText(value)
  const take = (): void => {
    const next = Number(typing.value)
    if (typing.value !== null && typing.value.trim() && Number.isFinite(next)) {
      const whole = param.kind === "whole" ? Math.round(next) : next
      turnAndSettle(param, Math.max(param.low ?? -Infinity, Math.min(param.high ?? Infinity, whole)))
    }
    typing.value = null
  }
  return (
    <input
      class="turned-value"
      type="text"
      inputMode="decimal"
      aria-label={`${spokenName(param.name)}, as a number`}
      size={Math.max(1, text.length)}
      value={text}
      onFocus={(event) => {
        hold(param)(true)
        event.currentTarget.select()
      }}
      onInput={(event) => (typing.value = event.currentTarget.value)}
      onBlur={() => {
        take()
        hold(param)(false)
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter") take()
        else if (event.key === "Escape") {
          typing.value = null
          event.currentTarget.blur()
        } else return
        event.stopPropagation()
      }}
    />
  )
}

/** What a parameter is, if a measure has its name: one word must not mean two things. */
function What({ of }: { of: Param }) {
  const about = clashingAbout(of, greeting.value?.measures ?? [])
  return about ? <p class="turned-what">{about}</p> : null
}

function Switching({ param, on }: { param: Param; on: boolean }) {
  return (
    <div class={"turned turned-switch" + (held.value === param.name ? " held" : "")} data-turned={param.name} title={param.about}>
      <Switch label={spokenName(param.name)} value={on} onChange={(next) => turnAndSettle(param, next)} />
      <What of={param} />
    </div>
  )
}

function Choosing({ param, value }: { param: Param; value: string }) {
  const choices = (param.choices ?? []).map((choice) => ({ value: String(choice), title: spokenName(String(choice)) }))
  const letters = choices.reduce((sum, choice) => sum + choice.title.length + 3, 0)
  const choose = (next: string): void => turnAndSettle(param, (param.choices ?? []).find((choice) => String(choice) === next) ?? next)
  const name = spokenName(param.name)
  return (
    <div class="turned" data-turned={param.name} title={param.about}>
      <div class="turned-head">
        <span class="turned-name">{name}</span>
        {letters > 30 && <Menu small label={name} value={value} options={choices} onChange={choose} />}
      </div>
      {letters <= 30 && <Segmented small class="turned-choice" label={name} value={value} options={choices} onChange={choose} />}
    </div>
  )
}

/** Lists and texts are written as in the recipe. */
function Writing({ param, value }: { param: Param; value: Value }) {
  const written = param.kind === "text" ? String(value) : JSON.stringify(value).slice(1, -1).replaceAll(",", ", ").replaceAll('"', "")
  const typing = useSignal<string | null>(null)
  const take = (): void => {
    const text = typing.value
    typing.value = null
    if (text === null || text === written) return
    if (param.kind === "text") turnAndSettle(param, text)
    else turnAndSettle(param, text.split(",").map((word) => word.trim()).filter(Boolean).map((word) => (Number.isFinite(Number(word)) ? Number(word) : word)))
  }
  return (
    <div class="turned" data-turned={param.name} title={param.about}>
      <label class="turned-head">
        <span class="turned-name">{spokenName(param.name)}</span>
        <input
          class="turned-text"
          type="text"
          value={typing.value ?? written}
          placeholder={param.kind === "list" ? "none" : "empty"}
          onInput={(event) => (typing.value = event.currentTarget.value)}
          onBlur={take}
          onKeyDown={(event) => {
            if (event.key === "Enter") take()
          }}
        />
      </label>
    </div>
  )
}
