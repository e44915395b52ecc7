import type { Organization } from '@purser/sdk'
import { type FormEvent, useState } from 'react'
import { useMay, useMe } from '../../../data/session.ts'
import { ErrorNotice } from '../../../page/error-notice.tsx'
import { MoneyField } from '../../../ui/money-field.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { fieldError } from '../../../words/errors.ts'
import { limitOf } from './changed-fields.ts'
import { SaveBar, Section } from './section.tsx'
import { useSave } from './use-save.ts'

/** Who must decide, and when the password is needed. */
export function ApprovalRules({ organization }: { readonly organization: Organization }) {
  const may = useMay('organization:write')
  const { member } = useMe()
  const saved = organization.approvalPasswordAbove
  const [typed, setTyped] = useState<string | null>(null)
  const eyes = useSave(organization, {
    what: organization.requireFourEyes
      ? 'Let members decide on requests that they caused.'
      : 'Require a second person for each approval.',
    done: 'The rule for approvals is saved.',
  })
  const save = useSave(organization, {
    what: 'Change when an approval needs the password.',
    done: 'The limit is saved.',
    onDone: () => setTyped(null),
  })
  const above = limitOf(typed, saved)
  const hasChange = above !== saved && !Number.isNaN(above)
  function submit(event: FormEvent) {
    event.preventDefault()
    if (hasChange && may.isAllowed) void save.start({ approvalPasswordAbove: above })
  }
  // Only an owner in a session may change it: no scope says so.
  const isOwner = member.role === 'owner'
  return (
    <Section title="Approvals">
      <Switch
        checked={organization.requireFourEyes}
        disabled={!isOwner || eyes.isBusy}
        help={`A second person must decide: the member who caused a request cannot, nor can the keys that they created.${isOwner ? '' : ' Only an owner can change this.'}`}
        label="Four eyes"
        onChange={(isOn) => void eyes.start({ requireFourEyes: isOn })}
      />
      <ErrorNotice error={eyes.error} title="The rule was not saved." />
      <form className="grid gap-4" onSubmit={submit}>
        <MoneyField
          currency={organization.currency}
          disabled={!may.isAllowed}
          error={fieldError(save.error, '/approvalPasswordAbove')}
          help="To approve a request above this amount, a member enters the password again. Empty: never."
          label="Ask for the password above"
          onChange={setTyped}
          placeholder="never"
          value={typed ?? (saved === null ? '' : String(saved))}
          was={hasChange ? `was ${saved ?? 'never'}` : undefined}
        />
        <SaveBar
          change={hasChange ? { approvalPasswordAbove: above } : {}}
          disabledReason={may.reason}
          error={save.error}
          isBusy={save.isBusy}
          label="Save limit"
          onReset={() => setTyped(null)}
        />
      </form>
    </Section>
  )
}
