import type { Instrument, InstrumentInput, InstrumentIssuer, Organization } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queries } from '../../../data/queries.ts'
import { ErrorNotice } from '../../../page/error-notice.tsx'
import { CopyCurl } from '../../../parts/copy-curl.tsx'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { PasswordField } from '../../../ui/password-field.tsx'
import { Select } from '../../../ui/select.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { fieldError } from '../../../words/errors.ts'
import { toInput } from './instrument-input.ts'
import { useSave } from './use-save.ts'

interface InstrumentDialogProps {
  readonly organization: Organization
  /** The instrument that is changed; null for a new one. */
  readonly instrument: Instrument | null
  /** The whole list with the new or changed instrument. */
  readonly listWith: (changed: InstrumentInput) => readonly InstrumentInput[]
  readonly onClose: () => void
}

const ISSUERS = [
  { value: 'stripe', label: 'Stripe' },
  { value: 'delegate_payment', label: 'A provider with ACP’s delegate payment API' },
] as const

const NEW: InstrumentInput = {
  ...{ id: '', label: '', issuer: 'stripe', paymentMethod: '' },
  ...{ baseUrl: null, agentIds: null },
}

/** The means of payment of ACP checkouts: a stored payment method at a token provider. */
export function InstrumentDialog(props: InstrumentDialogProps) {
  const { organization, instrument, listWith, onClose } = props
  const { data: agents } = useQuery(queries.agents())
  const [form, setForm] = useState<InstrumentInput>(instrument ? toInput(instrument) : NEW)
  const [credential, setCredential] = useState('')
  const save = useSave(organization, {
    what: instrument ? `Change the ACP instrument ${instrument.label}.` : 'Add an ACP instrument.',
    done: 'The instrument is saved.',
    onDone: onClose,
  })
  const set = (change: Partial<InstrumentInput>) => setForm((before) => ({ ...before, ...change }))
  const changed = withCredential(form, credential)
  const instruments = listWith(changed)
  const at = instruments.indexOf(changed)
  const errorAt = (name: string) => fieldError(save.error, `/acp/instruments/${at}/${name}`)
  const chosen = new Set(form.agentIds ?? [])
  function toggle(id: string, isOn: boolean) {
    if (isOn) chosen.add(id)
    else chosen.delete(id)
    set({ agentIds: chosen.size === 0 ? null : [...chosen] })
  }
  return (
    <Dialog
      description="Purser asks the token provider for a payment token when a checkout is approved. Never enter a card number."
      footer={
        <>
          <div className="mr-auto">
            <CopyCurl
              request={{
                ...{ method: 'PATCH', path: '/organization' },
                // The credential is left out: the text of a shell ends in its history.
                body: { acp: { instruments: listWith(withCredential(form, credential && '…')) } },
              }}
            />
          </div>
          <Button onClick={onClose}>Cancel</Button>
          <Button busy={save.isBusy} type="submit" variant="primary">
            Save the instrument
          </Button>
        </>
      }
      onClose={onClose}
      onSubmit={() => void save.start({ acp: { instruments } })}
      open
      title={instrument ? `Change ${instrument.label}` : 'Add an ACP instrument'}
    >
      <div className="grid gap-3.5">
        <div className="grid gap-3.5 phone:grid-cols-2">
          <TextField
            error={errorAt('label')}
            label="Name"
            onChange={(label) => set({ label })}
            required
            value={form.label}
          />
          <TextField
            disabled={instrument !== null}
            error={errorAt('id')}
            help="A checkout selects it with instrumentId."
            label="Id"
            mono
            onChange={(id) => set({ id })}
            placeholder="company-card"
            required
            value={form.id}
          />
        </div>
        <Select
          label="Token provider"
          onChange={(issuer: InstrumentIssuer) => set({ issuer })}
          options={ISSUERS}
          value={form.issuer}
        />
        <TextField
          error={errorAt('paymentMethod')}
          help="The provider’s id for the stored payment method."
          label="Payment method"
          mono
          onChange={(paymentMethod) => set({ paymentMethod })}
          placeholder="pm_…"
          required
          value={form.paymentMethod}
        />
        <TextField
          error={errorAt('baseUrl')}
          help={form.issuer === 'stripe' ? 'Empty: Stripe’s API.' : 'Required for this provider.'}
          inputMode="url"
          label="Base URL"
          mono
          onChange={(baseUrl) => set({ baseUrl: baseUrl === '' ? null : baseUrl })}
          value={form.baseUrl ?? ''}
        />
        <PasswordField
          autoComplete="off"
          error={errorAt('credential')}
          help={
            instrument
              ? `Empty: keeps the key that ends in ${instrument.credentialHint}.`
              : 'Stored encrypted, and never shown again.'
          }
          label="Key at the provider"
          onChange={setCredential}
          value={credential}
        />
        <Field
          group
          help={form.agentIds === null ? 'None chosen: every agent may pay with it.' : undefined}
          label="Agents"
        >
          <div className="grid max-h-44 gap-1.5 overflow-auto phone:grid-cols-2">
            {(agents?.data ?? []).map(({ id, name }) => (
              <Checkbox
                checked={chosen.has(id)}
                key={id}
                label={<bdi>{name}</bdi>}
                onChange={(isOn) => toggle(id, isOn)}
              />
            ))}
          </div>
        </Field>
        <ErrorNotice
          error={save.error && save.error.errors.length === 0 ? save.error : null}
          title="The instrument was not saved."
        />
      </div>
    </Dialog>
  )
}

/** Without a new credential, the gateway keeps the stored one. */
function withCredential(form: InstrumentInput, credential: string): InstrumentInput {
  return { ...form, ...(credential === '' ? {} : { credential }) }
}
