import { useQuery } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { queries } from '../../../data/queries.ts'
import { useMay } from '../../../data/session.ts'
import { useNow } from '../../../parts/when.tsx'
import { Link } from '../../../router/link.tsx'
import { Button } from '../../../ui/button.tsx'
import { fromOf } from './ranges.ts'

const ResendFailed = lazy(() =>
  import('./resend-failed.tsx').then((all) => ({ default: all.ResendFailed })),
)

/** How the last 24 hours went. Each number leads to its deliveries. */
export function Health() {
  const may = useMay('webhooks:write')
  const [isOpen, setOpen] = useState(false)
  const delivered = useCount('succeeded')
  const waiting = useCount('pending')
  const failed = useCount('failed')
  const ended = (delivered ?? 0) + (failed ?? 0)
  const share = ended === 0 ? '–' : `${(((delivered ?? 0) / ended) * 100).toFixed(1)} %`
  return (
    <section
      aria-label="The last 24 hours"
      className="flex flex-wrap items-center gap-x-7 gap-y-3 rounded-3 border border-line px-3.5 py-3"
    >
      <Figure text="delivered in 24 h" value={share} />
      <Figure status="succeeded" text="delivered" value={delivered} />
      <Figure status="pending" text="waiting or retrying" tone="text-held" value={waiting} />
      <Figure status="failed" text="failed" tone="text-no" value={failed} />
      <div className="ml-auto">
        <Button
          disabledReason={may.reason}
          icon={<RotateCw aria-hidden="true" size={14} strokeWidth={1.5} />}
          onClick={() => setOpen(true)}
        >
          Resend failed…
        </Button>
      </div>
      <Suspense>{isOpen ? <ResendFailed onClose={() => setOpen(false)} /> : null}</Suspense>
    </section>
  )
}

type Status = 'succeeded' | 'pending' | 'failed'

function useCount(status: Status): number | undefined {
  const now = useNow()
  const from = fromOf('24h', now)
  return useQuery(queries.deliveries({ status, from, test: false, limit: 1 })).data?.total
}

interface FigureProps {
  readonly value: number | string | undefined
  readonly text: string
  readonly status?: Status
  readonly tone?: string
}

function Figure({ value, text, status, tone = '' }: FigureProps) {
  const shown = typeof value === 'number' ? value.toLocaleString('en') : (value ?? '–')
  const inside = (
    <>
      <b className={`block text-lead leading-6 font-strong ${value === 0 ? '' : tone}`}>{shown}</b>
      <span className="text-small text-ink-3">{text}</span>
    </>
  )
  if (status === undefined) return <div>{inside}</div>
  return (
    <Link
      className="rounded-1 text-ink no-underline hover:no-underline"
      search={{ status, from: '24h' }}
      to="/settings/webhook"
    >
      {inside}
    </Link>
  )
}
