/** The page was opened without the token of its server: a link in a new browser, or an old tab. */
import { useSignal } from "@preact/signals"
import { Button } from "../parts/button"
import { Logo } from "../parts/icons"
import { giveToken } from "../state/token"

export function NoToken() {
  const written = useSignal("")
  const give = (): void => giveToken(written.value)
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
          <input type="text" aria-label="Address or token" placeholder="Paste the address or the token" autocomplete="off" value={written} onInput={(event) => (written.value = event.currentTarget.value)} />
        </label>
        <Button look="main" onClick={give}>
          Go on
        </Button>
      </form>
    </main>
  )
}
