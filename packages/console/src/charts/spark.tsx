import { scaleLinear } from 'd3-scale'
import { line } from 'd3-shape'

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
        d={line()(points) ?? undefined}
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

/** From the smallest to the largest value. A line without values or without change lies low. */
export function sparkPoints(
  values: readonly number[],
  width: number,
  height: number,
): [number, number][] {
  const shown = values.length > 1 ? values : [values[0] ?? 0, values[0] ?? 0]
  const low = Math.min(...shown)
  const high = Math.max(...shown)
  const x = scaleLinear([0, shown.length - 1], [2, width - 5])
  const y = scaleLinear([low, high === low ? low + 1 : high], [height - 4, 4])
  return shown.map((value, index) => [x(index), y(value)])
}
