import { useState } from 'react'
import { areLettersOff, listShortcuts, switchLetters } from '../keys/shortcuts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { Switch } from '../ui/switch.tsx'
import { closeLayer } from './palette-state.ts'

/** All shortcuts of the page that is shown. */
export function ShortcutList() {
  return (
    <Dialog open onClose={closeLayer} title="Keyboard shortcuts">
      <Shortcuts />
    </Dialog>
  )
}

function Shortcuts() {
  const [isOn, setIsOn] = useState(!areLettersOff())
  const all = listShortcuts()
  const groups = [...new Set(all.map(({ group }) => group))]
  return (
    <div className="grid gap-5">
      <Switch
        label="Shortcuts of one letter"
        checked={isOn}
        onChange={(next) => {
          switchLetters(next)
          setIsOn(next)
        }}
      />
      <div className="grid gap-x-8 gap-y-5 tablet:grid-cols-2">
        {groups.map((group) => (
          <section key={group}>
            <h3 className="mb-1 text-small font-medium text-ink-3">{group}</h3>
            <ul>
              {all
                .filter((one) => one.group === group)
                .map(({ keys, label }) => (
                  <li key={keys} className="flex items-center justify-between gap-4 py-1">
                    {label}
                    <span className="flex gap-1">
                      {keys.split(/[ +]/).map((key, index) => (
                        // biome-ignore lint/suspicious/noArrayIndexKey: the same key can come twice
                        <Kbd key={index}>{key === 'mod' ? 'Ctrl' : key}</Kbd>
                      ))}
                    </span>
                  </li>
                ))}
            </ul>
          </section>
        ))}
      </div>
    </div>
  )
}
