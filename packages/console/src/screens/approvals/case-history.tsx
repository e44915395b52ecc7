import type { Approval } from '@purser/sdk'
import { Check, Clock, Hourglass, ShoppingCart, UserRound, X } from 'lucide-react'
import { useMe } from '../../data/session.ts'
import { Timeline, type TimelinePoint } from '../../parts/timeline.tsx'
import { Link } from '../../router/link.tsx'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { formatMoney } from '../../words/money.ts'

/** The end of the request: the people who answered, their words, and whether the agent used it. */
export function CaseHistory({ approval }: { readonly approval: Approval }) {
  const { member } = useMe()
  return (
    <Card>
      <CardHeader as="h3" title="History" />
      <CardBody>
        <Timeline label="History of the request" points={pointsOf(approval, member.id)} />
      </CardBody>
    </Card>
  )
}

function pointsOf(approval: Approval, meId: string): readonly TimelinePoint[] {
  const { status, createdAt, expiresAt, permit, decisions, requestedBy, currency } = approval
  const decided = decisions.map(({ decision, actor, comment, maxAmount, decidedAt }) => ({
    ...{ key: `decided ${decidedAt}`, at: decidedAt },
    icon: decision === 'approve' ? Check : X,
    tone: decision === 'approve' ? ('ok' as const) : ('no' as const),
    text: (
      <>
        {decision === 'approve' ? 'Approved by ' : 'Rejected by '}
        {actor.id === meId ? 'you' : <bdi>{actor.name}</bdi>}
        {maxAmount === null ? '' : `, at most ${formatMoney(maxAmount, currency)}`}
        {comment === null ? null : (
          <span className="block text-small text-ink-2">
            Note: “<bdi>{comment}</bdi>”
          </span>
        )}
      </>
    ),
  }))
  const requested: TimelinePoint = {
    ...{ key: 'requested', icon: UserRound, tone: 'ask', at: createdAt },
    text: requestedBy ? (
      <>
        {requestedBy.kind === 'key' ? 'Requested with the key ' : 'Requested by '}
        <bdi>{requestedBy.name}</bdi>
      </>
    ) : (
      'Requested'
    ),
  }
  return [requested, ...decided, ...endOf(status, expiresAt, permit, decisions.length > 0)]
}

function endOf(
  status: Approval['status'],
  expiresAt: string,
  permit: Approval['permit'],
  isAnswered: boolean,
): readonly TimelinePoint[] {
  if (permit?.usedAt && permit.transactionId) {
    const id = permit.transactionId
    const text = (
      <>
        Used for{' '}
        <Link to="/transactions/$id" params={{ id }}>
          this spend
        </Link>
      </>
    )
    return [{ key: 'used', icon: ShoppingCart, tone: 'ok', at: permit.usedAt, text }]
  }
  if (status === 'approved') {
    const text = 'The approval expires if the agent has not used it'
    return [{ key: 'expires', icon: Clock, at: expiresAt, text, isPlanned: true }]
  }
  if (status !== 'expired') return []
  const text = isAnswered
    ? 'Expired: the agent did not use it in time'
    : 'Expired without an answer'
  return [{ key: 'expired', icon: Hourglass, at: expiresAt, text }]
}
