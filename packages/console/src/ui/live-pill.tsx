import { ChevronUp } from 'lucide-react'

export interface LivePillProps {
  /** How many rows wait above the list. None, no pill. */
  count: number
  onShow: () => void
  /** The words behind the number. */
  noun?: string | undefined
}

/** Rows that arrived wait behind this pill, so that nothing moves under the pointer. */
export function LivePill({ count, onShow, noun = 'new' }: LivePillProps) {
  if (count <= 0) return null
  return (
    <div className="relative z-2 h-0 text-center" data-print="none">
      <button
        className="mt-1 inline-flex min-h-6.5 items-center gap-1.25 rounded-full bg-navy py-0 pr-2.75 pl-2 text-small font-medium text-on-navy shadow-2 hover:bg-navy-hover focus-visible:rounded-full pointer-coarse:min-h-11"
        onClick={onShow}
        type="button"
      >
        <ChevronUp aria-hidden="true" size={12} />
        {count.toLocaleString('en')} {noun}
      </button>
    </div>
  )
}
