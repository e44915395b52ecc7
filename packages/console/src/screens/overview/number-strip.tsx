import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Spark } from '../../charts/spark.tsx'
import { Link, type LinkProps } from '../../router/link.tsx'
import { formatAmount, formatCount } from '../../words/money.ts'
import { comparison, exposureNote, type Numbers, rejectedNote } from './numbers.ts'
import type { Range } from './range.ts'

interface NumberStripProps {
  readonly numbers: Numbers
  readonly range: Range
  /** Net of each day or week. */
  readonly line: readonly number[]
  /** "9 holds, the oldest from yesterday" */
  readonly heldNote: string
  readonly exposureUntil: string | undefined
}

/** Spent, held, rejected and exposed, of one currency. Each links to the things that it counts. */
export function NumberStrip(props: NumberStripProps) {
  const { numbers, range, line, heldNote, exposureUntil } = props
  const { currency } = numbers
  const days = { from: range.from, to: range.to }
  return (
    <ul
      aria-label={`Sums in ${currency}`}
      className="grid overflow-hidden rounded-3 border border-line bg-line gap-px print:gap-0.5 phone:grid-cols-2 desk:grid-cols-4 print:grid-cols-4"
      data-print="whole"
    >
      <Figure
        label="Spent"
        note={comparison(numbers, range)}
        value={<Money {...{ value: numbers.spent, currency }} />}
        link={{ to: '/transactions', search: { decision: 'approved', ...days } }}
        aside={<Spark values={line} />}
        room={roomFor(formatAmount(numbers.spent, currency))}
      />
      <Figure
        label="Held now"
        note={heldNote}
        value={<Money {...{ value: numbers.held, currency }} />}
        link={{ to: '/transactions', search: { status: 'held' } }}
      />
      <Figure
        label="Rejected"
        note={rejectedNote(numbers)}
        value={formatCount(numbers.rejected)}
        link={{ to: '/transactions', search: { decision: 'rejected', ...days } }}
      />
      <Figure
        label="Maximum exposure"
        note={exposureNote(exposureUntil)}
        value={
          numbers.exposure === null ? '–' : <Money {...{ value: numbers.exposure, currency }} />
        }
        link={{ to: '/mandates', search: { status: 'active' } }}
      />
    </ul>
  )
}

interface FigureProps {
  readonly label: string
  readonly value: ReactNode
  readonly note: string
  readonly link: Pick<LinkProps, 'to' | 'search'>
  readonly aside?: ReactNode
  /** The class that shows the aside where it fits beside the value. */
  readonly room?: string
}

/** The most characters of an amount that fit beside the sparkline in a box of this width. */
const ROOMS = [
  [6, '@min-[16.25rem]:block'],
  [8, '@min-[17.5rem]:block'],
  [10, '@min-[19.5rem]:block'],
  [13, '@min-[22.5rem]:block'],
] as const

function roomFor(amount: string): string {
  const [, room = '@min-[28rem]:block'] = ROOMS.find(([most]) => amount.length <= most) ?? []
  return room
}

function Figure({ label, value, note, link, aside, room }: FigureProps) {
  return (
    <li className="@container min-w-0 bg-sheet">
      <Link
        {...link}
        className="group relative block h-full px-4 py-3 text-ink hover:bg-hover hover:no-underline focus-visible:-outline-offset-2 print:px-2.5 print:py-2"
      >
        <span className="flex items-center gap-1 text-small text-ink-2">
          {label}
          <ChevronRight
            aria-hidden="true"
            className="text-ink-3 opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100"
            size={12}
          />
        </span>
        <span className="block text-figure font-strong tracking-figure [overflow-wrap:anywhere] print:text-lead">
          {value}
        </span>
        <span className="block text-small text-ink-3">{note}</span>
        {aside === undefined ? null : (
          <span className={`absolute top-4 right-3.5 hidden print:hidden ${room ?? ''}`}>
            {aside}
          </span>
        )}
      </Link>
    </li>
  )
}

function Money({ value, currency }: { readonly value: number; readonly currency: string }) {
  return (
    <>
      {formatAmount(value, currency)}{' '}
      <span className="text-body font-regular tracking-normal text-ink-3">{currency}</span>
    </>
  )
}
