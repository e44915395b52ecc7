import { useQueryClient } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useRef, useState } from 'react'
import { queries } from '../../data/queries.ts'
import type { LiveEvent } from '../../data/stream/events.ts'
import { useLiveEvents, useLiveState } from '../../data/stream/use-live.ts'
import { useTimezone } from '../../parts/when.tsx'
import { Link } from '../../router/link.tsx'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { LiveDot } from '../../ui/live-dot.tsx'
import { Notice } from '../../ui/notice.tsx'
import { formatTime } from '../../words/time.ts'
import type { Block } from './block-shape.ts'
import { arrivedWords, type Expected, isExpected, transactionOf, unknownSpend } from './expected.ts'

/** The transactions that a block asks for at most, because hints do not say whose they are. */
const LOOKUPS_MAX = 50

interface ConnectBlockProps {
  readonly block: Block
  readonly number: number
}

/** A step with its code. */
export function ConnectBlock({ block, number }: ConnectBlockProps) {
  const [isWaiting, setIsWaiting] = useState(false)
  const { title, text, code, lang, expected } = block
  return (
    <section aria-label={title}>
      <h2 className="flex items-baseline gap-2 text-read font-strong">
        <span className="text-ink-3">{number}</span>
        {title}
      </h2>
      <p className="mt-0.5 mb-2.5 text-ink-2">{text}</p>
      <Code wrap lang={lang} label={title} onCopied={() => setIsWaiting(true)}>
        {code}
      </Code>
      {expected ? (
        <Arrival expected={expected} isWaiting={isWaiting} onWait={() => setIsWaiting(true)} />
      ) : null}
    </section>
  )
}

interface ArrivalProps {
  readonly expected: Expected
  readonly isWaiting: boolean
  readonly onWait: () => void
}

/** Whether the call has arrived. The block listens from the start, so that no call is missed. */
function Arrival({ expected, isWaiting, onWait }: ArrivalProps) {
  const [arrived, setArrived] = useState<LiveEvent | null>(null)
  const { kind: live } = useLiveState()
  const client = useQueryClient()
  const lookups = useRef(0)
  useLiveEvents((event) => {
    if (expected.isShown && !isWaiting) return
    if (isExpected(expected, event)) setArrived(event)
    const id = unknownSpend(expected, event)
    if (id === null || !isWaiting || arrived || lookups.current >= LOOKUPS_MAX) return
    lookups.current += 1
    client.fetchQuery(queries.transaction(id)).then(
      (data) => {
        const whole = { ...event, data: { ...data } }
        if (isExpected(expected, whole)) setArrived(whole)
      },
      () => {},
    )
  })
  return (
    <div className="mt-2 min-h-(--control)" role="status">
      {arrived ? (
        <Arrived event={arrived} isShown={expected.isShown === true} />
      ) : isWaiting ? (
        <p className="flex min-h-(--control) items-center gap-2.5 text-ink-2">
          <LiveDot state={live === 'live' ? 'live' : 'off'} />
          {live === 'live'
            ? expected.waiting
            : 'Live updates are off, so this page cannot see the call yet. It tries again by itself.'}
        </p>
      ) : (
        <Button size="sm" icon={<Check size={14} aria-hidden />} onClick={onWait}>
          It worked
        </Button>
      )}
    </div>
  )
}

interface ArrivedProps {
  readonly event: LiveEvent
  readonly isShown: boolean
}

function Arrived({ event, isShown }: ArrivedProps) {
  const timezone = useTimezone()
  const id = transactionOf(event)
  const time = formatTime(new Date(event.at ?? event.receivedAt), timezone, true)
  return (
    <Notice
      tone="ok"
      icon={<Check size={16} strokeWidth={2} aria-hidden />}
      title={isShown ? `An event was sent at ${time}.` : `The call arrived at ${time}.`}
    >
      {isShown ? 'Your terminal shows the same one: ' : null}
      {arrivedWords(event)}{' '}
      {id ? (
        <Link to="/transactions/$id" params={{ id }}>
          See why
        </Link>
      ) : null}
    </Notice>
  )
}
