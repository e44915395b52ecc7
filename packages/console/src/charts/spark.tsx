import { linePath, sparkPoints } from './spark-points.ts'

export interface SparkProps {
  values: readonly number[]
  width?: number | undefined
  height?: number | undefined
  /** Grey, where falling is good. */
  quiet?: boolean | undefined
}

/** A line of the last days. Readers do not hear it: the text beside it says the same. */
export function Spark({ values, width = 104, height = 34, quiet = false }: SparkProps) {
  const points = sparkPoints(values, width, height)
  const last = points.at(-1)
  const colour = quiet ? 'stroke-ink-3' : 'stroke-chart-spent'
  return (
    <svg aria-hidden="true" className="block shrink-0" height={height} width={width}>
      <path
        className={`${colour} forced-colors:stroke-[CanvasText]`}
        d={linePath(points)}
        fill="none"
        strokeLinejoin="round"
        strokeWidth="1.5"
      />
      {last && (
        <circle
          className={`${quiet ? 'fill-ink-3' : 'fill-chart-spent'} forced-colors:fill-[CanvasText]`}
          cx={last[0]}
          cy={last[1]}
          r="2.4"
        />
      )}
    </svg>
  )
}
