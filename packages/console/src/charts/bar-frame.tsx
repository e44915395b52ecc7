import type { ReactNode } from 'react'
import type { BarDay } from './bar-day.ts'
import { AXIS, AXIS_TEXT, GRID } from './hatch.tsx'
import { axisText, type BarScales, LEFT, labelEvery } from './scales.ts'

interface BarFrameProps {
  days: readonly BarDay[]
  scales: BarScales
  size: { width: number; height: number }
  label: string
  emptyText?: string | undefined
  /** How many grey bars of equal height stand for days that load. */
  ghosts?: number | undefined
  children?: ReactNode
}

/** Grid, axis and labels around the bars. */
export function BarFrame(props: BarFrameProps) {
  const { days, scales, size, label, emptyText, ghosts = 0, children } = props
  const every = labelEvery(days.length, scales.column(0).width)
  const isBlank = emptyText !== undefined || ghosts > 0
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot hold a drawing.
    <svg
      aria-busy={ghosts > 0}
      aria-label={label}
      // Paper may be narrower than the window: the drawing shrinks as a whole then.
      className="block h-auto max-w-full"
      height={size.height}
      role="group"
      viewBox={`0 0 ${size.width} ${size.height}`}
      width={size.width}
    >
      {!isBlank &&
        scales.ticks.map((tick) => (
          <g key={tick}>
            <line
              className={GRID}
              x1={LEFT}
              x2={scales.right}
              y1={scales.y(tick)}
              y2={scales.y(tick)}
            />
            <text className={AXIS_TEXT} textAnchor="end" x={LEFT - 8} y={scales.y(tick) + 4}>
              {axisText(tick)}
            </text>
          </g>
        ))}
      <text className="fill-ink-2 text-micro" textAnchor="end" x={LEFT - 8} y={scales.zero + 4}>
        0
      </text>
      {children}
      {Array.from({ length: ghosts }, (_, index) => index).map((index) => (
        <rect
          className="fill-chart-ghost"
          height={scales.zero - scales.y(2.2)}
          key={index}
          opacity=".55"
          rx="2.5"
          width={scales.barWidth}
          x={scales.column(index).center - scales.barWidth / 2}
          y={scales.y(2.2)}
        />
      ))}
      <line
        className={AXIS}
        x1={LEFT}
        x2={scales.right}
        y1={scales.zero + 0.5}
        y2={scales.zero + 0.5}
      />
      {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: the labels of an axis cannot have the focus. */}
      <g aria-hidden="true">
        {days.map((day, index) =>
          index % every === 0 ? (
            <text
              className={AXIS_TEXT}
              key={day.key}
              textAnchor="middle"
              x={scales.column(index).center}
              y={size.height - 5}
            >
              {day.tick}
            </text>
          ) : null,
        )}
      </g>
      {emptyText !== undefined && (
        <text
          className="fill-ink-2 text-body forced-colors:fill-[CanvasText]"
          textAnchor="middle"
          x={(LEFT + scales.right) / 2}
          y={scales.zero / 2 + 6}
        >
          {emptyText}
        </text>
      )}
    </svg>
  )
}
