import type { CardSecrets, PurserError } from '@purser/sdk'
import { errorUnder } from '../../page/form-errors.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Select } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { ConnectionForm } from './connection-form.ts'
import { OWN_INTEGRATION } from './providers.ts'

interface ConnectionFieldsProps {
  readonly form: ConnectionForm
  readonly set: (change: Partial<ConnectionForm>) => void
  readonly error: PurserError | null
  readonly secrets: CardSecrets | undefined
}

const FAIL_MODES = [
  { value: 'closed', label: 'Decline' },
  { value: 'open', label: 'Approve up to an amount' },
] as const

/** The terms of a connection, and the secrets with which the issuer signs. */
export function ConnectionFields({ form, set, error, secrets }: ConnectionFieldsProps) {
  return (
    <>
      {form.provider === OWN_INTEGRATION ? null : (
        <div className="grid gap-3.5 phone:grid-cols-2">
          <TextField
            label="Secret of requests"
            type="password"
            autoComplete="off"
            help={keepWords(secrets?.authorization?.hint)}
            value={form.authorizationSecret}
            onChange={(authorizationSecret) => set({ authorizationSecret })}
            error={errorUnder(error, '/secrets/authorization')}
          />
          <TextField
            label="Secret of events"
            type="password"
            autoComplete="off"
            help={keepWords(secrets?.events?.hint)}
            value={form.eventsSecret}
            onChange={(eventsSecret) => set({ eventsSecret })}
            error={errorUnder(error, '/secrets/events')}
          />
        </div>
      )}
      <div className="grid gap-3.5 phone:grid-cols-2">
        <Select
          label="Without a decision in time"
          value={form.failMode}
          options={FAIL_MODES}
          onChange={(failMode) => set({ failMode })}
          error={errorUnder(error, '/failMode')}
        />
        <TextField
          label="Deadline"
          note="optional"
          end="ms"
          inputMode="numeric"
          value={form.deadlineMs}
          onChange={(deadlineMs) => set({ deadlineMs })}
          error={errorUnder(error, '/deadlineMs')}
        />
      </div>
      {form.failMode === 'open' ? (
        <TextField
          label="Approve at most"
          required
          inputMode="decimal"
          help="In units of the card’s currency. Purchases up to it pass without a decision."
          value={form.failOpenMaxAmount}
          onChange={(failOpenMaxAmount) => set({ failOpenMaxAmount })}
          error={errorUnder(error, '/failOpenMaxAmount')}
        />
      ) : null}
      <Checkbox
        checked={form.partialApprovals}
        label="Allow partial approvals"
        help="Approve less than the requested amount, if the issuer supports that."
        onChange={(partialApprovals) => set({ partialApprovals })}
      />
      <Checkbox
        checked={form.pauseOnOverCapture}
        label="Pause a card on over-capture"
        help="When a merchant captures more than was approved."
        onChange={(pauseOnOverCapture) => set({ pauseOnOverCapture })}
      />
    </>
  )
}

function keepWords(hint: string | undefined): string {
  return hint === undefined
    ? 'As the issuer shows it. Never shown again.'
    : `Ends in ${hint}. Leave it empty to keep it.`
}
