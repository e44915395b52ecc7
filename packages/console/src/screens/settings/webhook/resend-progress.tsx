import type { FailedRedelivery } from '@purser/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { purser } from '../../../data/client.ts'
import { useMay } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import { CopyCurl } from '../../../parts/copy-curl.tsx'
import { useNow, When } from '../../../parts/when.tsx'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useWidth } from '../../../ui/use-width.ts'
import { errorSentence } from '../../../words/errors.ts'
import { countOf } from '../../../words/text.ts'
import { resendQuery } from './delivery-query.ts'

/** A task that ended this long ago is of no interest any more. */
const SHOWN_MS = 10 * 60_000

/** The task that sends failed deliveries again: how far it is, and a way to stop it. */
export function ResendProgress() {
  const now = useNow()
  const { data: task } = useQuery(resendQuery())
  const [hidden, setHidden] = useState<string | null>(null)
  useReloadAtEnd(task?.status)
  if (!task || task.status === 'none' || task.startedAt === hidden) return null
  if (task.status === 'running') return <Running task={task} />
  if (now - Date.parse(task.endedAt ?? '') > SHOWN_MS) return null
  return <Ended onHide={() => setHidden(task.startedAt)} task={task} />
}

/** The log and the figures change with the last delivery of the task. */
function useReloadAtEnd(status: FailedRedelivery['status'] | undefined): void {
  const client = useQueryClient()
  const wasRunning = useRef(false)
  useEffect(() => {
    if (wasRunning.current && status !== 'running') {
      client.invalidateQueries({ queryKey: ['deliveries', 'list'] }).catch(() => {})
    }
    wasRunning.current = status === 'running'
  }, [status, client])
}

function Running({ task }: { readonly task: FailedRedelivery }) {
  const may = useMay('webhooks:write')
  const stop = useAction({
    run: (_: undefined, options) =>
      purser.webhooks.deliveries.redeliver('failed', { stop: true }, options),
    sentence: 'Stop sending failed deliveries again.',
    touches: [['deliveries']],
  })
  const done = task.sent + task.failed
  return (
    <Notice
      action={
        <span className="flex flex-wrap gap-2">
          <CopyCurl
            request={{
              ...{ method: 'POST', path: '/webhooks/deliveries/failed/redeliver' },
              body: { stop: true },
            }}
            size="sm"
          />
          <Button
            busy={stop.isBusy}
            disabledReason={may.reason}
            onClick={() => void stop.start(undefined)}
            size="sm"
          >
            Stop
          </Button>
        </span>
      }
      icon={<RotateCw aria-hidden="true" size={16} />}
      role="status"
      tone="held"
    >
      <b>
        Resending {countOf(task.total, 'delivery', 'deliveries')}: {done} of {task.total}.
      </b>{' '}
      The gateway goes on when you close this page.
      <Bar done={done} total={task.total} />
      {stop.error ? <p className="text-no">{errorSentence(stop.error)}</p> : null}
    </Notice>
  )
}

interface EndedProps {
  readonly task: FailedRedelivery
  readonly onHide: () => void
}

function Ended({ task, onHide }: EndedProps) {
  const isStopped = task.status === 'stopped'
  const left = task.total - task.sent - task.failed
  return (
    <Notice
      action={
        <Button onClick={onHide} size="sm">
          Hide
        </Button>
      }
      icon={<RotateCw aria-hidden="true" size={16} />}
      role="status"
      tone={task.failed > 0 || isStopped ? 'ask' : 'ok'}
    >
      <b>{isStopped ? 'Resending stopped.' : 'Resending done.'}</b> Your server accepted{' '}
      {countOf(task.sent, 'delivery', 'deliveries')}
      {task.failed > 0 ? `, ${task.failed} failed again` : ''}
      {isStopped ? `, ${left} were not sent` : ''}.{' '}
      {task.endedAt ? <When ago at={task.endedAt} className="text-ink-3" /> : null}
    </Notice>
  )
}

function Bar({ done, total }: { readonly done: number; readonly total: number }) {
  const [ref, width] = useWidth()
  const part = total === 0 ? 0 : Math.min(1, done / total)
  return (
    <div
      aria-label="Deliveries sent"
      aria-valuemax={total}
      aria-valuemin={0}
      aria-valuenow={done}
      className="mt-2 h-1.5"
      ref={ref}
      role="progressbar"
    >
      <svg aria-hidden="true" className="block" height="6" width="100%">
        <rect className="fill-tone-line" height="6" rx="3" width={width} />
        <rect className="fill-tone-fill" height="6" rx="3" width={width * part} />
      </svg>
    </div>
  )
}
