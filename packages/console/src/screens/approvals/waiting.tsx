import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { asPurserError } from '../../data/use-action.ts'
import { useShortcut } from '../../keys/use-shortcut.ts'
import { ErrorNotice } from '../../page/error-notice.tsx'
import { Link } from '../../router/link.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { countOf } from '../../words/text.ts'
import { ApprovalCase } from './approval-case.tsx'
import { nextWaiting, whyNotSelect } from './inbox.ts'
import { InboxList } from './inbox-list.tsx'
import { Panes, useOpenFirst } from './panes.tsx'
import type { useInbox } from './use-inbox.ts'
import { useMoveKeys } from './use-move-keys.ts'

const Together = lazy(async () => ({ default: (await import('./together.tsx')).Together }))

interface WaitingProps {
  readonly id: string | undefined
  readonly agent: string | undefined
  readonly inbox: ReturnType<typeof useInbox>
}

/** The inbox: the next request to expire comes first. */
export function Waiting({ id, agent, inbox: { query, rows, total } }: WaitingProps) {
  const [selectedIds, setSelected] = useState<readonly string[]>([])
  const search = useMemo(() => (agent === undefined ? {} : { agent }), [agent])
  const waiting = rows.filter(({ isWaiting }) => isWaiting).map(({ approval }) => approval)
  // A selection stays while its results are shown, so it may name answered requests.
  const selected = rows
    .map(({ approval }) => approval)
    .filter((approval) => selectedIds.includes(approval.id))
  useOpenFirst(id, waiting[0]?.id, search)
  useMoveKeys(
    rows.map(({ approval }) => approval),
    search,
  )
  const toggle = (toggled: string) => {
    const approval = rows.find((row) => row.approval.id === toggled)?.approval
    if (!approval) return
    if (selectedIds.includes(toggled)) setSelected(selectedIds.filter((one) => one !== toggled))
    else if (!whyNotSelect(approval, selected)) setSelected([...selectedIds, toggled])
  }
  useShortcut('x', () => id && toggle(id), {
    ...{ label: 'Select this request', group: 'Approvals', isOn: id !== undefined },
  })
  useShortcut('Escape', () => setSelected([]), {
    ...{ label: 'Clear the selection', group: 'Approvals', isOn: selected.length > 0 },
  })
  const error = asPurserError(query.error)
  if (error && rows.length === 0) {
    return (
      <div className="p-6">
        <ErrorNotice
          title="The requests could not be loaded."
          error={error}
          onRetry={() => void query.refetch()}
        />
      </div>
    )
  }
  if (query.isPending) return <Skeleton rows={6} shape="table" />
  if (rows.length === 0 && id === undefined) return <NothingWaits agent={agent} />
  const next = id === undefined ? undefined : nextWaiting(rows, id)
  return (
    <>
      <NewRequests ids={waiting.map((approval) => approval.id)} />
      <Panes
        label="Waiting requests"
        list={<InboxList {...{ rows, id, agent, search, selected, total }} onToggle={toggle} />}
        chosen={
          selected.length > 1 ? (
            <Suspense fallback={<section />}>
              <Together approvals={selected} onClose={() => setSelected([])} />
            </Suspense>
          ) : id === undefined ? null : (
            <ApprovalCase key={id} id={id} next={next} search={search} />
          )
        }
      />
    </>
  )
}

function NothingWaits({ agent }: { readonly agent: string | undefined }) {
  return (
    <Empty
      title="Nothing needs your approval."
      action={agent ? <Link to="/approvals">Show the requests of all agents</Link> : undefined}
    >
      Requests appear here when a rule requires approval.{' '}
      <Link to="/mandates">Add such a rule</Link> to a mandate.
    </Empty>
  )
}

/** Tells a screen reader at once about new requests. */
function NewRequests({ ids }: { readonly ids: readonly string[] }) {
  const known = useRef<ReadonlySet<string> | null>(null)
  const [text, setText] = useState('')
  const joined = ids.join(' ')
  useEffect(() => {
    const now = new Set(joined.split(' ').filter(Boolean))
    const before = known.current
    known.current = now
    const added = before ? [...now].filter((one) => !before.has(one)).length : 0
    if (added > 0) setText(`${countOf(added, 'new request')}. ${now.size} waiting.`)
  }, [joined])
  return (
    <p aria-live="assertive" className="sr-only">
      {text}
    </p>
  )
}
