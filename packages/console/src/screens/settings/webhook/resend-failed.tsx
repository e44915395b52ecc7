import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { purser } from '../../../data/client.ts'
import { queries } from '../../../data/queries.ts'
import { useAction } from '../../../data/use-action.ts'
import { ErrorNotice } from '../../../page/error-notice.tsx'
import { CopyCurl } from '../../../parts/copy-curl.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Select } from '../../../ui/select.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { countOf } from '../../../words/text.ts'
import { fromOf, RANGES } from './ranges.ts'

const CHOICES = [
  ...RANGES.map(({ value, label }) => ({ value, label: `Failed in the last ${label}` })),
  { value: 'since', label: 'Failed since a time' },
]

const NO_START = 'Enter a date and a time.'
const NOTHING = 'Nothing failed in this time.'

/** Starts the task that sends failed deliveries of a range again. */
export function ResendFailed({ onClose }: { readonly onClose: () => void }) {
  const [opened] = useState(() => Date.now())
  const [choice, setChoice] = useState('24h')
  const [since, setSince] = useState(() => toLocal(opened - 3_600_000))
  const from = choice === 'since' ? fromLocal(since) : fromOf(choice, opened)
  const body = { from, to: new Date(opened).toISOString() }
  // Without a beginning, the request would mean every failed delivery that there ever was.
  const isOpenEnded = from === undefined
  const { data } = useQuery({
    ...queries.deliveries({ status: 'failed', ...body, limit: 1 }),
    enabled: !isOpenEnded,
  })
  const count = data?.total
  const reason = refusalOf(isOpenEnded, count)
  const start = useAction({
    run: (input: typeof body, options) =>
      purser.webhooks.deliveries.redeliver('failed', input, options),
    sentence: 'Send failed deliveries again.',
    touches: [['deliveries']],
    onDone: onClose,
  })
  return (
    <Dialog
      description="The gateway sends them one after another, oldest first, with the same body and webhook-id. It goes on when you close this page, and you can stop it."
      footer={
        <>
          <div className="mr-auto">
            <CopyCurl
              disabledReason={reason}
              request={{ method: 'POST', path: '/webhooks/deliveries/failed/redeliver', body }}
            />
          </div>
          <Button onClick={onClose}>Cancel</Button>
          <Button busy={start.isBusy} disabledReason={reason} type="submit" variant="primary">
            {count ? `Resend ${countOf(count, 'delivery', 'deliveries')}` : 'Resend'}
          </Button>
        </>
      }
      onClose={onClose}
      onSubmit={() => {
        if (reason === undefined) void start.start(body)
      }}
      open
      size="sm"
      title="Resend failed deliveries?"
    >
      <div className="grid gap-3">
        <Select label="Which" onChange={setChoice} options={CHOICES} value={choice} />
        {choice === 'since' ? (
          <TextField
            error={reason === NO_START ? reason : undefined}
            help="By the clock of this browser."
            label="Since"
            onChange={setSince}
            type="datetime-local"
            value={since}
          />
        ) : null}
        <p aria-live="polite" className="text-ink-2">
          {reason ?? countWords(count)}
        </p>
        <ErrorNotice error={start.error} title="Nothing was sent." />
      </div>
    </Dialog>
  )
}

/** Why nothing can be sent again; undefined if something can. */
function refusalOf(isOpenEnded: boolean, count: number | undefined): string | undefined {
  if (isOpenEnded) return NO_START
  return count === 0 ? NOTHING : undefined
}

function countWords(count: number | undefined): string {
  if (count === undefined) return 'Counting…'
  return `${countOf(count, 'delivery', 'deliveries')}, oldest first. A server that has seen a webhook-id ignores it.`
}

function toLocal(at: number): string {
  const offset = new Date(at).getTimezoneOffset() * 60_000
  return new Date(at - offset).toISOString().slice(0, 16)
}

function fromLocal(text: string): string | undefined {
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}
