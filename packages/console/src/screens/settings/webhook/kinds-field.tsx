import type { EventKind } from '@purser/sdk'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { eventWord } from '../../../words/words.ts'
import { EVENT_GROUPS } from './event-groups.ts'

interface KindsFieldProps {
  readonly chosen: ReadonlySet<string>
  readonly isDisabled: boolean
  readonly onChange: (chosen: ReadonlySet<string>) => void
}

/** All kinds of events in groups, each with a checkbox. */
export function KindsField({ chosen, isDisabled, onChange }: KindsFieldProps) {
  function toggle(kinds: readonly EventKind[], isOn: boolean) {
    const next = new Set(chosen)
    for (const kind of kinds) {
      if (isOn) next.add(kind)
      else next.delete(kind)
    }
    onChange(next)
  }
  return (
    <div className="grid gap-x-6 gap-y-4 phone:grid-cols-2">
      {EVENT_GROUPS.map(({ name, kinds }) => (
        <fieldset className="min-w-0" key={name}>
          <legend className="mb-1.5">
            <Checkbox
              checked={
                kinds.every((kind) => chosen.has(kind)) ||
                (kinds.some((kind) => chosen.has(kind)) ? 'some' : false)
              }
              disabled={isDisabled}
              label={<b>{name}</b>}
              onChange={(isOn) => toggle(kinds, isOn)}
            />
          </legend>
          <div className="grid gap-1.5 pl-6">
            {kinds.map((kind) => (
              <Checkbox
                checked={chosen.has(kind)}
                disabled={isDisabled}
                help={<code>{kind}</code>}
                key={kind}
                label={eventWord(kind)}
                onChange={(isOn) => toggle([kind], isOn)}
              />
            ))}
          </div>
        </fieldset>
      ))}
    </div>
  )
}
