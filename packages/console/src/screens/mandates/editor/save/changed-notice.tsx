import { GitCompare } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { conflictSentence } from './conflict.ts'
import type { Theirs } from './difference-dialog.tsx'

const DifferenceDialog = lazy(() =>
  import('./difference-dialog.tsx').then((it) => ({ default: it.DifferenceDialog })),
)

interface ChangedNoticeProps extends Theirs {
  readonly thing: 'mandate' | 'draft'
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
      {isOpen ? (
        <Suspense>
          <DifferenceDialog {...props} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}
