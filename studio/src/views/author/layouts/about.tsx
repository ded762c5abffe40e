/** About the layout as a whole: its name, tags, and whether rooms may be flipped. */
import { useSignal } from "@preact/signals"
import { Chip } from "../../../widgets/button"
import { Icon } from "../../../widgets/icons"
import { LineInput } from "../../../widgets/line_input"
import { doc, drawAndSettle } from "./state"

export function About() {
  const adding = useSignal(false)
  const now = doc.value
  if (!now) return null
  const add = (written: string): void => {
    adding.value = false
    const tags = written.split(/[\s,]+/).filter((tag) => tag && !now.tags.includes(tag))
    if (tags.length) drawAndSettle({ ...now, tags: [...now.tags, ...tags] })
  }
  return (
    <footer class="lay-about">
      <label class="lay-about-row">
        <span>Name</span>
        <LineInput class="lay-name plain" aria-label="Name of the layout" maxLength={60} value={now.name} onTake={(name) => drawAndSettle({ ...now, name: name.trim() })} />
      </label>
      <div class="lay-about-row">
        <span>Tags</span>
        <span class="lay-chips">
          {now.tags.map((tag) => (
            <span key={tag} class="chip on">
              {tag}
              <button type="button" class="lay-tag-cross" aria-label={`Remove the tag ${tag}`} title="Remove" onClick={() => drawAndSettle({ ...now, tags: now.tags.filter((one) => one !== tag) })}>
                <Icon name="cross" small />
              </button>
            </span>
          ))}
          {adding.value ? (
            <span class="field small lay-tag-field">
              <input
                type="text"
                aria-label="New tag"
                maxLength={60}
                ref={(element) => element?.focus()}
                onBlur={(event) => add(event.currentTarget.value)}
                onKeyDown={(event) => {
                  if (event.key === "Enter") event.currentTarget.blur()
                  if (event.key === "Escape") {
                    event.stopPropagation()
                    adding.value = false
                  }
                }}
              />
            </span>
          ) : (
            <button type="button" class="chip lay-tag-add" aria-label="Add a tag" title="Add a tag" onClick={() => (adding.value = true)}>
              <Icon name="plus" small />
            </button>
          )}
        </span>
      </div>
      <div class="lay-about-row">
        <span>May flip</span>
        <span class="lay-chips">
          <Chip on={now.flipX} {...(now.flipX ? { icon: "check", tone: "accent" } : {})} label="May flip across: left and right change places" onClick={() => drawAndSettle({ ...now, flipX: !now.flipX })}>
            across
          </Chip>
          <Chip on={now.flipY} {...(now.flipY ? { icon: "check", tone: "accent" } : {})} label="May flip down: up and down change places" onClick={() => drawAndSettle({ ...now, flipY: !now.flipY })}>
            down
          </Chip>
        </span>
      </div>
    </footer>
  )
}
