import type { Approval } from '@purser/sdk'
import { ChevronDown } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useMay } from '../../data/session.ts'
import { useShortcut } from '../../keys/use-shortcut.ts'
import { Button } from '../../ui/button.tsx'
import { moneyValue } from '../../ui/money-text.ts'
import { TextField } from '../../ui/text-field.tsx'
import { formatMoney } from '../../words/money.ts'
import { Bar, MayNotDecide } from './bar.tsx'
import { ConfirmRow } from './confirm-row.tsx'
import { goodFor } from './sentences.ts'
import { decisionBody, useDecide } from './use-decide.ts'

const AllowLess = lazy(async () => ({ default: (await import('./allow-less.tsx')).AllowLess }))

interface DecideBarProps {
  readonly approval: Approval
  readonly allowed: number
  readonly onAllowed: (amount: number) => void
  /** Another person's answer was first. */
  readonly onLate: () => void
}

/** The answer: a note, less than was requested, no or yes. A yes is confirmed in place. */
export function DecideBar({ approval, allowed, onAllowed, onLate }: DecideBarProps) {
  const may = useMay('approvals:write')
  const { mayDecide, mayNotDecideReason } = approval
  if (!mayDecide || !may.isAllowed) {
    return <MayNotDecide reason={mayNotDecideReason} scopeReason={may.reason} />
  }
  return <Buttons {...{ approval, allowed, onAllowed, onLate }} />
}

type Mode = 'idle' | 'approve' | 'reject'

function Buttons({ approval, allowed, onAllowed, onLate }: DecideBarProps) {
  const { id, amount, currency, vendor } = approval
  const [mode, setMode] = useState<Mode>('idle')
  const [note, setNote] = useState('')
  const [less, setLess] = useState<string | null>(null)
  const decide = useDecide(approval, onLate)
  const isLessWrong = less !== null && !isAllowable(less, amount)
  const yes = `Approve ${formatMoney(allowed, currency)}`
  function open(next: Mode) {
    decide.reset()
    setMode(next)
  }
  function changeLess(text: string | null) {
    setLess(text)
    onAllowed(text !== null && isAllowable(text, amount) ? Number(moneyValue(text)) : amount)
  }
  useShortcut('a', () => open('approve'), {
    ...{ label: 'Approve', group: 'Approvals', isOn: mode === 'idle' && !isLessWrong },
  })
  useShortcut('r', () => open('reject'), {
    ...{ label: 'Reject', group: 'Approvals', isOn: mode === 'idle' },
  })
  if (mode !== 'idle') {
    const isYes = mode === 'approve'
    const input = { decision: mode, comment: note, allowed }
    return (
      <Bar error={decide.error}>
        <ConfirmRow
          {...{ note, setNote, isYes }}
          isBusy={decide.isBusy}
          label={isYes ? yes : `Reject ${formatMoney(amount, currency)}`}
          onCancel={() => open('idle')}
          onConfirm={() => void decide.start(input)}
          request={{
            ...{ method: 'POST', path: `/approvals/${id}/decision` },
            body: decisionBody(input, amount),
          }}
        >
          {isYes ? (
            <>
              One spend of at most <b>{formatMoney(allowed, currency)}</b> at{' '}
              <b>
                <bdi>{vendor}</bdi>
              </b>{' '}
              may pass, for {goodFor(approval)}.
            </>
          ) : (
            'The spend stays rejected. The agent can request approval for a different one.'
          )}
        </ConfirmRow>
      </Bar>
    )
  }
  return (
    <Bar error={decide.error}>
      {less === null ? null : (
        <Suspense>
          <AllowLess value={less} onChange={changeLess} most={amount} currency={currency} />
        </Suspense>
      )}
      <div className="min-w-0 flex-1 max-tablet:basis-full">
        <TextField
          label="A note for the agent and the record"
          hideLabel
          maxLength={1_000}
          onChange={setNote}
          placeholder="A note for the record (optional)"
          value={note}
        />
      </div>
      <Button
        aria-expanded={less !== null}
        className="max-tablet:flex-1"
        onClick={() => changeLess(less === null ? '' : null)}
      >
        {less === null ? 'Allow less' : 'Allow all'}
        <ChevronDown
          aria-hidden
          size={13}
          className={`ml-1.5 inline ${less === null ? '' : 'rotate-180'}`}
        />
      </Button>
      <Button
        className="max-tablet:flex-1"
        kbd={['r']}
        onClick={() => open('reject')}
        variant="danger"
      >
        Reject
      </Button>
      <Button
        className="max-tablet:w-full"
        disabledReason={isLessWrong ? 'Enter the amount that you allow first.' : undefined}
        kbd={['a']}
        onClick={() => open('approve')}
        variant="primary"
      >
        {yes}
      </Button>
    </Bar>
  )
}

function isAllowable(text: string, most: number): boolean {
  const value = Number(moneyValue(text) ?? 0)
  return value > 0 && value <= most
}
