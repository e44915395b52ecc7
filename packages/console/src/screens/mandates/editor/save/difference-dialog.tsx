import { useQuery } from '@tanstack/react-query'
import { queries } from '../../../../data/queries.ts'
import { TermDiff } from '../../../../parts/words/term-diff.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Diff } from '../../../../ui/diff.tsx'
import type { Conflict } from './conflict.ts'

/** A change by someone else. */
export interface Theirs {
  readonly by: string
  /** The versions of the mandate before and after the change. */
  readonly versions?: { readonly id: string; readonly a: number; readonly b: number } | undefined
  readonly changes?: Conflict['changes'] | undefined
}

interface DifferenceDialogProps extends Theirs {
  readonly onClose: () => void
}

/** The changes of someone else. */
export function DifferenceDialog({ onClose, ...theirs }: DifferenceDialogProps) {
  return (
    <Dialog
      footer={<Button onClick={onClose}>Close</Button>}
      onClose={onClose}
      open
      size="lg"
      title={`What ${theirs.by} changed`}
    >
      <Difference {...theirs} />
    </Dialog>
  )
}

function Difference({ versions, changes = [] }: Theirs) {
  if (versions) return <VersionDifference {...versions} />
  return (
    <Diff
      heads={['Before', 'Now']}
      rows={changes.map(({ field, before, after }) => ({
        label: field,
        before: before === null ? undefined : shown(before),
        after: after === null ? undefined : shown(after),
      }))}
    />
  )
}

function shown(value: unknown) {
  return (
    <code className="wrap-anywhere whitespace-pre-wrap">
      {typeof value === 'string' ? value : JSON.stringify(value, null, 1)}
    </code>
  )
}

function VersionDifference({
  id,
  a,
  b,
}: {
  readonly id: string
  readonly a: number
  readonly b: number
}) {
  const { data, isPending } = useQuery(queries.mandateVersions(id))
  const before = data?.data.find(({ version }) => version === a)
  const after = data?.data.find(({ version }) => version === b)
  if (isPending) return <p className="text-ink-2">Loading the versions …</p>
  if (!before || !after) return <p className="text-ink-2">The versions could not be loaded.</p>
  return (
    <TermDiff
      after={after}
      before={before}
      caption={`Versions ${a} and ${b}`}
      heads={[`Version ${a}`, `Version ${b}, active`]}
    />
  )
}
