import type { ListedTransaction } from '@purser/sdk'
import { Flag } from 'lucide-react'
import { AgentChip } from '../../parts/agent-chip.tsx'
import { Amount } from '../../parts/amount.tsx'
import { PathIcon } from '../../parts/path-icon.tsx'
import { TransactionBadge } from '../../parts/status-badge.tsx'

import type { VirtualColumn } from '../../ui/virtual-table.tsx'
import { codeWord } from '../../words/words.ts'
import { RowTime } from './row-time.tsx'
import { isNotSpent, noteOf } from './sentences.ts'

type Row = ListedTransaction
type Column = VirtualColumn<Row>

type Open = (id: string) => void

/** The names of agents, for rows that the stream announced without one. */
export type AgentNames = ReadonlyMap<string, string>

interface Room {
  /** The drawer stands beside the list, so there is less room. */
  readonly isBeside: boolean
  /** Below 861 px, the agent stands under the vendor. */
  readonly isStacked: boolean
  /** Beside the drawer on a page below 1440 px, names would be cut to a few letters. */
  readonly isTight: boolean
  /** A row of one line has no place for the agent under the vendor. */
  readonly isCompact: boolean
  /** The longest amount of the rows, in characters. */
  readonly amountLength: number
  readonly names: AgentNames
  readonly onOpen: Open
}

/** The columns that there is room for. For and Why give way first. */
export function columnsFor(room: Room): readonly Column[] {
  const { isBeside, isStacked, isTight, names, onOpen } = room
  const isUnder = isStacked || (isTight && !room.isCompact)
  const agent = (row: Row) => row.agentName ?? names.get(row.agentId) ?? null
  const all: readonly (Column | false)[] = [
    {
      ...{ id: 'when', header: 'When', width: isUnder ? '4.75rem' : '5.25rem' },
      cell: (row) => <RowTime at={row.createdAt} />,
    },
    {
      ...{ id: 'status', header: 'Status', width: '9.25rem' },
      cell: (row) => <Status row={row} />,
    },
    !isStacked &&
      !isTight && {
        ...{ id: 'agent', header: 'Agent', cut: true, width: isBeside ? undefined : '19%' },
        cell: (row: Row) => <AgentChip name={agent(row)} />,
      },
    {
      ...{ id: 'vendor', header: 'Vendor', cut: true },
      cell: (row) => (
        <>
          <VendorLink row={row} onOpen={onOpen} />
          {isUnder ? (
            <span
              className={`block truncate pl-5.25 text-small text-ink-3 ${isTight ? 'leading-4' : 'mt-0.5'}`}
            >
              <bdi>{agent(row) ?? 'Deleted agent'}</bdi>
            </span>
          ) : null}
        </>
      ),
    },
    !isBeside &&
      !isStacked && {
        ...{ id: 'for', header: 'For', cut: true, width: '9%', hideBelow: 'laptop' as const },
        cell: (row: Row) => <span className="text-ink-2">{row.category}</span>,
      },
    {
      ...{ id: 'amount', header: 'Amount', align: 'right' as const },
      width: amountWidth(room),
      cell: (row) => <RowAmount row={row} />,
    },
    !isBeside &&
      !isStacked && {
        ...{ id: 'why', header: 'Why', cut: true, width: '20%' },
        cell: (row: Row) => <span className="text-small text-ink-2">{noteOf(row)}</span>,
      },
  ]
  return all.filter((column) => column !== false)
}

/** As long as "999,999.99". Names get the room that a longer amount would need. */
const USUAL_LENGTH = 10

/** Room for the amounts with their currency. The last column also keeps the edge of the list. */
function amountWidth({ amountLength, isBeside, isStacked }: Room): string {
  const isLast = isBeside || isStacked
  if (amountLength <= USUAL_LENGTH) return isLast ? '8.75rem' : '8rem'
  return isLast ? '12.5rem' : '11.5rem'
}

/** Below 480 px each row is a card of two lines. */
export function narrowRow(row: Row, names: AgentNames, onOpen: Open) {
  const agent = row.agentName ?? names.get(row.agentId) ?? 'Deleted agent'
  return (
    <span className="flex flex-col gap-1 py-1.5 whitespace-normal">
      <span className="flex items-center gap-2">
        <span className="min-w-0 flex-1 truncate">
          <VendorLink row={row} onOpen={onOpen} />
        </span>
        <RowAmount row={row} />
      </span>
      <span className="flex items-center gap-2 text-small text-ink-3">
        <Status row={row} />
        <bdi className="min-w-0 flex-1 truncate">{agent}</bdi>
        <RowTime at={row.createdAt} />
      </span>
    </span>
  )
}

/** The link of the row: it opens the drawer, and it is where the keyboard stands. */
function VendorLink({ row, onOpen }: { readonly row: Row; readonly onOpen: Open }) {
  return (
    <span className="flex min-w-0 items-center gap-1.75">
      <PathIcon path={row.path} />
      {/* A plain link, because one of the router costs more than the rest of the row. */}
      <a
        href={`/transactions/${row.transactionId}`}
        data-row={row.transactionId}
        className="min-w-0 truncate font-medium text-ink hover:text-ink"
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
          event.preventDefault()
          onOpen(row.transactionId)
        }}
      >
        <bdi>{row.vendor}</bdi>
      </a>
    </span>
  )
}

function Status({ row }: { readonly row: Row }) {
  return (
    <span className="flex items-center gap-1.5" title={codeWord(row.code)}>
      <TransactionBadge status={row.status} code={row.code} />
      {row.flags.length > 0 ? (
        <span className="tone-ask inline-flex text-tone" title="Flagged">
          <Flag size={13} strokeWidth={1.75} aria-hidden />
          <span className="sr-only">Flagged</span>
        </span>
      ) : null}
    </span>
  )
}

/** Amounts that were not spent are struck through. */
function RowAmount({ row }: { readonly row: Row }) {
  return <Amount value={row.amount} currency={row.currency} struck={isNotSpent(row)} />
}
