import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useCallback, useEffect, useRef } from 'react'
import { focusedRow, focusRow } from '../../keys/row-focus.ts'
import { useShortcut } from '../../keys/use-shortcut.ts'
import type { VirtualTableHandle } from '../../ui/virtual-table.tsx'
import { prefetchWhy } from './drawer/prefetch.ts'
import type { Rows } from './feed/rows.ts'

const GROUP = 'Transactions'

interface ListKeys {
  readonly rows: Rows
  readonly openId: string | undefined
  readonly newestId: () => string | undefined
  readonly open: (id: string, isMove?: boolean) => void
  readonly table: RefObject<VirtualTableHandle | null>
}

export interface Mover {
  readonly move: (step: 1 | -1, isWanted?: (row: Rows[number]) => boolean) => void
}

/**
 * `j` and `k` move through the list: the focus without a drawer, the drawer itself with one. `]` and
 * `[` go to the next and previous rejected spend.
 */
export function useListKeys({ rows, openId, newestId, open, table }: ListKeys): Mover {
  // The row that the keyboard stands on. Nothing shows it, so a step draws the page once.
  const cursorId = useRef<string>(undefined)
  const client = useQueryClient()
  useEffect(() => {
    if (openId !== undefined) cursorId.current = openId
  }, [openId])
  const latest = useRef(rows)
  useEffect(() => {
    latest.current = rows
  })
  const move = useCallback(
    (step: 1 | -1, isWanted: (row: Rows[number]) => boolean = () => true) => {
      const from = newestId() ?? focusedRow() ?? cursorId.current
      const row = rowFrom(latest.current, from, step, isWanted)
      if (!row) return
      const id = row.transactionId
      table.current?.scrollToKey(id)
      cursorId.current = id
      if (openId === undefined) {
        focusRow(id)
        return
      }
      open(id, true)
      // A person who walks through the list takes the same step again.
      const next = rowFrom(latest.current, id, step, isWanted)
      if (next) prefetchWhy(client, next.transactionId)
    },
    [openId, newestId, open, table, client],
  )
  const isRejected = ({ decision }: Rows[number]) => decision === 'rejected'
  useShortcut('j', () => move(1), { label: 'Next transaction', group: GROUP })
  useShortcut('k', () => move(-1), { label: 'Previous transaction', group: GROUP })
  useShortcut(']', () => move(1, isRejected), { label: 'Next rejected', group: GROUP })
  useShortcut('[', () => move(-1, isRejected), { label: 'Previous rejected', group: GROUP })
  return { move }
}

/** The next row that is wanted, in either direction. Without a place, the list begins at an end. */
export function rowFrom(
  rows: Rows,
  id: string | undefined,
  step: 1 | -1,
  isWanted: (row: Rows[number]) => boolean,
): Rows[number] | undefined {
  const from = rows.findIndex(({ transactionId }) => transactionId === id)
  const first = from < 0 ? 0 : from + step
  for (let at = first; at >= 0 && at < rows.length; at += step) {
    const row = rows[at]
    if (row && isWanted(row)) return row
  }
  return undefined
}
