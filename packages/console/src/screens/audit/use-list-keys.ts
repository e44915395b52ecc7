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
      const next = neighbourOf(entries, openIndex, step)
      if (next === undefined) return
      table.current?.scrollToKey(String(next))
      if (openIndex === undefined) focusRow(next)
      else open(next, true)
    },
    [entries, openIndex, open, table],
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
  const current = openIndex ?? focusedIndex()
  const at = entries.findIndex(({ index }) => index === current)
  if (at >= 0) return entries[at + step]?.index
  if (openIndex === undefined) return entries[0]?.index
  return openIndex >= step ? openIndex - step : undefined
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
