/** The page begins: token out of the address, theme, keys, connection, then the first work. */
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
