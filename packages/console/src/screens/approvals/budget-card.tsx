import type { Approval, Mandate } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { Meter } from '../../charts/meter.tsx'
import { queries } from '../../data/queries.ts'
import { useTimezone } from '../../parts/when.tsx'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { leftLabel, usedText } from '../../words/budget.ts'
import { formatAmount, formatMoney } from '../../words/money.ts'
import { budgetEffect } from './budget-effect.ts'

interface BudgetCardProps {
  readonly approval: Pick<Approval, 'mandateId' | 'currency' | 'remainingBudget'>
  /** The amount that would be spent. */
  readonly amount: number
  /** The amount is that of several requests. */
  readonly isSeveral?: boolean
}

/** The remaining budget, before and after. */
export function BudgetCard({ approval, amount, isSeveral = false }: BudgetCardProps) {
  const { data: mandate } = useQuery(queries.mandate(approval.mandateId))
  return (
    <Card>
      <CardHeader as="h3" title="Effect on the budget" />
      <CardBody>
        {mandate ? (
          <Effect {...{ mandate, amount, isSeveral }} chainLeft={approval.remainingBudget} />
        ) : (
          <Skeleton rows={3} />
        )}
      </CardBody>
    </Card>
  )
}

interface EffectProps {
  readonly mandate: Mandate
  readonly amount: number
  readonly isSeveral: boolean
  /** The least that is left, of the mandate and its parents. */
  readonly chainLeft: number
}

function Effect({ mandate, amount, isSeveral, chainLeft }: EffectProps) {
  const timezone = useTimezone()
  const { currency, budgetPeriod, budgetSpent, budgetTotal } = mandate
  const effect = budgetEffect(mandate, amount)
  const { before, after, percentBefore, percentAfter, crosses, isOver } = effect
  const used = `${usedText(percentBefore)} used, ${usedText(percentAfter)} with ${isSeveral ? 'these' : 'this one'}`
  return (
    <>
      <div className="flex flex-wrap items-baseline gap-x-3">
        <span className="text-ink-2">{leftLabel(budgetPeriod, new Date(), timezone)}</span>
        <span className="ml-auto whitespace-nowrap">
          <b>{formatAmount(before, currency)}</b>
          <span aria-hidden> → </span>
          <span className="sr-only"> becomes </span>
          <b className={isOver ? 'text-no' : ''}>{formatAmount(after, currency)}</b>
          <span className="ml-1 text-micro text-ink-3">{currency}</span>
        </span>
      </div>
      <Meter spent={budgetSpent} held={amount} total={budgetTotal} label={used} name="Budget used">
        <div className="flex flex-wrap items-baseline gap-x-3 text-small">
          <span aria-hidden className="text-ink-2">
            {used}
          </span>
          {crosses === null || isOver ? null : (
            <b className="ml-auto font-medium text-ask">
              {crosses === 100 ? 'uses it up' : 'crosses 80 %'}
            </b>
          )}
        </div>
      </Meter>
      {isOver ? (
        <Warning>
          {isSeveral
            ? 'More than is left. Once the budget is used up, the rest is rejected even if you approve.'
            : 'More than is left. The spend is rejected even if you approve, unless the budget is raised.'}
        </Warning>
      ) : amount > chainLeft ? (
        <Warning>
          A parent mandate has only {formatMoney(chainLeft, currency)} left. A spend above that is
          rejected even if you approve.
        </Warning>
      ) : null}
    </>
  )
}

function Warning({ children }: { readonly children: React.ReactNode }) {
  return (
    <p className="tone-no mt-2 flex gap-1.5 text-small text-tone">
      <TriangleAlert aria-hidden size={14} strokeWidth={1.75} className="mt-px flex-none" />
      <span>{children}</span>
    </p>
  )
}
