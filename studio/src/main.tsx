/** The page begins: token out of the address, theme, keys, connection, then the first work. */
import { render } from "preact"
import "./parts/pixels"
import { listenToKeys } from "./keys"
import { connect } from "./server"
import { Shell } from "./shell"
import { beginWork } from "./state/begin"
import { takeToken } from "./state/token"

takeToken()
listenToKeys()
beginWork()
connect()
const page = document.getElementById("page")
if (page) render(<Shell />, page)
