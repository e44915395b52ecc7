import type { Instrument, InstrumentInput, Organization } from '@purser/sdk'
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useMay } from '../../../data/session.ts'
import { ErrorNotice } from '../../../page/error-notice.tsx'
import { CopyCurl } from '../../../parts/copy-curl.tsx'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { countOf } from '../../../words/text.ts'
import { toInput } from './instrument-input.ts'
import { Section } from './section.tsx'
import { useSave } from './use-save.ts'

const InstrumentDialog = lazy(() =>
  import('./instrument-dialog.tsx').then((all) => ({ default: all.InstrumentDialog })),
)
const RemoveInstrument = lazy(() =>
  import('./remove-instrument.tsx').then((all) => ({ default: all.RemoveInstrument })),
)

type Open =
  | { readonly kind: 'add' }
  | { readonly kind: 'edit' | 'remove'; readonly instrument: Instrument }

/** Whether the gateway calls x402 vendors, and the payment methods for ACP checkouts. */
export function Paths({ organization }: { readonly organization: Organization }) {
  const may = useMay('organization:write')
  const [open, setOpen] = useState<Open | null>(null)
  const { instruments } = organization.acp
  const x402 = useSave(organization, {
    what: organization.x402Fetch
      ? 'Stop calls to x402 vendors.'
      : 'Let the gateway call x402 vendors.',
    done: 'The setting for x402 is saved.',
  })
  const list = (changed: InstrumentInput, before?: string) => {
    const others = instruments.map(toInput)
    return before === undefined
      ? [...others, changed]
      : others.map((one) => (one.id === before ? changed : one))
  }
  return (
    <Section
      action={
        <Button
          disabledReason={may.reason}
          icon={<Plus aria-hidden="true" size={14} />}
          onClick={() => setOpen({ kind: 'add' })}
          size="sm"
        >
          Add an ACP instrument
        </Button>
      }
      title="Payment paths"
    >
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div className="min-w-0 flex-1 basis-72">
          <Switch
            checked={organization.x402Fetch}
            disabled={!may.isAllowed || x402.isBusy}
            help="The gateway fetches resources for agents (mode fetch), and asks a vendor whether a payment request is genuine. Off: it calls no vendor."
            label="Calls to x402 vendors"
            onChange={(isOn) => void x402.start({ x402Fetch: isOn })}
          />
        </div>
        <CopyCurl
          request={{
            ...{ method: 'PATCH', path: '/organization' },
            body: { x402Fetch: !organization.x402Fetch },
          }}
        />
      </div>
      <ErrorNotice error={x402.error} title="The setting was not saved." />
      <div>
        <h3 className="font-medium">ACP instruments</h3>
        {instruments.length === 0 ? (
          <p className="text-small text-ink-3">
            None. Agents cannot pay at ACP checkouts until there is one.
          </p>
        ) : (
          <ul className="mt-1.5 rounded-3 border border-line">
            {instruments.map((instrument) => (
              <li
                className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line px-3 py-2 not-first:border-t"
                key={instrument.id}
              >
                <div className="min-w-0 flex-1 basis-52">
                  <bdi className="font-medium">{instrument.label}</bdi>{' '}
                  <code className="text-small text-ink-3">{instrument.id}</code>
                  <div className="text-small text-ink-3">
                    {instrument.issuer === 'stripe' ? 'Stripe' : 'Delegate payment'} ·{' '}
                    {instrument.agentIds === null
                      ? 'every agent'
                      : countOf(instrument.agentIds.length, 'agent')}{' '}
                    · key ends in <code>{instrument.credentialHint}</code>
                  </div>
                </div>
                <IconButton
                  disabledReason={may.reason}
                  icon={<Pencil aria-hidden="true" size={14} />}
                  label={`Change ${instrument.label}`}
                  onClick={() => setOpen({ kind: 'edit', instrument })}
                />
                <IconButton
                  disabledReason={may.reason}
                  icon={<Trash2 aria-hidden="true" size={14} />}
                  label={`Remove ${instrument.label}`}
                  onClick={() => setOpen({ kind: 'remove', instrument })}
                />
              </li>
            ))}
          </ul>
        )}
      </div>
      <Suspense>
        {open?.kind === 'add' ? (
          <InstrumentDialog
            instrument={null}
            listWith={(changed) => list(changed)}
            onClose={() => setOpen(null)}
            organization={organization}
          />
        ) : null}
        {open?.kind === 'edit' ? (
          <InstrumentDialog
            instrument={open.instrument}
            listWith={(changed) => list(changed, open.instrument.id)}
            onClose={() => setOpen(null)}
            organization={organization}
          />
        ) : null}
        {open?.kind === 'remove' ? (
          <RemoveInstrument
            instrument={open.instrument}
            onClose={() => setOpen(null)}
            organization={organization}
          />
        ) : null}
      </Suspense>
    </Section>
  )
}
