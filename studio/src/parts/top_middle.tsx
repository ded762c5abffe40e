/** Puts something into the middle of the top bar while a view is shown: <TopMiddle>...</TopMiddle> */
import type { ComponentChildren } from "preact"
import { createPortal } from "preact/compat"
import { useEffect, useState } from "preact/hooks"

export function TopMiddle({ children }: { children: ComponentChildren }) {
  const [place, setPlace] = useState<Element | null>(null)
  useEffect(() => setPlace(document.getElementById("top-middle")), [])
  return place ? createPortal(<>{children}</>, place) : null
}
