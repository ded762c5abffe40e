/** The key map: the table of keys.ts as it is, view by view, and the switch that turns single keys off. */
import { KEYS, keyOf, singleKeys, type KeyName } from "./keys"
import { Keys } from "../widgets/button"
import { Switch } from "../widgets/choices"
import { Dialog } from "../widgets/dialog"
import { view, VIEWS } from "../state/navigation"

export function KeyMap({ onClose }: { onClose: () => void }) {
  const names = (Object.keys(KEYS) as KeyName[]).filter((name) => keyOf(name).label && !keyOf(name).with)
  // The current view comes first: its keys are the likeliest to be looked up.
  const views = [...VIEWS].sort((a, b) => Number(b.name === view.value) - Number(a.name === view.value))
  const groups = [
    { title: "", of: names.filter((name) => !keyOf(name).in) },
    ...views.map((one) => ({ title: one.title, of: names.filter((name) => keyOf(name).in?.includes(one.name)) })),
  ].filter((group) => group.of.length > 0)
  return (
    <Dialog label="Keys" title="Keys" class="key-map" onClose={onClose}>
      <div class="key-columns">
        {groups.map((group) => (
          <section key={group.title} aria-label={group.title || "Everywhere"}>
            {group.title && <h3>{group.title}</h3>}
            <dl>
              {group.of.map((name) => (
                <div key={name}>
                  <dt>{keyOf(name).label}</dt>
                  <dd>
                    <Keys of={keyOf(name).show ?? keyOf(name).press} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <footer class="dialog-foot">
        <Switch label="Single keys" value={singleKeys.value} onChange={(value) => (singleKeys.value = value)} />
        <span class="quiet">They rest while you type.</span>
      </footer>
    </Dialog>
  )
}
