import { type ReactNode, useId } from 'react'
import { Tooltip } from '../ui/tooltip.tsx'
import { useWidth } from '../ui/use-width.ts'
import { Hatch } from './hatch.tsx'
import {
  FULL_SCALE,
  type MeterAmounts,
  type MeterShape,
  meterShape,
  WARNS_AT,
} from './meter-shape.ts'

export interface MeterProps extends MeterAmounts {
  /** The sentence: "64 % used. Lasts until 1 December." Readers hear it, and it stands below. */
  label: string
  /** The name of the budget, for screen readers. */
  name?: string | undefined
  /** The line below, where it holds more than the sentence. Null: none, because it is said beside. */
  children?: ReactNode
  /** Exact figures for the tooltip. */
  details?: readonly { label: string; text: string }[] | undefined
  /** A small meter for a row of a table: no forecast, no marks but the end. */
  mini?: boolean | undefined
}

const FILL = {
  spent: 'fill-chart-spent',
  ask: 'fill-ask-fill',
  no: 'fill-no-fill',
}

/** How much of a budget is used: spent solid, held hatched, forecast dashed, marks at 80 and 100 %. */
export function Meter(props: MeterProps) {
  const { label, name, children, details, mini = false, ...amounts } = props
  const [ref, width] = useWidth()
  const shape = meterShape(amounts)
  const drawing = (
    // biome-ignore lint/a11y/useSemanticElements: browsers draw the meter element themselves.
    <div
      aria-label={name ?? 'Budget used'}
      aria-valuemax={100}
      aria-valuemin={0}
      aria-valuenow={shape.percent}
      aria-valuetext={label}
      className={mini ? 'h-3' : 'h-6.5'}
      ref={ref}
      role="meter"
      tabIndex={details ? 0 : undefined}
    >
      {width > 0 &&
        (mini ? <Mini shape={shape} width={width} /> : <Full shape={shape} width={width} />)}
    </div>
  )
  return (
    <div className="min-w-0">
      {details ? (
        <Tooltip content={<Details rows={details} />} delay={100}>
          {drawing}
        </Tooltip>
      ) : (
        drawing
      )}
      {children === undefined ? (
        <div aria-hidden="true" className="text-small text-ink-2">
          {label}
        </div>
      ) : (
        children
      )}
    </div>
  )
}

interface DrawingProps {
  shape: MeterShape
  width: number
}

function Full({ shape, width }: DrawingProps) {
  const id = useId()
  const track = width / FULL_SCALE
  const used = track * (shape.spent + shape.held)
  const end = shape.forecast === null ? null : Math.min(track * shape.forecast, width - 6)
  const mark = track * WARNS_AT
  return (
    <svg
      aria-hidden="true"
      className="block max-w-full"
      height="26"
      preserveAspectRatio="none"
      viewBox={`0 0 ${width} 26`}
      width={width}
    >
      <Track {...{ shape, track, id }} height={9} y={8} />
      {end !== null && (
        <g className="fill-none stroke-ink-2 stroke-[1.5] forced-colors:stroke-[CanvasText]">
          <line strokeDasharray="2 3" x1={used + 3} x2={end} y1="12.5" y2="12.5" />
          <path d={`M${end} 9l4 3.5-4 3.5`} />
        </g>
      )}
      <line
        className="stroke-ink-3 forced-colors:stroke-[CanvasText]"
        x1={mark}
        x2={mark}
        y1="4"
        y2="20"
      />
      <line
        className="stroke-ink stroke-[1.5] forced-colors:stroke-[CanvasText]"
        x1={track}
        x2={track}
        y1="2"
        y2="22"
      />
    </svg>
  )
}

function Mini({ shape, width }: DrawingProps) {
  const id = useId()
  return (
    <svg aria-hidden="true" className="block" height="12" width={width}>
      <Track {...{ shape, id }} height={6} track={width} y={3} />
    </svg>
  )
}

interface TrackProps {
  shape: MeterShape
  track: number
  id: string
  y: number
  height: number
}

function Track({ shape, track, id, y, height }: TrackProps) {
  const spent = track * shape.spent
  return (
    <>
      <defs>
        <Hatch colour={shape.tone} id={`${id}-hatch`} />
        <clipPath id={`${id}-clip`}>
          <rect height={height} rx={height / 2} width={track} x="0" y={y} />
        </clipPath>
      </defs>
      <rect
        className="fill-chart-ghost forced-colors:fill-[Canvas] forced-colors:stroke-[CanvasText]"
        height={height}
        opacity=".55"
        rx={height / 2}
        width={track}
        x="0"
        y={y}
      />
      <g clipPath={`url(#${id}-clip)`}>
        <rect
          className={`${FILL[shape.tone]} forced-colors:fill-[CanvasText]`}
          height={height}
          width={spent}
          x="0"
          y={y}
        />
        <rect
          fill={`url(#${id}-hatch)`}
          height={height}
          width={track * shape.held}
          x={spent}
          y={y}
        />
      </g>
    </>
  )
}

function Details({ rows }: { rows: readonly { label: string; text: string }[] }) {
  return (
    <dl className="grid grid-cols-[auto_auto] gap-x-3">
      {rows.map((row) => (
        <div className="contents" key={row.label}>
          <dt className="text-ink-2">{row.label}</dt>
          <dd className="text-right font-medium">{row.text}</dd>
        </div>
      ))}
    </dl>
  )
}
