import type { Instrument, Organization } from '@purser/sdk'
import { CopyCurl } from '../../../parts/copy-curl.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { errorSentence } from '../../../words/errors.ts'
import { toInput } from './instrument-input.ts'
import { useSave } from './use-save.ts'

interface RemoveInstrumentProps {
  readonly organization: Organization
  readonly instrument: Instrument
  readonly onClose: () => void
}

export function RemoveInstrument({ organization, instrument, onClose }: RemoveInstrumentProps) {
  const save = useSave(organization, {
    what: `Remove the ACP instrument ${instrument.label}.`,
    done: `${instrument.label} is removed.`,
  })
  const instruments = organization.acp.instruments
    .filter(({ id }) => id !== instrument.id)
    .map(toInput)
  return (
    <Confirm
      action={{
        label: `Remove ${instrument.label}`,
        tone: 'danger',
        onConfirm: async () => {
          if (!(await save.start({ acp: { instruments } }))) throw new Error('not removed')
        },
      }}
      aside={
        <CopyCurl
          request={{ method: 'PATCH', path: '/organization', body: { acp: { instruments } } }}
        />
      }
      effect="Checkouts that begin from now on cannot pay with it. Purser forgets its key, so you need the key again to add it back."
      error={save.error ? errorSentence(save.error) : undefined}
      onClose={onClose}
      open
      title={`Remove ${instrument.label}?`}
    />
  )
}
