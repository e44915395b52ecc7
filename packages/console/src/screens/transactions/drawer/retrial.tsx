import type { Simulation, SimulationInput, Transaction } from '@purser/sdk'
import { FlaskConical, ScrollText } from 'lucide-react'
import { useEffect, useState } from 'react'
import { purser } from '../../../data/client.ts'
import { type RunningAction, useAction } from '../../../data/use-action.ts'
import { useShortcut } from '../../../keys/use-shortcut.ts'
import { ErrorNotice } from '../../../page/error-notice.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { differenceWords } from '../../../words/differences.ts'
import { retrialWords } from './retrial-words.ts'

/** `now`: the same spend under today's rules. `record`: the stored spend under the stored rules. */
type Kind = 'now' | 'record'

export interface Retrial {
  readonly tryAgain: () => void
  readonly judgeAgain: () => void
  readonly busy: Kind | null
  readonly result: Result | null
  readonly error: RunningAction<Kind, Simulation>['error']
}

interface Result {
  readonly kind: Kind
  readonly answer: Simulation
}

/** The same spend as a simulation. Nothing is stored and no budget changes. */
export function retrialInput(transaction: Transaction): SimulationInput {
  const { agentId, amount, vendor, category, currency, reference, reason, path } = transaction
  return {
    ...{ agentId, amount, vendor, path },
    ...(category === null ? {} : { category }),
    ...(currency === null ? {} : { currency }),
    ...(reference === null ? {} : { reference }),
    ...(reason === null ? {} : { reason }),
    ...(transaction.metadata === null ? {} : { metadata: transaction.metadata }),
  }
}

/** Tries the spend again, now or from the record. `s` tries it now. */
export function useRetrial(transaction: Transaction | undefined, id: string): Retrial {
  const [busy, setBusy] = useState<Kind | null>(null)
  // A result belongs to one transaction: an answer can come after the person has moved on.
  const [last, setLast] = useState<(Result & { readonly id: string }) | null>(null)
  const result = last?.id === id ? last : null
  const action = useAction<Kind, Simulation>({
    run: (kind) =>
      kind === 'record' || !transaction
        ? purser.gateway.simulate({ transactionId: id })
        : purser.gateway.simulate(retrialInput(transaction)),
    sentence: 'Try the spend again',
  })
  const { reset } = action
  useEffect(() => {
    if (id !== '') reset()
  }, [id, reset])
  async function run(kind: Kind): Promise<void> {
    setBusy(kind)
    const answer = await action.start(kind)
    setBusy(null)
    if (answer) setLast({ id, kind, answer })
  }
  // While the next transaction loads, the drawer still has the one before.
  const isReady = transaction?.transactionId === id
  useShortcut('s', () => void run('now'), {
    ...{ label: 'Try again now', group: 'Transactions', isOn: isReady },
  })
  return {
    tryAgain: () => void run('now'),
    judgeAgain: () => void run('record'),
    ...{ busy, result, error: action.error },
  }
}

interface RetrialNoticeProps {
  readonly retrial: Retrial
  readonly transaction: Transaction
}

/** "Today: approved, 123.00 USD left." */
export function RetrialNotice({ retrial: { result, error }, transaction }: RetrialNoticeProps) {
  const { currency } = transaction
  if (error) return <ErrorNotice title="The spend could not be tried again." error={error} />
  if (!result) return null
  const { kind, answer } = result
  if (kind === 'record') {
    const differs = answer.differs ?? []
    return (
      <Notice
        role="status"
        tone={differs.length === 0 ? 'ok' : 'ask'}
        icon={<ScrollText size={16} strokeWidth={1.75} aria-hidden />}
        title="Judged again from the record:"
      >
        {differenceWords(answer)}
      </Notice>
    )
  }
  const { tone, title, text } = retrialWords(answer, currency)
  return (
    <Notice
      role="status"
      tone={tone}
      icon={<FlaskConical size={16} strokeWidth={1.75} aria-hidden />}
      title={title}
    >
      {text}
    </Notice>
  )
}
