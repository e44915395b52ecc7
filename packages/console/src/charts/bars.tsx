import { lazy, type MouseEvent, Suspense, useId } from 'react'
import { useWidth } from '../ui/use-width.ts'
import { type BarDay, mostOf } from './bar-day.ts'
import { BarFrame } from './bar-frame.tsx'
import { BarMarks } from './bar-marks.tsx'
import { BarReadout, BarTip, TIP_WIDTH } from './bar-tip.tsx'
import { Hatch } from './hatch.tsx'
import { type BarScales, barScales, daysShown, tipPlace } from './scales.ts'
import { useRoving } from './use-roving.ts'

export type { BarDay } from './bar-day.ts'

export interface BarsProps {
  days: readonly BarDay[]
  /** "Spend per day, 30 days" */
  label: string
  height?: number | undefined
  /** Opens the list of a day. Without it the link of the day is followed. */
  onOpen?: ((day: BarDay) => void) | undefined
  loading?: boolean | undefined
  emptyText?: string | undefined
  /** Shows the days as a table. */
  asTable?: boolean | undefined
  /** Behind the names of the columns of the table: "USD". */
  unit?: string | undefined
}

/** Few people ask for the table, so its code loads when it is wanted. */
const BarTable = lazy(() => import('./bar-table.tsx').then((it) => ({ default: it.BarTable })))

const NARROW = 420

/** Money over time: spent, held on top, rejected hollow below the line. */
export function Bars(props: BarsProps) {
  const { label, height = 262, loading = false, asTable = false } = props
  const [ref, width] = useWidth()
  const days = props.days.slice(-daysShown(props.days.length, width))
  if (asTable) {
    return (
      <Suspense fallback={<div style={{ height }} />}>
        <BarTable days={props.days} label={label} unit={props.unit} />
      </Suspense>
    )
  }
  return (
    <figure className="relative min-w-0" ref={ref}>
      {width === 0 ? (
        <div style={{ height }} />
      ) : loading ? (
        <BarFrame
          days={[]}
          ghosts={14}
          label={label}
          scales={ghostScales(width, height)}
          size={{ width, height }}
        />
      ) : (
        <Chart {...props} days={days} size={{ width, height }} />
      )}
    </figure>
  )
}

function ghostScales(width: number, height: number): BarScales {
  return barScales(14, width, height, { up: 4, down: 1 })
}

interface ChartProps extends BarsProps {
  size: { width: number; height: number }
}

function Chart({ days, label, size, onOpen, emptyText }: ChartProps) {
  const hatchId = useId()
  const roving = useRoving(days.length)
  const most = mostOf(days)
  const scales = barScales(days.length, size.width, size.height, most)
  const isEmpty = most.up === 0 && most.down === 0
  const isNarrow = size.width < NARROW
  const active = roving.active === null ? undefined : days[roving.active]
  const column = roving.active === null ? undefined : scales.column(roving.active)
  const place = column && !isNarrow ? tipPlace(column, size.width, TIP_WIDTH) : null

  function open(event: MouseEvent, day: BarDay) {
    if (!onOpen || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    onOpen(day)
  }
  return (
    <>
      <BarFrame
        days={days}
        emptyText={isEmpty ? (emptyText ?? 'Nothing was spent in these days.') : undefined}
        label={`${label}. Arrow keys read the days, Enter opens the list of a day.`}
        scales={scales}
        size={size}
      >
        <defs>
          <Hatch colour="held" id={hatchId} />
        </defs>
        {days.map((day, index) => {
          const { x, width } = scales.column(index)
          return (
            <a
              aria-label={day.sentence}
              className="outline-none focus-visible:outline-none"
              href={day.href}
              key={day.key}
              onClick={(event) => open(event, day)}
              role={day.href === undefined ? 'img' : 'link'}
              {...roving.props(index)}
            >
              <rect
                className={
                  roving.active === index
                    ? 'fill-accent-soft forced-colors:fill-none forced-colors:stroke-[Highlight] forced-colors:stroke-2'
                    : 'fill-transparent'
                }
                height={size.height - 24}
                rx="4"
                width={width}
                x={x}
                y={6}
              />
              <BarMarks {...{ day, index, scales, hatchId }} isLast={index === days.length - 1} />
            </a>
          )
        })}
      </BarFrame>
      {active && place && <BarTip day={active} place={place} />}
      {isNarrow && <BarReadout day={active} />}
    </>
  )
}
