import type { AuditEntry } from '@purser/sdk'
import { lazy, Suspense, useCallback, useRef, useState } from 'react'
import { focusRow } from '../../keys/row-focus.ts'
import { GuardedPage } from '../../parts/guarded.tsx'
import { useAfterPaint } from '../../ui/later.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { DESK, useMedia } from '../../ui/use-media.ts'
import type { ListHandle } from './list-pane.tsx'
import { listPane } from './list-part.ts'
import { useAuditAddress } from './use-audit-address.ts'

const LeafDrawer = lazy(() => import('./drawer.tsx').then((one) => ({ default: one.LeafDrawer })))

/** The audit log with its proofs. A link to one leaf draws its drawer first. */
export function Audit() {
  return (
    <GuardedPage scope="audit:read" what="The audit log">
      <AuditPage />
    </GuardedPage>
  )
}

function AuditPage() {
  const address = useAuditAddress()
  const { openIndex, close } = address
  const pane = useAfterPaint(listPane, openIndex !== undefined)
  const list = useRef<ListHandle>(null)
  const [entries, setEntries] = useState<readonly AuditEntry[]>([])
  const isBeside = useMedia(DESK)
  const onMove = useCallback((step: 1 | -1) => list.current?.move(step), [])
  const onClose = useCallback(() => {
    close()
    if (openIndex !== undefined) focusRow(String(openIndex))
  }, [close, openIndex])
  return (
    <div className="flex min-h-104 flex-1 max-tablet:h-[calc(100dvh-6.75rem)] max-tablet:flex-none tablet:min-h-0 print:block print:h-auto">
      <div className="flex min-w-0 flex-1 flex-col">
        {pane ? (
          <pane.ListPane address={address} handle={list} onEntries={setEntries} />
        ) : (
          <Waiting />
        )}
      </div>
      {openIndex === undefined ? null : (
        <Suspense fallback={isBeside ? <aside className="w-126 border-l border-line" /> : null}>
          <LeafDrawer index={openIndex} listed={entries} onMove={onMove} onClose={onClose} />
        </Suspense>
      )}
    </div>
  )
}

function Waiting() {
  return (
    <>
      <PageHeader title="Audit log" />
      {/* The height of the filters. */}
      <div className="h-13 border-b border-line" />
      <Skeleton rows={12} shape="table" />
    </>
  )
}
