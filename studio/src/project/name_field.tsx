/** A field for the name of a file of one kind: a missing suffix is added, and that of another kind is asked about. */
import type { FileKind } from "../server/protocol"
import { Button } from "../widgets/button"
import { Icon } from "../widgets/icons"
import { PathField } from "../widgets/path_field"
import { nameOfKind } from "./file_names"

interface Props {
  kind: FileKind
  value: string
  onInput: (value: string) => void
}

export function NameField({ kind, value, onInput }: Props) {
  const { path, why } = nameOfKind(value, kind)
  const completed = !why && path !== value.trim()
  return (
    <>
      <PathField value={value} onInput={onInput} />
      {completed && value.trim() !== "" && (
        <p class="quiet name-note">
          Saved as <span class="mono">{path}</span>
        </p>
      )}
      {why && (
        <p class="open-problem name-note" role="alert">
          <Icon name="warn" />
          <span>{why}.</span>
          <span class="gap" />
          <Button small onClick={() => onInput(path)}>
            Name it {path}
          </Button>
        </p>
      )}
    </>
  )
}
