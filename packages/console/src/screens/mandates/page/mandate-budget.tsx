import type { Mandate } from '@purser/sdk'
import { Meter } from '../../../charts/meter.tsx'
import { Amount } from '../../../parts/amount.tsx'
import { useNow } from '../../../parts/when.tsx'
import { Link } from '../../../router/link.tsx'
import { Card, CardBody } from '../../../ui/card.tsx'
import { spentOnly } from '../../../words/budget.ts'
import { formatMoney } from '../../../words/money.ts'
import { PERIOD_WORDS } from '../../../words/term-words.ts'
import { formatDay } from '../../../words/time.ts'
import { budgetSentence, stateSentence } from '../sentences.ts'

/** The state in a sentence, then the budget that proves it. */
export function MandateBudget({ mandate }: { readonly mandate: Mandate }) {
  const now = new Date(useNow())
  const { currency, budgetTotal, budgetSpent, budgetHeld, periodEnd, timezone } = mandate
  const agent = mandate.agentName ?? 'The agent'
  const renews = periodEnd ? ` Renews on ${formatDay(new Date(periodEnd), timezone, now)}.` : ''
  const spent = spentOnly(mandate)
  return (
    <Card>
      <CardBody>
        <p className="text-lead text-pretty">{stateSentence(mandate, agent, now)}</p>
        {mandate.status === 'active' ? (
          <>
            <p className="mt-1 text-ink-2">
              <Amount currency={currency} value={budgetSpent} /> spent or held of{' '}
              <Link search={{ mandate: mandate.id }} to="/transactions">
                {formatMoney(budgetTotal, currency)} {PERIOD_WORDS[mandate.budgetPeriod]}
              </Link>
            </p>
            <div className="mt-2">
              <Meter
                details={[
                  { label: 'Spent', text: formatMoney(spent, currency) },
                  { label: 'Held', text: formatMoney(budgetHeld, currency) },
                  { label: 'Left', text: formatMoney(mandate.remainingBudget, currency) },
                ]}
                held={budgetHeld}
                label={`${budgetSentence(mandate)}${renews}`}
                name={`Budget of ${mandate.name}`}
                spent={spent}
                total={budgetTotal}
              />
            </div>
          </>
        ) : null}
      </CardBody>
    </Card>
  )
}
