import type { Organization, RetentionChange } from '@purser/sdk'
import { type FormEvent, useState } from 'react'
import { useMay } from '../../../data/session.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import { NumberField } from '../../../ui/number-field.tsx'
import { errorSentence, fieldError } from '../../../words/errors.ts'
import { isShorter, toDays } from './changed-fields.ts'
import { SaveBar, Section } from './section.tsx'
import { useSave } from './use-save.ts'

const FIELDS = [
  {
    name: 'detailsDays',
    label: 'Details of decisions',
    help: 'Rules, reasons and metadata of transactions, 90 days or more. The transactions themselves stay. Empty: forever.',
    least: 90,
  },
  {
    name: 'eventsDays',
    label: 'Events and deliveries',
    help: 'The event feed and the delivery log, 7 days or more. Empty: forever.',
    least: 7,
  },
] as const

/** How long details and events are kept. A shorter time needs a second look. */
export function Retention({ organization }: { readonly organization: Organization }) {
  const may = useMay('organization:write')
  const { retention } = organization
  const [typed, setTyped] = useState<Partial<Record<keyof typeof retention, string>>>({})
  const [isAsking, setAsking] = useState(false)
  const change: RetentionChange = Object.fromEntries(
    FIELDS.flatMap(({ name }) => {
      const days = typed[name] === undefined ? undefined : toDays(typed[name])
      return days === undefined || days === retention[name] ? [] : [[name, days]]
    }),
  )
  const hasChange = Object.keys(change).length > 0
  const save = useSave(organization, {
    what: 'Change how long data is kept.',
    done: 'The retention is saved.',
    onDone: () => {
      setTyped({})
      setAsking(false)
    },
  })
  const shorter = FIELDS.filter(
    ({ name }) => name in change && isShorter(retention[name], change[name] ?? null),
  )
  function submit(event: FormEvent) {
    event.preventDefault()
    if (!hasChange || !may.isAllowed) return
    if (shorter.length > 0) setAsking(true)
    else void save.start({ retention: change })
  }
  return (
    <Section title="Retention">
      <form className="grid gap-4" onSubmit={submit}>
        <div className="grid gap-4 phone:grid-cols-2">
          {FIELDS.map(({ name, label, help, least }) => (
            <NumberField
              disabled={!may.isAllowed}
              error={fieldError(save.error, `/retention/${name}`)}
              help={help}
              key={name}
              label={label}
              max={36_500}
              min={least}
              onChange={(text) => setTyped((before) => ({ ...before, [name]: text }))}
              placeholder="forever"
              unit="days"
              value={typed[name] ?? String(retention[name] ?? '')}
              was={name in change ? `was ${retention[name] ?? 'forever'}` : undefined}
            />
          ))}
        </div>
        <SaveBar
          change={hasChange ? { retention: change } : {}}
          disabledReason={may.reason}
          error={isAsking ? null : save.error}
          isBusy={save.isBusy}
          label="Save retention"
          onReset={() => setTyped({})}
        />
      </form>
      {isAsking ? (
        <Confirm
          action={{
            label: 'Keep data for a shorter time',
            tone: 'danger',
            onConfirm: async () => {
              if (!(await save.start({ retention: change }))) throw new Error('not saved')
            },
          }}
          affected={
            <ul className="list-disc pl-5">
              {shorter.map(({ name, label }) => (
                <li key={name}>
                  {label}: older than {change[name]} days
                </li>
              ))}
            </ul>
          }
          effect="Purser removes these in the next hours, step by step. Removed data cannot be brought back."
          error={save.error ? errorSentence(save.error) : undefined}
          onClose={() => setAsking(false)}
          open
          title="Keep data for a shorter time?"
        />
      ) : null}
    </Section>
  )
}
