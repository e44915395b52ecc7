import type { Approval, Rule } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { UserRound } from 'lucide-react'
import { queries } from '../../data/queries.ts'
import { useTimezone } from '../../parts/when.tsx'
import { Link } from '../../router/link.tsx'
import { CardBody } from '../../ui/card.tsx'
import { findingFacts, findingName, isParentRule } from '../../words/findings.ts'
import { tidySentence } from '../../words/money.ts'

/** The rules that require approval. All the others passed, else there would be no request. */
export function AskingRules({ approval }: { readonly approval: Approval }) {
  const { rules, currency, mandateId, createdAt } = approval
  const timezone = useTimezone()
  const { data: mandate } = useQuery(queries.mandate(mandateId))
  const definitions = mandate?.rules as readonly Rule[] | undefined
  return (
    <CardBody className="pt-2">
      {rules.length === 0 ? (
        <p className="pt-1.5 text-ink-2">Your retention rule removed the details.</p>
      ) : null}
      <ul className="flex flex-col">
        {rules.map((rule) => {
          const definition = definitions?.find(({ id }) => id === rule.id)
          const context = { currency, rule: definition, at: new Date(createdAt), timezone }
          return (
            <li key={rule.id} className="tone-ask border-b border-line py-2 last:border-b-0">
              <div className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
                <span className="flex items-baseline gap-2.5 font-strong">
                  <UserRound
                    aria-hidden
                    size={16}
                    strokeWidth={1.75}
                    className="flex-none translate-y-0.75 text-tone"
                  />
                  {findingName(rule, context)}
                  {isParentRule(rule) ? (
                    <span className="font-regular text-ink-3"> · parent mandate</span>
                  ) : null}
                </span>
                <bdi className="ml-auto text-right text-small text-ink-2">
                  {findingFacts(rule, context)}
                </bdi>
              </div>
              <p className="mt-0.5 pl-6.5 text-small text-ink-2">
                {tidySentence(rule.message, currency)}
              </p>
            </li>
          )
        })}
      </ul>
      <p className="mt-1 text-small text-ink-3">
        The budget and all other rules passed.{' '}
        <Link to="/mandates/$id" params={{ id: mandateId }}>
          {mandate?.name ?? 'See the mandate'}
        </Link>
      </p>
    </CardBody>
  )
}
