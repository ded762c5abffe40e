/** Start the page: listen to keys, restore the first work, connect, render. The kept values are loaded by then, in `state/storage.ts`. */
import { effect } from "@preact/signals"
import { render } from "preact"
import "./widgets/pixel_lengths"
import { listenToKeys } from "./shell/keys"
import { connect } from "./server/connection"
import { Shell } from "./shell/shell"
import { listenToPaste } from "./project/works"
import { beginWork } from "./state/first_work"
import { askBeforeLeaving } from "./shell/leaving"
import { say } from "./state/navigation"
import { storageNote } from "./state/storage"

listenToKeys()
askBeforeLeaving()
listenToPaste()
beginWork()
effect(() => {
  if (storageNote.value) say(storageNote.value)
})
connect()
const page = document.getElementById("page")
if (page) render(<Shell />, page)
