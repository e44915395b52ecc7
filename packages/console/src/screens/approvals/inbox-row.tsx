import type { Approval } from '@purser/sdk'
import { useId } from 'react'
import { Amount } from '../../parts/amount.tsx'
import { ApprovalBadge } from '../../parts/status-badge.tsx'
import { When } from '../../parts/when.tsx'
import { Link } from '../../router/link.tsx'
import { cx } from '../../ui/cx.ts'
import { Tooltip } from '../../ui/tooltip.tsx'
import { formatMoney } from '../../words/money.ts'
import { initialsOf } from '../../words/text.ts'
import { Countdown } from './countdown.tsx'
import { askedBecause } from './sentences.ts'
import { useRowState } from './use-inbox.ts'

interface Selection {
  readonly isOn: boolean
  /** Some row is selected, so that all boxes show. */
  readonly isActive: boolean
  readonly whyNot: string | undefined
  readonly toggle: () => void
}

interface InboxRowProps {
  readonly approval: Approval
  readonly isWaiting: boolean
  readonly isOpen: boolean
  readonly search: Readonly<Record<string, string>>
  readonly selection: Selection
}

/** One request. The whole row opens it; the tile of the agent turns into a box to select it. */
export function InboxRow(props: InboxRowProps) {
  const { isWaiting, isOpen, search, selection } = props
  const approval = useRowState(props.approval, isWaiting)
  const { id, vendor, amount, currency, agentName, status, createdAt, expiresAt } = approval
  const isSpent = status === 'pending' || status === 'approved' || status === 'used'
  return (
    <li
      className={cx(
        'group/inbox relative flex gap-2.5 border-b border-line px-4 py-3 hover:bg-hover',
        isOpen && 'bg-sheet shadow-[inset_3px_0_0_var(--accent)] hover:bg-sheet',
        selection.isOn && 'bg-selected',
      )}
    >
      <Tile
        name={agentName ?? '?'}
        label={`Select ${vendor}`}
        isWaiting={isWaiting}
        {...selection}
      />
      <div className="min-w-0 flex-1">
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
          <Amount value={amount} currency={currency} struck={!isSpent} />
        </div>
        <p className="mt-0.5 truncate text-small text-ink-2">
          <bdi>{agentName ?? 'Deleted agent'}</bdi>: {askedBecause(approval)}
        </p>
        <div className="mt-0.5 flex min-h-5 items-center gap-2 text-small text-ink-3">
          <span className="min-w-0 flex-1 truncate">
            requested <When at={createdAt} ago />
          </span>
          {status === 'pending' ? (
            <Countdown expiresAt={expiresAt} />
          ) : (
            <ApprovalBadge status={status} />
          )}
        </div>
      </div>
    </li>
  )
}

interface TileProps extends Selection {
  readonly name: string
  readonly label: string
  readonly isWaiting: boolean
}

function Tile({ name, label, isWaiting, isOn, isActive, whyNot, toggle }: TileProps) {
  const reasonId = useId()
  const box = (
    <span className="relative z-1 grid size-5 place-items-center">
      <span hidden id={reasonId}>
        {whyNot}
      </span>
      <input
        aria-describedby={whyNot === undefined ? undefined : reasonId}
        aria-label={label}
        checked={isOn}
        className="size-3.75 accent-accent before:absolute before:-inset-1.5 pointer-coarse:before:-inset-3"
        disabled={whyNot !== undefined}
        onChange={toggle}
        type="checkbox"
      />
    </span>
  )
  return (
    <span className="relative mt-px grid size-5 flex-none place-items-center">
      <span
        aria-hidden
        className={cx(
          'col-start-1 row-start-1 grid size-5 place-items-center rounded-1 bg-accent-soft text-[0.5625rem] font-strong text-accent shadow-[inset_0_0_0_1px_var(--accent-line)]',
          isWaiting &&
            'group-focus-within/inbox:invisible group-hover/inbox:invisible pointer-coarse:invisible',
          isActive && isWaiting && 'invisible',
        )}
      >
        {initialsOf(name)}
      </span>
      {isWaiting ? (
        <span
          className={cx(
            'col-start-1 row-start-1 group-focus-within/inbox:opacity-100 group-hover/inbox:opacity-100 pointer-coarse:opacity-100',
            !isActive && 'opacity-0',
          )}
        >
          {whyNot === undefined ? box : <Tooltip content={whyNot}>{box}</Tooltip>}
        </span>
      ) : null}
    </span>
  )
}
