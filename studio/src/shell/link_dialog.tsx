/** Opening a link: a field to paste it into. */
import { useSignal } from "@preact/signals"
import { Button } from "../widgets/button"
import { Dialog } from "../widgets/dialog"
import { Icon } from "../widgets/icons"
import { openLink } from "../project/works"

export function LinkDialog({ onClose }: { onClose: () => void }) {
  const link = useSignal("")
  const problem = useSignal("")
  const open = async (): Promise<void> => {
    problem.value = (await openLink(link.peek())) ?? ""
    if (!problem.peek()) onClose()
  }
  return (
    <Dialog label="Open a link" title="Open a link" class="save-dialog" onClose={onClose}>
      <form
        class="dialog-body save-body"
        onSubmit={(event) => {
          event.preventDefault()
          void open()
        }}
      >
        <p class="second">
          A link holds a whole work, and makes the same level in any studio. It begins with <code>undercroft:1:</code>
        </p>
        <label class="field">
          <Icon name="link" />
          <input
            class="mono"
            type="text"
            aria-label="Link"
            autofocus
            spellcheck={false}
            value={link}
            onInput={(event) => {
              link.value = event.currentTarget.value
              problem.value = ""
            }}
          />
        </label>
        {problem.value && (
          <p class="open-problem" role="alert">
            <Icon name="warn" /> <span>{problem}</span>
          </p>
        )}
      </form>
      <footer class="dialog-foot">
        <span class="gap" />
        <Button look="main" disabled={!link.value.trim()} onClick={() => void open()}>
          Open
        </Button>
      </footer>
    </Dialog>
  )
}
