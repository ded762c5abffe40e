/** Puts something into the middle of the top bar while a view is shown: <TopMiddle>...</TopMiddle> */
import { render, type ComponentChildren } from "preact"
import { useEffect } from "preact/hooks"

export function TopMiddle({ children }: { children: ComponentChildren }) {
  useEffect(() => {
    const place = document.getElementById("top-middle")
    if (place) render(<>{children}</>, place)
  })
  useEffect(
    () => () => {
      const place = document.getElementById("top-middle")
      if (place) render(null, place)
    },
    [],
  )
  return null
}
