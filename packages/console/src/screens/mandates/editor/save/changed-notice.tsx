import { useQuery } from '@tanstack/react-query'
import { GitCompare } from 'lucide-react'
import { useState } from 'react'
import { queries } from '../../../../data/queries.ts'
import { TermDiff } from '../../../../parts/words/term-diff.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Diff } from '../../../../ui/diff.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { type Conflict, conflictSentence } from './conflict.ts'

interface ChangedNoticeProps {
  readonly by: string
  readonly thing: 'mandate' | 'draft'
  /** The versions of the mandate before and after the change. */
  readonly versions?: { readonly id: string; readonly a: number; readonly b: number } | undefined
  readonly changes?: Conflict['changes'] | undefined
  readonly onKeep: () => void
  readonly onTake: () => void
}

/** Someone else changed the mandate: see the difference, keep yours or start from theirs. */
export function ChangedNotice(props: ChangedNoticeProps) {
  const { by, thing, onKeep, onTake } = props
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Notice
        action={
          <>
            <Button onClick={() => setOpen(true)} size="sm">
              See the difference
            </Button>
            <Button onClick={onKeep} size="sm">
              Keep yours
            </Button>
            <Button onClick={onTake} size="sm">
              Start from theirs
            </Button>
          </>
        }
        className="mb-4 phone:flex-wrap"
        icon={<GitCompare aria-hidden size={16} strokeWidth={1.5} />}
        role="alert"
        title={conflictSentence(by, thing)}
        tone="ask"
      >
        See the difference, keep yours or start from theirs. If you keep yours, your terms replace
        theirs.
      </Notice>
      <Dialog
        footer={<Button onClick={() => setOpen(false)}>Close</Button>}
        onClose={() => setOpen(false)}
        open={isOpen}
        size="lg"
        title={`What ${by} changed`}
      >
        <Difference {...props} />
      </Dialog>
    </>
  )
}

function Difference({ versions, changes = [] }: ChangedNoticeProps) {
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
