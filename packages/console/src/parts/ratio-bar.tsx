import { useWidth } from '../ui/use-width.ts'

interface RatioBarProps {
  readonly observed: number
  readonly limit: number
}

const HEIGHT = 14

/** The observed value against the limit: the mark is the limit, the part beyond it is darker. */
export function RatioBar({ observed, limit }: RatioBarProps) {
  const [ref, width] = useWidth()
  const most = Math.max(observed, limit, 1e-6)
  const at = Math.max(0, Math.min(1, limit / most)) * width
  const to = Math.max(0, Math.min(1, observed / most)) * width
  return (
    <div className="mt-1 pl-6.5">
      <div ref={ref}>
        <svg aria-hidden="true" className="block" width="100%" height={HEIGHT}>
          <rect y="4" width={width} height="6" rx="3" className="fill-tone-line" />
          <rect y="4" width={Math.min(at, to)} height="6" rx="3" className="fill-tone-fill/60" />
          {to > at ? (
            <rect x={at} y="4" width={to - at} height="6" className="fill-tone-fill" />
          ) : null}
          <rect x={Math.max(0, at - 0.75)} width="1.5" height={HEIGHT} className="fill-ink" />
        </svg>
      </div>
    </div>
  )
}
