import { Download, ShieldCheck } from 'lucide-react'
import { lazy, Suspense, useCallback, useMemo, useRef, useState } from 'react'
import { focusRow } from '../../keys/row-focus.ts'
import { useTitle } from '../../page/use-title.ts'
import { GuardedPage } from '../../parts/guarded.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { LivePill } from '../../ui/live-pill.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { DESK, useMedia } from '../../ui/use-media.ts'
import type { VirtualTableHandle } from '../../ui/virtual-table.tsx'
import { countOf } from '../../words/text.ts'
import { Filters } from './filters.tsx'
import { AuditList } from './list.tsx'
import { type AuditSearch, useAuditAddress } from './use-audit-address.ts'
import { useAuditList } from './use-audit-list.ts'
import { useLeafNames } from './use-leaf-names.ts'
import { useListKeys } from './use-list-keys.ts'

const LeafDrawer = lazy(() => import('./drawer.tsx').then((one) => ({ default: one.LeafDrawer })))
const ExportDialog = lazy(() =>
  import('./export-dialog.tsx').then((one) => ({ default: one.ExportDialog })),
)

const NONE: AuditSearch = {
  ...{ kind: undefined, subject: undefined, actor: undefined, from: undefined, to: undefined },
}

/** Who did what, and the proof of it. */
export function Audit() {
  return (
    <GuardedPage scope="audit:read" what="The audit log">
      <AuditPage />
    </GuardedPage>
  )
}

function AuditPage() {
  const { search, openIndex, newestIndex, setSearch, open, close } = useAuditAddress()
  const { kind, subject, actor, from, to } = search
  const [now] = useState(() => new Date())
  const [isExporting, setExporting] = useState(false)
  const table = useRef<VirtualTableHandle>(null)
  const query = useMemo(
    () => ({ kind, subject, actor, from, to }),
    [kind, subject, actor, from, to],
  )
  const list = useAuditList(query)
  const names = useLeafNames(list.entries)
  const move = useListKeys({ entries: list.entries, newestIndex, open, table })
  const isBeside = useMedia(DESK)
  useTitle('Audit log')
  const onClose = useCallback(() => {
    close()
    if (openIndex !== undefined) focusRow(String(openIndex))
  }, [close, openIndex])
  return (
    <div className="flex min-h-104 flex-1 max-tablet:h-[calc(100dvh-6.75rem)] max-tablet:flex-none tablet:min-h-0 print:block print:h-auto">
      <div className="flex min-w-0 flex-1 flex-col">
        <PageHeader title="Audit log" after={<SignedBadge size={list.size} />}>
          <Button icon={<Download aria-hidden size={14} />} onClick={() => setExporting(true)}>
            Export to verify
          </Button>
        </PageHeader>
        <Filters search={search} names={names} now={now} onChange={setSearch} />
        <LivePill
          count={list.waiting}
          onShow={() => {
            list.reload()
            table.current?.scrollToTop()
          }}
        />
        <AuditList
          {...{ list, names, now, openIndex, table }}
          hasFilters={Object.values(search).some((value) => value !== undefined)}
          onOpen={(index) => open(index, openIndex !== undefined)}
          onClear={() => setSearch(NONE)}
        />
      </div>
      {openIndex === undefined ? null : (
        <Suspense fallback={isBeside ? <aside className="w-126 border-l border-line" /> : null}>
          <LeafDrawer
            index={openIndex}
            listed={list.entries.find(({ index }) => index === openIndex)}
            names={names}
            onMove={move}
            onClose={onClose}
          />
        </Suspense>
      )}
      {isExporting ? (
        <Suspense fallback={null}>
          <ExportDialog onClose={() => setExporting(false)} />
        </Suspense>
      ) : null}
    </div>
  )
}

/** Every leaf of the list is signed: the gateway shows a leaf only after that. */
function SignedBadge({ size }: { readonly size: number | undefined }) {
  if (size === undefined) return null
  return (
    <Badge tone="ok" icon={<ShieldCheck size={13} strokeWidth={1.75} aria-hidden />}>
      {countOf(size, 'entry', 'entries')}, all signed
    </Badge>
  )
}
