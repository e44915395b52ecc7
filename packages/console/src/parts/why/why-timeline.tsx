import type { Transaction } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import {
  Anchor,
  Ban,
  Check,
  Clock,
  CornerDownRight,
  Hourglass,
  type LucideIcon,
  Send,
  ShieldCheck,
  SlidersHorizontal,
  Undo2,
  UserRound,
  X,
} from 'lucide-react'
import { queries } from '../../data/queries.ts'
import { Link } from '../../router/link.tsx'
import { DrawerSection } from '../../ui/drawer-section.tsx'
import type { Tone } from '../../words/words.ts'
import { Timeline } from '../timeline.tsx'
import { storyOf } from './story.ts'
import type { StoryPoint } from './story-point.ts'

const LOOKS: Readonly<
  Record<StoryPoint['kind'], { readonly icon: LucideIcon; readonly tone?: Tone }>
> = {
  requested: { icon: CornerDownRight },
  approved: { icon: Check, tone: 'ok' },
  rejected: { icon: X, tone: 'no' },
  asked: { icon: UserRound, tone: 'ask' },
  recorded: { icon: Anchor, tone: 'ask' },
  settled: { icon: Check, tone: 'ok' },
  voided: { icon: Ban, tone: 'done' },
  expired: { icon: Hourglass, tone: 'done' },
  refunded: { icon: Undo2, tone: 'back' },
  adjusted: { icon: SlidersHorizontal, tone: 'held' },
  logged: { icon: ShieldCheck, tone: 'ok' },
  delivered: { icon: Send, tone: 'ok' },
  undelivered: { icon: Send, tone: 'no' },
  waiting: { icon: Clock },
  said_yes: { icon: UserRound, tone: 'ok' },
  said_no: { icon: UserRound, tone: 'no' },
}

/** A hold can change at any moment, and not every change is announced. */
const HELD_MS = 5_000

/** From the request to the webhook: the audit log, the approval and the deliveries in one line. */
export function WhyTimeline({ transaction }: { readonly transaction: Transaction }) {
  const { transactionId, approvalId, status } = transaction
  const refetchInterval = status === 'held' ? HELD_MS : false
  const log = useQuery({ ...queries.history(transactionId), refetchInterval })
  const deliveries = useQuery(queries.deliveries({ transactionId }))
  const approval = useQuery({
    ...queries.approval(approvalId ?? ''),
    enabled: approvalId !== null,
  })
  const story = storyOf({
    transaction,
    entries: log.data?.data ?? [],
    isLogKnown: log.isSuccess,
    approval: approval.data,
    deliveries: deliveries.data?.data ?? [],
  })
  return (
    <DrawerSection title="Timeline">
      <Timeline
        label="Timeline"
        points={story.map((point) => ({
          ...{ key: point.key, at: point.at, isPlanned: point.isPlanned },
          ...LOOKS[point.kind],
          text: <PointText point={point} />,
        }))}
      />
    </DrawerSection>
  )
}

function PointText({ point: { text, link, after } }: { readonly point: StoryPoint }) {
  if (!link) return text
  return (
    <>
      {text} <Link to={link.href}>{link.text}</Link>
      {after}
    </>
  )
}
