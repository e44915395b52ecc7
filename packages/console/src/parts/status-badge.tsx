import type { ApprovalStatus, TransactionStatus } from '@purser/sdk'
import {
  Anchor,
  Ban,
  Check,
  Clock,
  Flag,
  Hourglass,
  type LucideIcon,
  Undo2,
  UserRound,
  X,
} from 'lucide-react'
import { Badge } from '../ui/badge.tsx'
import { APPROVAL_WORDS, STATUS_WORDS } from '../words/words.ts'

const TRANSACTION_ICONS: Readonly<Record<TransactionStatus, LucideIcon>> = {
  settled: Check,
  held: Anchor,
  rejected: X,
  voided: Ban,
  expired: Hourglass,
  refunded: Undo2,
  partially_refunded: Undo2,
}

const APPROVAL_ICONS: Readonly<Record<ApprovalStatus, LucideIcon>> = {
  pending: Clock,
  approved: Check,
  used: Check,
  rejected: X,
  expired: Hourglass,
}

interface TransactionBadgeProps {
  readonly status: TransactionStatus
  /** The code of the decision: a spend that waits for a person is not simply rejected. */
  readonly code: string
}

/** The state of a transaction: an icon, a word and a colour. */
export function TransactionBadge({ status, code }: TransactionBadgeProps) {
  if (code === 'approval_required') {
    return (
      <Badge tone="ask" icon={<UserRound size={13} strokeWidth={1.75} />}>
        Needs approval
      </Badge>
    )
  }
  const { word, tone } = STATUS_WORDS[status]
  const Icon = TRANSACTION_ICONS[status]
  return (
    <Badge tone={tone} icon={<Icon size={13} strokeWidth={1.75} />} dashed={status === 'expired'}>
      {word}
    </Badge>
  )
}

export function ApprovalBadge({ status }: { readonly status: ApprovalStatus }) {
  const { word, tone } = APPROVAL_WORDS[status]
  const Icon = APPROVAL_ICONS[status]
  return (
    <Badge tone={tone} icon={<Icon size={13} strokeWidth={1.75} />} dashed={status === 'expired'}>
      {word}
    </Badge>
  )
}

export function FlaggedBadge() {
  return (
    <Badge tone="ask" icon={<Flag size={13} strokeWidth={1.75} />}>
      Flagged
    </Badge>
  )
}
