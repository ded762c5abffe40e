/** Start the page: take the token from the address, listen to keys, restore the first work, connect, render. */
import { render } from "preact"
import "./widgets/pixel_lengths"
import { listenToKeys } from "./shell/keys"
import { connect } from "./server/connection"
import { Shell } from "./shell/shell"
import { beginWork } from "./state/first_work"
import { takeToken } from "./server/token"

takeToken()
listenToKeys()
beginWork()
connect()
const page = document.getElementById("page")
if (page) render(<Shell />, page)
