import type { ReactElement, ReactNode } from 'react'
import { linkElement } from './link-element.tsx'

export interface LinkSegment {
  label: string
  count?: number | undefined
  /** A link of the router. */
  render: ReactElement
  isCurrent: boolean
}

export interface LinkSegmentsProps {
  /** The name of the whole control. */
  label: string
  items: readonly LinkSegment[]
}

/** A few views of one page, all in sight. Each is a link, because the address holds the choice. */
export function LinkSegments({ label, items }: LinkSegmentsProps) {
  return (
    <nav
      aria-label={label}
      className="inline-flex max-w-full gap-0.5 overflow-x-auto rounded-3 border border-line bg-well p-0.5"
    >
      {items.map((item) => (
        <Segment item={item} key={item.label} />
      ))}
    </nav>
  )
}

const SEGMENT =
  'inline-flex min-h-6.5 shrink-0 items-center gap-1.5 rounded-2 border border-transparent px-2.5 text-small font-medium whitespace-nowrap text-ink-2 hover:text-ink hover:no-underline focus-visible:-outline-offset-2 focus-visible:rounded-2 aria-[current]:border-line aria-[current]:bg-raised aria-[current]:text-ink aria-[current]:shadow-1 pointer-coarse:min-h-10 forced-colors:aria-[current]:bg-[Highlight] forced-colors:aria-[current]:text-[HighlightText]'

function Segment({ item }: { item: LinkSegment }) {
  const { label, count, render, isCurrent } = item
  const inside: ReactNode = (
    <>
      {label}
      {count === undefined ? null : (
        <span className="font-regular text-ink-3">{count.toLocaleString('en')}</span>
      )}
    </>
  )
  return linkElement(render, undefined, inside, {
    className: SEGMENT,
    'aria-current': isCurrent ? 'true' : undefined,
  })
}
