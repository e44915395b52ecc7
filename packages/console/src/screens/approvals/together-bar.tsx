import type { Approval, ApprovalAnswer } from '@purser/sdk'
import { useState } from 'react'
import { useShortcut } from '../../keys/use-shortcut.ts'
import { Button } from '../../ui/button.tsx'
import { Bar } from './bar.tsx'
import { ConfirmRow } from './confirm-row.tsx'
import { type DecideTogether, togetherBody } from './use-decide-together.ts'

interface TogetherBarProps {
  readonly approvals: readonly Approval[]
  readonly onClose: () => void
  readonly decide: DecideTogether
}

/** No or yes for all selected requests. */
export function TogetherBar({ approvals, onClose, decide }: TogetherBarProps) {
  const [mode, setMode] = useState<ApprovalAnswer | null>(null)
  const [note, setNote] = useState('')
  const count = `${approvals.length} requests`
  useShortcut('a', () => setMode('approve'), {
    ...{ label: 'Approve the selection', group: 'Approvals', isOn: mode === null },
  })
  useShortcut('r', () => setMode('reject'), {
    ...{ label: 'Reject the selection', group: 'Approvals', isOn: mode === null },
  })
  if (mode) {
    const [first, ...others] = approvals.map(({ id }) => id)
    const input = { decision: mode, comment: note }
    return (
      <Bar error={decide.error}>
        <ConfirmRow
          {...{ note, setNote }}
          isYes={mode === 'approve'}
          isBusy={decide.isBusy}
          label={mode === 'approve' ? `Approve ${count}` : `Reject ${count}`}
          onCancel={() => setMode(null)}
          onConfirm={() => void decide.start(input)}
          request={{
            ...{ method: 'POST', path: `/approvals/${first}/decision` },
            body: togetherBody(input, others),
          }}
        >
          {mode === 'approve'
            ? 'Each of these spends may pass once, for the requested amount.'
            : 'Each of these spends stays rejected.'}
        </ConfirmRow>
      </Bar>
    )
  }
  return (
    <Bar error={decide.error}>
      <p className="min-w-0 flex-1 text-small text-ink-2 max-tablet:basis-full">
        Each request gets its own answer. One can fail while the others succeed.
      </p>
      <Button className="max-tablet:flex-1" kbd={['Esc']} onClick={onClose}>
        Clear the selection
      </Button>
      <Button
        className="max-tablet:flex-1"
        kbd={['r']}
        onClick={() => setMode('reject')}
        variant="danger"
      >
        Reject {approvals.length}
      </Button>
      <Button
        className="max-tablet:w-full"
        kbd={['a']}
        onClick={() => setMode('approve')}
        variant="primary"
      >
        Approve {count}
      </Button>
    </Bar>
  )
}
