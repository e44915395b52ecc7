import { ChevronUp } from 'lucide-react'

export interface LivePillProps {
  /** How many rows wait above the list. None, no pill. */
  count: number
  onShow: () => void
  /** The words behind the number. */
  noun?: string | undefined
}

/** The room that a bar of filters leaves at its end, so that the pill covers no filter. */
export const PILL_ROOM = 'tablet:pr-34'

/**
 * Rows that arrived wait behind this pill, so that nothing moves under the pointer. It stands at the
 * end of the filters before it, because a table begins with the names of its columns. A narrow list
 * has none, and the pill lies on its first row.
 */
export function LivePill({ count, onShow, noun = 'new' }: LivePillProps) {
  if (count <= 0) return null
  return (
    <div
      className="relative z-2 flex h-0 items-start justify-center tablet:justify-end tablet:pr-6"
      data-print="none"
    >
      <button
        className="mt-1 tablet:-mt-9.5 tablet:pointer-coarse:-mt-11.5 inline-flex min-h-6.5 items-center gap-1.25 rounded-full bg-navy py-0 pr-2.75 pl-2 text-small font-medium text-on-navy shadow-2 hover:bg-navy-hover focus-visible:rounded-full pointer-coarse:min-h-11"
        onClick={onShow}
        type="button"
      >
        <ChevronUp aria-hidden="true" size={12} />
        {count.toLocaleString('en')} {noun}
      </button>
    </div>
  )
}
