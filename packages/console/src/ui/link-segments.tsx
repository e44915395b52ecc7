import type { ReactElement, ReactNode } from 'react'
import { linkElement } from './link-element.tsx'
import { SEGMENT, SEGMENT_COUNT, SEGMENTS } from './segment-classes.ts'

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
    <nav aria-label={label} className={`${SEGMENTS} overflow-x-auto`}>
      {items.map((item) => (
        <Segment item={item} key={item.label} />
      ))}
    </nav>
  )
}

function Segment({ item }: { item: LinkSegment }) {
  const { label, count, render, isCurrent } = item
  const inside: ReactNode = (
    <>
      {label}
      {count === undefined ? null : (
        <span className={SEGMENT_COUNT}>{count.toLocaleString('en')}</span>
      )}
    </>
  )
  return linkElement(render, undefined, inside, {
    className: SEGMENT,
    'aria-current': isCurrent ? 'true' : undefined,
  })
}
