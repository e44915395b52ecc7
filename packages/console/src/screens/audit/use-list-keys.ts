import type { AuditEntry } from '@purser/sdk'
import { type RefObject, useCallback } from 'react'
import { focusedRow, focusRow } from '../../keys/row-focus.ts'
import { useShortcut } from '../../keys/use-shortcut.ts'
import type { VirtualTableHandle } from '../../ui/virtual-table.tsx'

interface ListKeys {
  readonly entries: readonly AuditEntry[]
  /** The leaf in the address, which is newer than the drawn one while keys are pressed quickly. */
  readonly newestIndex: () => number | undefined
  readonly open: (index: number, isMove?: boolean) => void
  readonly table: RefObject<VirtualTableHandle | null>
}

/** `j` and `k` move through the list: the focus without a drawer, the drawer itself with one. */
export function useListKeys({ entries, newestIndex, open, table }: ListKeys) {
  const move = useCallback(
    (step: 1 | -1) => {
      const opened = newestIndex()
      const next = neighbourOf(entries, opened, step)
      if (next === undefined) return
      table.current?.scrollToKey(String(next))
      if (opened === undefined) focusRow(String(next))
      else open(next, true)
    },
    [entries, newestIndex, open, table],
  )
  useShortcut('j', () => move(1), { label: 'Next leaf', group: 'Audit log' })
  useShortcut('k', () => move(-1), { label: 'Previous leaf', group: 'Audit log' })
  return move
}

/** A link can open a leaf that the list has not loaded: its neighbours follow from its place. */
function neighbourOf(
  entries: readonly AuditEntry[],
  openIndex: number | undefined,
  step: 1 | -1,
): number | undefined {
  const current = openIndex === undefined ? focusedRow() : String(openIndex)
  const at = entries.findIndex(({ index }) => String(index) === current)
  if (at >= 0) return entries[at + step]?.index
  if (openIndex === undefined) return entries[0]?.index
  return openIndex >= step ? openIndex - step : undefined
}
