import {
  CreditCard,
  Gauge,
  KeyRound,
  type LucideIcon,
  Send,
  TriangleAlert,
  UserRound,
  X,
} from 'lucide-react'
import { useState } from 'react'
import { Link } from '../../router/link.tsx'
import { Button } from '../../ui/button.tsx'
import { TONE_CLASS } from '../../ui/tone.ts'
import type { Attention, AttentionKind } from './attention-item.ts'

const ICONS: Readonly<Record<AttentionKind, LucideIcon>> = {
  approvals: UserRound,
  exhausted: X,
  webhook: Send,
  cards: CreditCard,
  near: TriangleAlert,
  keys: KeyRound,
  plan: Gauge,
}

const SHOWN = 4

/** The things that need a person, each with one verb. Without any, the list is gone. */
export function AttentionList({ items }: { readonly items: readonly Attention[] }) {
  const [showsAll, setShowsAll] = useState(false)
  if (items.length === 0) return null
  const rest = items.length - SHOWN
  return (
    <section aria-label="Needs attention" data-print="whole">
      <ul className="rounded-3 border border-line bg-sheet">
        {(showsAll ? items : items.slice(0, SHOWN)).map((item) => (
          <Item item={item} key={item.kind} />
        ))}
      </ul>
      {rest > 0 && !showsAll ? (
        <Button
          className="mt-1.5"
          data-print="none"
          onClick={() => setShowsAll(true)}
          size="sm"
          variant="quiet"
        >
          {rest} more
        </Button>
      ) : null}
    </section>
  )
}

function Item({ item }: { readonly item: Attention }) {
  const Icon = ICONS[item.kind]
  const { to, id, search } = item.link
  const link = <Link to={to} {...(id ? { params: { id } } : {})} {...(search ? { search } : {})} />
  return (
    <li
      className={`${TONE_CLASS[item.tone]} flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-2.5 py-2 last:border-b-0 phone:flex-nowrap print:py-1`}
    >
      <span
        aria-hidden="true"
        className="grid size-6.5 flex-none place-items-center rounded-2 border border-tone-line bg-tone-soft text-tone"
      >
        <Icon size={15} strokeWidth={1.75} />
      </span>
      <p className="min-w-0 flex-1 basis-[calc(100%-3rem)] phone:basis-0">
        {/* The sentences are English, also when they begin with a name in Arabic. */}
        <b>
          <bdi dir="ltr">{item.title}</bdi>
        </b>{' '}
        <span className="text-ink-2">
          <bdi dir="ltr">{item.text}</bdi>
        </span>
      </p>
      <Button
        className="max-phone:ml-9.5"
        data-print="none"
        render={link}
        size="sm"
        {...(item.kind === 'approvals' ? { kbd: ['g', 'a'] } : {})}
      >
        {item.verb}
      </Button>
    </li>
  )
}
