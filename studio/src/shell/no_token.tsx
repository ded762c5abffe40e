/** The page was opened without the token of its server: a link in a new browser, or an old tab. */
import { signal, useSignal } from "@preact/signals"
import { Button } from "../widgets/button"
import { Logo } from "../widgets/icons"
import { giveToken } from "../server/token"

/** Whether the last token was wrong. It is kept outside the component, which is unmounted while a token is tried. */
const wrong = signal(false)
let waiting: ReturnType<typeof setTimeout> | undefined

export function NoToken() {
  const written = useSignal("")
  const give = (): void => {
    giveToken(written.value)
    clearTimeout(waiting)
    waiting = setTimeout(() => (wrong.value = true), 1500) // with the right token the component is unmounted by then
  }
  return (
    <main class="no-token">
      <Logo />
      <h1>Open the studio by the address it printed</h1>
      <p>
        When <code>undercroft studio</code> starts, it prints an address that ends in a token. The token lets this page talk to it, and no other page. If the
        studio is open in another tab, this one follows by itself.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          give()
        }}
      >
        <label class="field">
          <input
            type="text"
            aria-label="Address or token"
            placeholder="Paste the address or the token"
            autocomplete="off"
            value={written}
            onInput={(event) => {
              written.value = event.currentTarget.value
              wrong.value = false
            }}
          />
        </label>
        <Button look="main" onClick={give}>
          Go on
        </Button>
      </form>
      {wrong.value && (
        <p class="bad" role="alert">
          The studio does not know this token. Each start has a new one: take the address that was printed last.
        </p>
      )}
    </main>
  )
}
