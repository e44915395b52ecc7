import type { Agent, Mandate } from '@purser/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import { Fragment } from 'react'
import { queries } from '../../data/queries.ts'
import { useLiveEvents, useLiveState } from '../../data/stream/use-live.ts'
import { StepLink } from '../../parts/first-run/step-link.tsx'
import { type FirstRunStep, laterSteps } from '../../parts/first-run/steps.ts'
import { Link } from '../../router/link.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { excessiveSpend, excessNote, goodSpend } from './example-spend.ts'
import { pairOf } from './pair-of.ts'
import { SpendCard } from './spend-card.tsx'

interface SpendStepProps {
  readonly agent: Agent
  readonly mandate: Mandate
  readonly apiKey: string | undefined
  readonly steps: readonly FirstRunStep[]
}

const POLL_MS = 2_000

/** The first spend and one that is too much, side by side. */
export function SpendStep({ agent, mandate, apiKey, steps }: SpendStepProps) {
  const isLive = useLiveState().kind === 'live'
  const client = useQueryClient()
  const { data } = useQuery({
    ...queries.latestTransactions({ agentId: agent.id, limit: 50 }),
    refetchInterval: isLive ? false : POLL_MS,
  })
  const { first, second } = pairOf(data?.data ?? [])
  // In a list that goes on, the last row is not the first spend.
  const isLong = data !== undefined && data.total > data.data.length
  // Lists are asked for again every two seconds at most. A person who waits for one answer gets it at once.
  const look = () => {
    client.invalidateQueries({ queryKey: ['transactions', 'latest'] }).catch(() => {})
  }
  useLiveEvents(({ kind, subject, data: body }) => {
    if (!kind.startsWith('transaction.') || body['agentId'] !== agent.id) return
    // The decision is asked for at the same time as the list that names it.
    if (subject) void client.prefetchQuery(queries.transaction(subject))
    look()
  })
  if (!data) return null
  if (isLong) return <Done steps={steps} />
  const common = { apiKey, agentName: agent.name, currency: mandate.currency, onSent: look }
  return (
    <>
      <div className={`grid items-start gap-4 ${first ? 'desk:grid-cols-2' : ''}`}>
        <SpendCard
          spend={goodSpend(mandate)}
          title={first ? 'The first spend' : 'Send the first spend'}
          transactionId={first}
          {...common}
        />
        <SpendCard
          isNext={first !== undefined}
          {...(second ? {} : { note: excessNote(mandate) })}
          spend={excessiveSpend(mandate)}
          title={secondTitle(first, second)}
          transactionId={second}
          {...common}
        />
      </div>
      {first && second ? <Done steps={steps} /> : null}
    </>
  )
}

/** The first decision is made. Steps that are still open follow, so that the words fit the count. */
function Done({ steps }: { readonly steps: readonly FirstRunStep[] }) {
  const later = laterSteps(steps)
  return (
    <Notice
      action={
        <Button
          icon={<ArrowRight aria-hidden="true" size={14} />}
          render={<Link to="/" />}
          variant="primary"
        >
          Go to the overview
        </Button>
      }
      title={later.length === 0 ? 'Everything is set up.' : 'Your agent can spend now.'}
    >
      Purser decides before money moves, and says why. <Link to="/connect/{-$tab}">Connect</Link>{' '}
      shows how your program calls it.
      {later.length > 0 ? ' When you have time: ' : null}
      {later.map(({ id, title }, index) => (
        <Fragment key={id}>
          {index > 0 ? ', ' : null}
          <StepLink id={id}>{title}</StepLink>
        </Fragment>
      ))}
      {later.length > 0 ? '.' : null}
    </Notice>
  )
}

function secondTitle(first: string | undefined, second: string | undefined): string {
  if (second !== undefined) return 'One that is too much'
  return first === undefined ? 'Then try one that is too much' : 'Now one that is too much'
}
