import type { Agent, Mandate } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { Ban, Pause } from 'lucide-react'
import { Meter } from '../../charts/meter.tsx'
import { FULL_SCALE, WARNS_AT } from '../../charts/meter-shape.ts'
import { queries } from '../../data/queries.ts'
import { useNow, useTimezone } from '../../parts/when.tsx'
import { Link } from '../../router/link.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { leftLabel, spentOnly, usedText } from '../../words/budget.ts'
import { formatAmount, formatMoney } from '../../words/money.ts'
import { outlookOf } from './forecast.ts'
import { OutlookNotice } from './outlook-notice.tsx'

interface BudgetHeroProps {
  readonly agent: Agent
  readonly mandate: Mandate | null
}

/** The remaining amount of the period, the meter with its forecast, and its consequence. */
export function BudgetHero({ agent, mandate }: BudgetHeroProps) {
  return (
    <Card aria-label="Budget">
      <CardBody className="flex flex-col gap-2.5">
        {agent.status === 'paused' ? (
          <Notice tone="ask" icon={<Pause aria-hidden size={16} />}>
            <b>{agent.name} is paused.</b> All its spends are rejected. Holds stay.
          </Notice>
        ) : null}
        {mandate ? (
          <Budget mandate={mandate} />
        ) : (
          <Notice tone="ask" icon={<Ban aria-hidden size={16} />}>
            <b>No active mandate.</b> All spends of this agent are rejected.{' '}
            <Link to="/mandates/new" search={{ agent: agent.id }}>
              Create a mandate
            </Link>
          </Notice>
        )}
      </CardBody>
    </Card>
  )
}

function Budget({ mandate }: { readonly mandate: Mandate }) {
  const timezone = useTimezone()
  const now = new Date(useNow())
  const { data: forecast } = useQuery(
    queries.analytics({ metric: 'forecast', groupBy: 'mandate', top: 100 }),
  )
  const pace = forecast?.data.find(({ group }) => group?.mandate === mandate.id)
  const perDay = pace?.perDay ?? null
  const { budgetHeld, budgetTotal, remainingBudget } = mandate
  const used = `${usedText(mandate.percentUsed)} used`
  const { budgetPeriod, currency, exhausted, name } = mandate
  const outlook = outlookOf(mandate, perDay, now)
  const tone = exhausted
    ? 'text-no'
    : mandate.percentUsed >= WARNS_AT * 100
      ? 'text-ask'
      : 'text-ink-2'
  const spent = spentOnly(mandate)
  return (
    <>
      <div className="flex flex-wrap items-end gap-x-6 gap-y-1">
        <div>
          <div className="text-small text-ink-2">{leftLabel(budgetPeriod, now, timezone)}</div>
          <div className="text-display font-strong tracking-figure">
            {formatAmount(remainingBudget, currency)}
            <span className="ml-1.5 text-small font-regular tracking-normal text-ink-3">
              {currency}
            </span>
          </div>
        </div>
        <div className="ml-auto text-right text-ink-2 max-phone:ml-0 max-phone:text-left">
          {formatAmount(spent, currency)} spent · {formatAmount(budgetHeld, currency)} held ·{' '}
          {formatAmount(budgetTotal, currency)} in all
          <b className={`block ${tone}`}>{used}</b>
        </div>
      </div>
      <Meter
        details={[
          { label: 'Spent', text: formatMoney(spent, currency) },
          { label: 'Held', text: formatMoney(budgetHeld, currency) },
          { label: 'Left', text: formatMoney(remainingBudget, currency) },
          { label: 'Budget', text: formatMoney(budgetTotal, currency) },
        ]}
        forecastAt={outlook.forecastAt}
        held={budgetHeld}
        label={`${used}, ${formatMoney(remainingBudget, currency)} left`}
        name={`Budget of ${name}`}
        spent={spent}
        total={budgetTotal}
      >
        <Scale />
      </Meter>
      <OutlookNotice {...{ mandate, outlook, perDay, now }} count={pace?.count} />
    </>
  )
}

/** The words under the marks of the meter. */
function Scale() {
  return (
    <div aria-hidden className="relative h-4 text-small text-ink-3">
      <span>0</span>
      <span
        className="absolute -translate-x-1/2 whitespace-nowrap max-phone:hidden"
        style={{ left: `${(WARNS_AT / FULL_SCALE) * 100}%` }}
      >
        80 %
      </span>
      <span
        className="absolute -translate-x-1/2 whitespace-nowrap"
        style={{ left: `${100 / FULL_SCALE}%` }}
      >
        100 %
      </span>
    </div>
  )
}
