/** The frame around the views: top bar, banner, dialogs, and the sentence at the foot that passes. */
import { useSignal, useSignalEffect } from "@preact/signals"
import type { ComponentType } from "preact"
import { useEffect } from "preact/hooks"
import { KeyMap } from "./key_map"
import { Palette } from "./command_palette"
import { NoToken } from "./no_token"
import { useCommands } from "./commands"
import { useKeys } from "./keys"
import { Button } from "../widgets/button"
import { Logo } from "../widgets/icons"
import { connection, greeting, tryNow } from "../server/connection"
import { dialog, filesTab, said, view, VIEWS, type FilesTab, type View } from "../state/navigation"
import { theme, toggleTheme } from "../state/theme"
import { Author } from "../views/author"
import { Explore } from "../views/explore"
import { ExportDialog } from "../views/export"
import { Make } from "../views/make"
import { LinkDialog } from "./link_dialog"
import { newLayout, newRecipe, newRules } from "./new_files"
import { OpenDialog } from "./open_dialog"
import { SaveDialog } from "./save_dialog"
import { Understand } from "../views/understand"
import { stopWatching, trouble, watched } from "../views/export/watched_files"

const VIEW_COMPONENTS: Record<View, ComponentType> = { make: Make, understand: Understand, explore: Explore, author: Author }

function openFiles(tab: FilesTab): void {
  filesTab.value = tab
  dialog.value = "open"
}

export function Shell() {
  useKeys({
    make: () => (view.value = "make"),
    understand: () => (view.value = "understand"),
    explore: () => (view.value = "explore"),
    author: () => (view.value = "author"),
    export: () => (dialog.value = "export"),
    keys: () => (dialog.value = dialog.peek() === "keys" ? null : "keys"),
    commands: () => (dialog.value = dialog.peek() === "commands" ? null : "commands"),
  })
  useCommands(() => [
    { label: theme.peek() === "dark" ? "Light theme" : "Dark theme", kind: "theme", run: toggleTheme },
    { label: "Open a recipe", kind: "file", run: () => openFiles("files") },
    { label: "Open a link", kind: "file", run: () => (dialog.value = "link") },
    { label: "Rename or delete a file", kind: "file", run: () => openFiles("files") },
    { label: "Deleted files", kind: "file", run: () => openFiles("trash") },
    { label: "Copy an example into the project", kind: "file", run: () => openFiles("examples") },
    { label: "New recipe", kind: "file", run: () => void newRecipe() },
    { label: "New rules", kind: "file", run: () => void newRules() },
    { label: "New layout", kind: "file", run: () => void newLayout() },
    { label: "Import a map", kind: "file", run: () => (dialog.value = "import") },
  ])
  const Shown = VIEW_COMPONENTS[view.value]
  const close = (): void => void (dialog.value = null)
  if (connection.value.kind === "refused" && !greeting.value) return <NoToken />
  return (
    <>
      <TopBar />
      <Banner />
      {greeting.value ? (
        <main class={"view view-" + view.value}>
          {view.value !== "make" && <h1 class="unseen">{VIEWS.find((one) => one.name === view.value)?.title}</h1>}
          <Shown />
        </main>
      ) : (
        <main class="view waiting" aria-busy="true" />
      )}
      {dialog.value === "keys" && <KeyMap onClose={close} />}
      {dialog.value === "commands" && <Palette onClose={close} />}
      {dialog.value === "export" && <ExportDialog onClose={close} />}
      {(dialog.value === "open" || dialog.value === "import") && <OpenDialog onClose={close} />}
      {dialog.value === "link" && <LinkDialog onClose={close} />}
      {dialog.value === "save" && <SaveDialog onClose={close} />}
      <PassingNotice />
    </>
  )
}

function TopBar() {
  return (
    <header class="top">
      <div class="top-left">
        <a class="logo" href="#" aria-label="Undercroft" onClick={(event) => { event.preventDefault(); view.value = "make" }}>
          <Logo />
          Undercroft
        </a>
        <nav aria-label="Views">
          {VIEWS.map((one, at) => (
            <button key={one.name} type="button" aria-current={view.value === one.name ? "page" : undefined} onClick={() => (view.value = one.name)}>
              {one.title}
              <kbd aria-hidden="true">{at + 1}</kbd>
            </button>
          ))}
        </nav>
      </div>
      {/* Views put what they are about here: a title, or a choice between two halves. */}
      <div class="top-middle" id="top-middle" />
      <div class="top-right">
        <WatchedFiles />
        <ConnectionState />
        <Button icon="keys" label="Key map" keys={["?"]} look="quiet" onClick={() => (dialog.value = "keys")} />
        <Button icon={theme.value === "dark" ? "sun" : "moon"} label={theme.value === "dark" ? "Light theme" : "Dark theme"} look="quiet" onClick={toggleTheme} />
        <Button icon="export" look="main" keys={["E"]} class="export" onClick={() => (dialog.value = "export")}>
          Export
        </Button>
      </div>
    </header>
  )
}

const CONNECTION_WORDS = { open: "Running locally", trying: "Connecting", gone: "Stopped", refused: "Started anew" }

function ConnectionState() {
  const { kind } = connection.value
  return (
    <span class={"connected " + kind} role="status">
      {CONNECTION_WORDS[kind]}
    </span>
  )
}

/** Shows that files are being kept up to date, with a way to stop it. */
function WatchedFiles() {
  const files = [...watched.value.values()].map((output) => output.path)
  if (!files.length) return null
  return (
    <span class={"watching" + (trouble.value?.changed ? " halted" : "")} title={files.join("\n")}>
      <span class="watching-what">{trouble.value?.changed ? `${Object.keys(trouble.value.changed)[0]?.replace(/^.*\//, "")} was changed elsewhere` : files.length === 1 ? `Keeping ${(files[0] ?? "").replace(/^.*\//, "")} up to date` : `Keeping ${files.length} files up to date`}</span>
      {trouble.value?.again && (
        <Button small onClick={() => void trouble.value?.again?.()}>
          Write over it
        </Button>
      )}
      <Button small onClick={stopWatching}>
        Stop
      </Button>
    </span>
  )
}

/** The server went away: what to do, and when the next try is. Everything that needs no server goes on. */
function Banner() {
  const now = useSignal(Date.now())
  const state = connection.value
  useEffect(() => {
    if (state.kind !== "gone") return
    const timer = setInterval(() => (now.value = Date.now()), 250)
    return () => clearInterval(timer)
  }, [state.kind])
  if (!greeting.value || state.kind === "open" || (state.kind === "trying" && !seenGone)) return null
  seenGone = true
  const left = state.kind === "gone" ? Math.max(0, Math.ceil((state.again - now.value) / 1000)) : 0
  return (
    <div class="banner" role="alert">
      <Warn />
      <div class="banner-text">
        {state.kind === "refused" ? (
          <>
            <b>The studio was started anew.</b> <span>Open the address it printed; this page follows by itself.</span>
          </>
        ) : (
          <>
            <b>The studio has stopped. Nothing is lost.</b>{" "}
            <span>
              Start it again with{" "}
              <code>{greeting.value.restart}</code>
            </span>
          </>
        )}
      </div>
      <span class="gap" />
      {state.kind !== "refused" && <span class="banner-when">{left > 0 ? `trying again in ${left} s` : "trying now"}</span>}
      <Button small onClick={tryNow}>
        Try now
      </Button>
    </div>
  )
}
let seenGone = false

function Warn() {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M8 2.5 14.5 13.5H1.5zM8 6.5v3.2M8 11.6v.01" />
    </svg>
  )
}

function PassingNotice() {
  const shown = useSignal("")
  useSignalEffect(() => {
    const now = said.value
    if (!now) return
    shown.value = now.text
    const timer = setTimeout(() => (shown.value = ""), Math.max(3200, 60 * now.text.length))
    return () => clearTimeout(timer)
  })
  return (
    <div class={"said" + (shown.value ? " shown" : "")} role="status" aria-live="polite">
      {shown}
    </div>
  )
}
