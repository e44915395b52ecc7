import type { AuditEntry } from '@purser/sdk'
import { type RefObject, useCallback } from 'react'
import { useShortcut } from '../../keys/use-shortcut.ts'
import type { VirtualTableHandle } from '../../ui/virtual-table.tsx'

interface ListKeys {
  readonly entries: readonly AuditEntry[]
  readonly openIndex: number | undefined
  readonly open: (index: number, isMove?: boolean) => void
  readonly table: RefObject<VirtualTableHandle | null>
}

/** `j` and `k` move through the list: the focus without a drawer, the drawer itself with one. */
export function useListKeys({ entries, openIndex, open, table }: ListKeys) {
  const move = useCallback(
    (step: 1 | -1) => {
      const current = openIndex ?? focusedIndex()
      const at = entries.findIndex(({ index }) => index === current)
      const next = entries[at < 0 ? 0 : at + step]
      if (!next) return
      table.current?.scrollToKey(String(next.index))
      if (openIndex === undefined) focusRow(next.index)
      else open(next.index, true)
    },
    [entries, openIndex, open, table],
  )
  useShortcut('j', () => move(1), { label: 'Next leaf', group: 'Audit log' })
  useShortcut('k', () => move(-1), { label: 'Previous leaf', group: 'Audit log' })
  return move
}

function focusedIndex(): number | undefined {
  const row = document.activeElement?.getAttribute('data-row')
  return row ? Number(row) : undefined
}

/** Focuses the link of a row, once the row is drawn. */
export function focusRow(index: number, tries = 4): void {
  requestAnimationFrame(() => {
    const link = document.querySelector<HTMLElement>(`[data-row="${index}"]`)
    if (link) link.focus({ preventScroll: true })
    else if (tries > 0) focusRow(index, tries - 1)
  })
}
