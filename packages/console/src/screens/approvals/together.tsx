import type { Approval } from '@purser/sdk'
import { useState } from 'react'
import { Amount } from '../../parts/amount.tsx'
import { Card } from '../../ui/card.tsx'
import { Row, Table, Td, Th } from '../../ui/table.tsx'
import { formatMoney, sumMoney } from '../../words/money.ts'
import type { Answered } from './answer-together.ts'
import { BudgetCard } from './budget-card.tsx'
import { Countdown } from './countdown.tsx'
import { askedBecause } from './sentences.ts'
import { TogetherBar } from './together-bar.tsx'
import { TogetherResult } from './together-result.tsx'
import { useDecideTogether } from './use-decide-together.ts'

interface TogetherProps {
  /** Several requests under one mandate. */
  readonly approvals: readonly Approval[]
  readonly onClose: () => void
}

interface Done {
  readonly results: readonly Answered[]
  readonly approvals: readonly Approval[]
}

/** Answers several requests at once. Each answer is reported for itself. */
export function Together({ approvals: selected, onClose }: TogetherProps) {
  // The list forgets answered rows one day, so the results keep the requests that they are about.
  const [done, setDone] = useState<Done | null>(null)
  const { results = null, approvals } = done ?? { approvals: selected }
  const [first] = approvals
  const currency = first?.currency ?? ''
  // One mandate has one currency, so its amounts can be added.
  const sum = sumMoney(approvals.map(({ amount }) => amount))
  const count = `${approvals.length} requests`
  const decide = useDecideTogether(approvals, sum, (answered) =>
    setDone({ results: answered, approvals }),
  )
  if (!first) return null
  return (
    <section
      aria-labelledby="together-title"
      className="flex min-w-0 flex-col tablet:min-h-0 tablet:overflow-hidden"
    >
      <div className="@container flex-1 px-4 pt-4 pb-6 tablet:overflow-y-auto tablet:px-7 tablet:pt-5">
        <h2 className="mb-4 text-[1.375rem] leading-7.5 tracking-tight" id="together-title">
          <b>{count}</b> for <b>{formatMoney(sum, currency)}</b> in total
        </h2>
        {results ? (
          <TogetherResult approvals={approvals} results={results} onClose={onClose} />
        ) : (
          <div className="grid max-w-240 gap-3">
            <Selected approvals={approvals} />
            <BudgetCard approval={first} amount={sum} isSeveral />
          </div>
        )}
      </div>
      {results ? null : <TogetherBar approvals={approvals} onClose={onClose} decide={decide} />}
    </section>
  )
}

function Selected({ approvals }: { readonly approvals: readonly Approval[] }) {
  return (
    <Card className="overflow-hidden">
      <Table inCard caption="Selected requests">
        <thead>
          <tr>
            <Th>Vendor</Th>
            <Th className="max-phone:hidden">Why</Th>
            <Th align="right">Amount</Th>
            <Th align="right">Time left</Th>
          </tr>
        </thead>
        <tbody>
          {approvals.map((approval) => (
            <Row key={approval.id}>
              <Td className="max-w-40 truncate font-medium">
                <bdi>{approval.vendor}</bdi>
              </Td>
              <Td className="text-small text-ink-2 max-phone:hidden">{askedBecause(approval)}</Td>
              <Td align="right">
                <Amount value={approval.amount} currency={approval.currency} />
              </Td>
              <Td align="right">
                <Countdown expiresAt={approval.expiresAt} />
              </Td>
            </Row>
          ))}
        </tbody>
      </Table>
    </Card>
  )
}
