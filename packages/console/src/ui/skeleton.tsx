import { cx } from './cx.ts'
import { useDelayed } from './use-delayed.ts'

export interface SkeletonProps {
  /** Lines of text, or rows of a table. */
  rows?: number | undefined
  /** `lines` of text, rows of a `table` (40 px each), or one `block` that fills its place. */
  shape?: 'lines' | 'table' | 'block' | undefined
  /** The height of a block in pixels. */
  height?: number | undefined
  /** Waits 150 ms before it shows, so that a fast answer does not flicker. */
  wait?: boolean | undefined
}

const LINE_WIDTHS = ['w-[62%]', 'w-[88%]', 'w-[44%]', 'w-[73%]']
const BAR = 'block rounded-1 bg-done-soft'

/** Grey bars of the height that the real thing will have. */
export function Skeleton({ rows = 3, shape = 'lines', height = 120, wait = true }: SkeletonProps) {
  const isShown = useDelayed(true) || !wait
  const numbers = Array.from({ length: rows }, (_, index) => index)
  return (
    <div className={cx('w-full', !isShown && 'invisible')}>
      <span className="sr-only">Loading</span>
      {shape === 'block' && (
        <span aria-hidden="true" className={`${BAR} w-full`} style={{ height }} />
      )}
      {shape === 'lines' &&
        numbers.map((n) => (
          <span
            aria-hidden="true"
            className={`${BAR} my-2 h-3.5 ${LINE_WIDTHS[n % LINE_WIDTHS.length]}`}
            key={n}
          />
        ))}
      {shape === 'table' &&
        numbers.map((n) => (
          <span
            aria-hidden="true"
            className="flex h-(--row) items-center gap-6 border-b border-line px-3.5 last:border-0"
            key={n}
          >
            <span className={`${BAR} h-3 w-14`} />
            <span className={`${BAR} h-3 ${n % 2 ? 'w-1/3' : 'w-1/4'}`} />
            <span className={`${BAR} ml-auto h-3 w-20`} />
          </span>
        ))}
    </div>
  )
}
