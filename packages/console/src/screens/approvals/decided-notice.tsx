import type { Approval } from '@purser/sdk'
import { Check, Hourglass, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useMe } from '../../data/session.ts'
import { When } from '../../parts/when.tsx'
import { Link } from '../../router/link.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { formatMoney } from '../../words/money.ts'
import { DECIDED } from './sentences.ts'

interface DecidedNoticeProps {
  readonly approval: Approval
  /** This person answered too, but later. */
  readonly isLate: boolean
  readonly next: Approval | undefined
  readonly search: Readonly<Record<string, string>>
}

/** The answer of this or a different person in one sentence, and the way to the next request. */
export function DecidedNotice({ approval, isLate, next, search }: DecidedNoticeProps) {
  const wasPending = useRef(approval.status === 'pending')
  const action = useRef<HTMLButtonElement>(null)
  const notice = useRef<HTMLDivElement>(null)
  const { status } = approval
  useEffect(() => {
    // The button that was pressed is gone, so the focus moves on to the next request, or to the answer.
    if (!wasPending.current || status === 'pending') return
    const target = action.current ?? notice.current
    target?.focus({ preventScroll: true })
  }, [status])
  if (status === 'pending') return null
  const isYes = status === 'approved' || status === 'used'
  const Icon = status === 'rejected' ? X : isYes ? Check : Hourglass
  return (
    <div className="mb-3 outline-none" ref={notice} tabIndex={-1}>
      <Notice
        role="status"
        tone={isYes ? 'ok' : status === 'rejected' ? 'no' : 'done'}
        icon={<Icon aria-hidden size={16} strokeWidth={2} />}
        action={
          next ? (
            <Button
              kbd={['j']}
              ref={action}
              render={<Link to="/approvals/$id" params={{ id: next.id }} search={search} />}
            >
              Next request
            </Button>
          ) : undefined
        }
      >
        <Answer approval={approval} />
        {isLate ? ' Your answer came later and changed nothing.' : null}
      </Notice>
    </div>
  )
}

function Answer({ approval }: { readonly approval: Approval }) {
  const { member } = useMe()
  const { status, decisions, permit, amount, currency } = approval
  const [first] = decisions
  if (!first) return <b>The request expired without an answer. The agent can request it again.</b>
  const less =
    permit && permit.maxAmount !== amount
      ? ` at most ${formatMoney(permit.maxAmount, currency)} of`
      : ''
  return (
    <>
      <b>
        {first.actor.id === member.id ? 'You' : <bdi>{first.actor.name}</bdi>}{' '}
        {DECIDED[first.decision]}
        {less} this <When at={first.decidedAt} ago />.
      </b>
      {first.comment === null ? null : (
        <>
          {' '}
          “<bdi>{first.comment}</bdi>”
        </>
      )}
      {status === 'used' ? ' The agent has used the approval.' : null}
      {status === 'approved' ? ' The agent can retry the spend now.' : null}
      {status === 'expired' ? ' The agent did not use the approval in time.' : null}
    </>
  )
}
