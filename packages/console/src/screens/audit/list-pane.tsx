import type { AuditEntry } from '@purser/sdk'
import { Download, ShieldCheck } from 'lucide-react'
import {
  lazy,
  type Ref,
  Suspense,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useTitle } from '../../page/use-title.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { LivePill } from '../../ui/live-pill.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import type { VirtualTableHandle } from '../../ui/virtual-table.tsx'
import { countOf } from '../../words/text.ts'
import { Filters } from './filters.tsx'
import { AuditList } from './list.tsx'
import type { AuditSearch, useAuditAddress } from './use-audit-address.ts'
import { useAuditList } from './use-audit-list.ts'
import { useLeafNames } from './use-leaf-names.ts'
import { useListKeys } from './use-list-keys.ts'

const ExportDialog = lazy(() =>
  import('./export-dialog.tsx').then((one) => ({ default: one.ExportDialog })),
)

const NONE: AuditSearch = {
  ...{ kind: undefined, subject: undefined, actor: undefined, from: undefined, to: undefined },
}

/** The functions of the list for the drawer beside it. */
export interface ListHandle {
  /** Opens the leaf that many rows further. */
  readonly move: (step: 1 | -1) => void
}

interface ListPaneProps {
  readonly address: ReturnType<typeof useAuditAddress>
  readonly handle: Ref<ListHandle>
  readonly onEntries: (entries: readonly AuditEntry[]) => void
}

/** The list with its filters. */
export function ListPane({ address, handle, onEntries }: ListPaneProps) {
  const { search, openIndex, newestIndex, setSearch, open } = address
  const { kind, subject, actor, from, to } = search
  const [now] = useState(() => new Date())
  const [isExporting, setExporting] = useState(false)
  const table = useRef<VirtualTableHandle>(null)
  const query = useMemo(
    () => ({ kind, subject, actor, from, to }),
    [kind, subject, actor, from, to],
  )
  const list = useAuditList(query)
  const { entries } = list
  const names = useLeafNames(entries)
  const move = useListKeys({ entries, newestIndex, open, table })
  useImperativeHandle(handle, () => ({ move }), [move])
  useTitle(openIndex === undefined ? 'Audit log' : undefined)
  useEffect(() => onEntries(entries), [onEntries, entries])
  return (
    <>
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
      {isExporting ? (
        <Suspense fallback={null}>
          <ExportDialog onClose={() => setExporting(false)} />
        </Suspense>
      ) : null}
    </>
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
