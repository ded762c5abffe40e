/** Dark or light: the system's preference, until the user chooses. */
import { computed, effect, signal } from "@preact/signals"
import { onOtherTab, oneOf, recall, remember } from "./storage"

export type Theme = "dark" | "light"

const prefersLight = matchMedia("(prefers-color-scheme: light)")
const system = signal<Theme>(prefersLight.matches ? "light" : "dark")
prefersLight.addEventListener("change", () => (system.value = prefersLight.matches ? "light" : "dark"))

const isTheme = oneOf<Theme | null>("dark", "light")
export const chosenTheme = signal<Theme | null>(recall<Theme | null>("theme", null, isTheme))
onOtherTab("theme", (value) => (chosenTheme.value = isTheme(value) ? value : null))
export const theme = computed<Theme>(() => chosenTheme.value ?? system.value)

export function toggleTheme(): void {
  chosenTheme.value = theme.peek() === "dark" ? "light" : "dark"
}

effect(() => {
  document.documentElement.dataset.theme = theme.value
  remember("theme", chosenTheme.value)
})

/** A colour of the style sheet by its name, for canvases: `colour("accent")`. Read it while drawing: it changes with the theme. */
export function colour(name: string): string {
  const key = theme.peek() + name
  let found = cssColours.get(key)
  if (!found) cssColours.set(key, (found = getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim()))
  return found
}
const cssColours = new Map<string, string>()

export const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)")
