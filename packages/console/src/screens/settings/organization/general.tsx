import type { Organization, OrganizationChange } from '@purser/sdk'
import { type FormEvent, useState } from 'react'
import { useMay } from '../../../data/session.ts'
import { CURRENCIES, TIMEZONES } from '../../../parts/choices.ts'
import { Combobox } from '../../../ui/combobox.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { fieldError } from '../../../words/errors.ts'
import { changedFields } from './changed-fields.ts'
import { SaveBar, Section } from './section.tsx'
import { useSave } from './use-save.ts'

type Form = Pick<Organization, 'name' | 'timezone' | 'currency'>

/** The name, the time zone and the currency. */
export function General({ organization }: { readonly organization: Organization }) {
  const may = useMay('organization:write')
  const [typed, setTyped] = useState<Partial<Form>>({})
  const form: Form = { ...organization, ...typed }
  const change: OrganizationChange = changedFields(organization, typed)
  const save = useSave(organization, {
    what: 'Change the settings of the organization.',
    done: 'The settings are saved.',
    onDone: () => setTyped({}),
  })
  const set = (name: keyof Form) => (value: string) =>
    setTyped((before) => ({ ...before, [name]: value }))
  const was = (name: keyof Form) => (name in change ? `was ${organization[name]}` : undefined)
  function submit(event: FormEvent) {
    event.preventDefault()
    if (Object.keys(change).length > 0 && may.isAllowed) void save.start(change)
  }
  return (
    <Section title="General">
      <form className="grid gap-4" onSubmit={submit}>
        <TextField
          disabled={!may.isAllowed}
          error={fieldError(save.error, '/name')}
          label="Name"
          maxLength={120}
          onChange={set('name')}
          value={form.name}
          was={was('name')}
        />
        <div className="grid gap-4 phone:grid-cols-2">
          <Combobox
            disabled={!may.isAllowed}
            error={fieldError(save.error, '/timezone')}
            help="Days, budget periods and calendar windows begin by it. Purser counts the totals again after a change."
            label="Time zone"
            onChange={set('timezone')}
            options={TIMEZONES}
            value={form.timezone}
            was={was('timezone')}
          />
          <Combobox
            disabled={!may.isAllowed}
            error={fieldError(save.error, '/currency')}
            help="For new mandates. Existing mandates keep theirs."
            label="Currency"
            onChange={set('currency')}
            options={CURRENCIES}
            value={form.currency}
            was={was('currency')}
          />
        </div>
        {may.isAllowed ? null : <p className="text-small text-ink-3">{may.reason}</p>}
        <SaveBar
          change={change}
          disabledReason={may.reason}
          error={save.error}
          isBusy={save.isBusy}
          label="Save settings"
          onReset={() => {
            setTyped({})
            save.reset()
          }}
        />
      </form>
    </Section>
  )
}
