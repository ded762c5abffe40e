/** The key map: the table of keys.ts as it is, and the switch that turns single keys off. */
import { KEYS, keyOf, singleKeys, type KeyName } from "../keys"
import { Keys } from "../parts/button"
import { Switch } from "../parts/choices"
import { Dialog } from "../parts/dialog"

export function KeyMap({ onClose }: { onClose: () => void }) {
  const names = (Object.keys(KEYS) as KeyName[]).filter((name) => keyOf(name).label && !keyOf(name).with)
  const half = Math.ceil(names.length / 2)
  return (
    <Dialog label="Keys" title="Keys" class="key-map" onClose={onClose}>
      <div class="key-columns">
        {[names.slice(0, half), names.slice(half)].map((column, at) => (
          <dl key={at}>
            {column.map((name) => {
              const key = keyOf(name)
              return (
                <div key={name}>
                  <dt>
                    {key.label}
                    {key.in && <span class="key-where"> in {key.in.map((one) => one[0]?.toUpperCase() + one.slice(1)).join(", ")}</span>}
                  </dt>
                  <dd>
                    <Keys of={key.show ?? key.press} />
                  </dd>
                </div>
              )
            })}
          </dl>
        ))}
      </div>
      <footer class="dialog-foot">
        <Switch label="Single keys" value={singleKeys.value} onChange={(value) => (singleKeys.value = value)} />
        <span class="quiet">They rest while you type.</span>
      </footer>
    </Dialog>
  )
}
