import type { Approval } from '@purser/sdk'
import { Amount } from '../../parts/amount.tsx'
import { ApprovalBadge } from '../../parts/status-badge.tsx'
import { When } from '../../parts/when.tsx'
import { Link } from '../../router/link.tsx'
import { cx } from '../../ui/cx.ts'
import { formatMoney } from '../../words/money.ts'

interface AnsweredRowProps {
  readonly approval: Approval
  readonly isOpen: boolean
  readonly search: Readonly<Record<string, string>>
}

/** An answered request: its subject, the person who answered, and when. */
export function AnsweredRow({ approval, isOpen, search }: AnsweredRowProps) {
  const { id, vendor, amount, currency, agentName, status, decisions, expiresAt } = approval
  const [first] = decisions
  const isNo = status === 'rejected' || status === 'expired'
  return (
    <li
      className={cx(
        'relative border-b border-line px-4 py-3 hover:bg-hover',
        isOpen && 'bg-sheet shadow-[inset_3px_0_0_var(--accent)] hover:bg-sheet',
      )}
    >
      <div className="flex items-baseline gap-2">
        <Link
          to="/approvals/$id"
          params={{ id }}
          search={search}
          aria-current={isOpen ? 'true' : undefined}
          aria-label={`${vendor}, ${formatMoney(amount, currency)}`}
          className="min-w-0 flex-1 truncate font-medium text-ink after:absolute after:inset-0 hover:no-underline focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus"
        >
          <bdi>{vendor}</bdi>
        </Link>
        <Amount value={amount} currency={currency} struck={isNo} />
      </div>
      <p className="mt-0.5 truncate text-small text-ink-2">
        <bdi>{agentName ?? 'Deleted agent'}</bdi>
      </p>
      <div className="mt-1 flex min-h-5 items-center gap-2 text-small text-ink-3">
        <span className="min-w-0 flex-1 truncate">
          {first ? <bdi>{first.actor.name}</bdi> : 'No answer'},{' '}
          <When at={first?.decidedAt ?? expiresAt} ago />
        </span>
        <ApprovalBadge status={status} />
      </div>
    </li>
  )
}
