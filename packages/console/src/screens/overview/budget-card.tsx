import { TriangleAlert, X } from 'lucide-react'
import { Meter } from '../../charts/meter.tsx'
import { AgentChip } from '../../parts/agent-chip.tsx'
import { Link } from '../../router/link.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Card, CardHeader } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { spentOnly } from '../../words/budget.ts'
import { formatAmount, formatMoney } from '../../words/money.ts'
import type { BudgetRow } from './budget-rows.ts'

const SHOWN = 3

interface BudgetCardProps {
  /** The fullest first. */
  readonly rows: readonly BudgetRow[]
  readonly isLoading: boolean
  /** The budgets could not be loaded: nothing is known about them. */
  readonly isUnknown: boolean
}

/** The fullest budgets, each with its forecast. */
export function BudgetCard({ rows, isLoading, isUnknown }: BudgetCardProps) {
  return (
    <Card aria-label="Budgets">
      <CardHeader
        title="Budgets"
        note="marks at 80 and 100 %"
        action={
          rows.length > 0 ? (
            <Link to="/mandates" search={{ status: 'active', sort: 'percentUsed' }}>
              All {rows.length}
            </Link>
          ) : undefined
        }
      />
      {isLoading ? (
        <div className="px-3.5 py-2">
          <Skeleton rows={8} />
        </div>
      ) : null}
      {isUnknown ? (
        <p className="px-3.5 py-8 text-center text-ink-2">The budgets could not be loaded.</p>
      ) : rows.length === 0 && !isLoading ? (
        <p className="px-3.5 py-8 text-center text-ink-2">
          No mandate is active, so no agent can spend. <Link to="/mandates/new">Create one</Link>
        </p>
      ) : (
        <ul className="px-3.5 py-1">
          {rows.slice(0, SHOWN).map((row) => (
            <Budget key={row.mandate.id} row={row} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function Budget({ row }: { readonly row: BudgetRow }) {
  const { mandate, used, forecastAt, sentence, period } = row
  const { currency, budgetTotal } = mandate
  const name = mandate.agentName ?? mandate.name
  const spent = spentOnly(mandate)
  const money = (amount: number) => formatMoney(amount, currency)
  return (
    <li className="border-b border-line py-2.75 last:border-b-0 print:py-1.5">
      <div className="mb-0.5 flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="min-w-0 flex-1 basis-24 truncate max-phone:basis-full">
          <AgentChip name={name} id={mandate.agentId} />
        </span>
        <StateBadge state={row.state} />
        <Link
          to="/mandates/$id"
          params={{ id: mandate.id }}
          className="ml-auto inline-block leading-6 text-ink-3 phone:whitespace-nowrap"
        >
          <span className="sr-only">Mandate of {name}: </span>
          <span className="font-strong text-ink">{formatAmount(used, currency)}</span> of{' '}
          {formatAmount(budgetTotal, currency)} <span className="text-micro">{currency}</span>
        </Link>
      </div>
      <Meter
        spent={spent}
        held={mandate.budgetHeld}
        total={budgetTotal}
        forecastAt={forecastAt}
        label={`${sentence}.`}
        name={`Budget of ${name}, ${period}`}
        details={[
          { label: 'Spent', text: money(spent) },
          { label: 'Held', text: money(mandate.budgetHeld) },
          { label: 'Left', text: money(mandate.remainingBudget) },
        ]}
      >
        <div className="flex gap-3 text-small text-ink-2">
          <span className="min-w-0 flex-1">{sentence}</span>
          <span className="text-ink-3">{period}</span>
        </div>
      </Meter>
    </li>
  )
}

function StateBadge({ state }: { readonly state: BudgetRow['state'] }) {
  if (state === 'exhausted') {
    return (
      <Badge tone="no" icon={<X strokeWidth={1.75} />}>
        Exhausted
      </Badge>
    )
  }
  if (state === 'near') {
    return (
      <Badge tone="ask" icon={<TriangleAlert strokeWidth={1.75} />}>
        Near the limit
      </Badge>
    )
  }
  return null
}
