import type { Transaction } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { queries } from '../../data/queries.ts'
import { asPurserError } from '../../data/use-action.ts'
import { ErrorNotice } from '../../page/error-notice.tsx'
import { RuleFindings } from '../../parts/rule-findings.tsx'
import { Verdict } from '../../parts/verdict.tsx'
import { useDecidedMandate } from '../../parts/why/mandate-line.tsx'
import { WouldPass } from '../../parts/why/would-pass.tsx'
import { Link } from '../../router/link.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { verdictOf, verdictSentence } from '../../words/verdict.ts'

/** Why the call was approved or rejected. */
export function DecisionPanel({ transactionId }: { readonly transactionId: string }) {
  const { data, error } = useQuery(queries.transaction(transactionId))
  if (error) {
    return <ErrorNotice error={asPurserError(error)} title="The decision could not be loaded." />
  }
  if (!data) return <Skeleton rows={4} />
  return <Decision transaction={data} />
}

function Decision({ transaction }: { readonly transaction: Transaction }) {
  const { decision, code, status, amount, currency, vendor, remainingBudget } = transaction
  const { definitions } = useDecidedMandate(transaction)
  const details = transaction.evaluationDetails
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3.5" role="status">
      <Verdict
        as="h3"
        // The panel is about the decision. A hold is the first state of every approved spend.
        kind={verdictOf(decision, code)}
        sentence={verdictSentence({
          ...{ decision, code, status, amount, currency, vendor, remainingBudget },
          message: details?.message ?? null,
        })}
      />
      {details && decision === 'rejected' ? (
        <WouldPass {...{ details, vendor, amount, currency }} />
      ) : null}
      {details && details.rules.length > 0 ? (
        <RuleFindings
          at={details.evaluatedAt}
          currency={currency}
          definitions={definitions}
          rules={details.rules}
        />
      ) : null}
      <p className="text-small">
        <Link to="/transactions/$id" params={{ id: transaction.transactionId }}>
          Open the transaction
        </Link>
      </p>
    </div>
  )
}
