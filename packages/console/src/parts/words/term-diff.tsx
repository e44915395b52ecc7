import type { ReactNode } from 'react'
import { Diff, type DiffRow } from '../../ui/diff.tsx'
import { termRows } from '../../words/mandate-diff.ts'
import type { TermRow } from '../../words/term-changes.ts'
import type { Terms } from '../../words/term-words.ts'

interface TermDiffProps {
  readonly before: Terms
  readonly after: Terms
  readonly heads: readonly [ReactNode, ReactNode]
  readonly caption?: string | undefined
}

/** The terms of two versions side by side: only those that differ. */
export function TermDiff({ before, after, heads, caption }: TermDiffProps) {
  return <Diff caption={caption} heads={heads} rows={termRows(before, after).map(toRow)} />
}

function toRow({ label, before, after, added = [], removed = [] }: TermRow): DiffRow {
  const isOnlyAdded = added.length > 0 && removed.length === 0
  return {
    label,
    before: before === undefined ? undefined : withEntries(before, '', removed),
    after: after === undefined ? undefined : withEntries(after, 'font-strong', added),
    kept: isOnlyAdded,
  }
}

function withEntries(text: string, look: string, entries: readonly string[]): ReactNode {
  if (entries.length === 0) return <span className={look}>{text}</span>
  return (
    <>
      {text}, <span className={look}>{entries.join(', ')}</span>
    </>
  )
}
