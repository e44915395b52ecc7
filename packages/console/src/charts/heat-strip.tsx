import type { MouseEvent } from 'react'
import { useWidth } from '../ui/use-width.ts'
import { DataTable } from './data-table.tsx'
import { SPENT } from './hatch.tsx'
import { useRoving } from './use-roving.ts'

export interface HeatDay {
  key: string
  /** "Fri 13 November" */
  label: string
  /** All spends of the day, also those that were refused. */
  spends: number
  refused: number
  href?: string | undefined
}

export interface HeatStripProps {
  days: readonly HeatDay[]
  label: string
  height?: number | undefined
  onOpen?: ((day: HeatDay) => void) | undefined
  /** Inside a row of a table: one picture with one name, no stops for the keyboard. */
  still?: boolean | undefined
  asTable?: boolean | undefined
}

/** Days side by side: the height is the number of spends, the red foot the share refused. */
export function HeatStrip(props: HeatStripProps) {
  const { days, label, height = 36, still = false, asTable = false } = props
  const [ref, width] = useWidth()
  if (asTable) return <HeatTable days={days} label={label} />
  return (
    <div className="relative min-w-0" ref={ref} style={{ minHeight: height }}>
      {width > 0 &&
        (still ? (
          <svg aria-label={label} className="block" height={height} role="img" width={width}>
            {days.map((day, index) => (
              <Mark {...{ day, index, days, width, height }} key={day.key} />
            ))}
          </svg>
        ) : (
          <Strip {...props} height={height} width={width} />
        ))}
    </div>
  )
}

function Strip(props: HeatStripProps & { width: number; height: number }) {
  const { days, label, width, height, onOpen } = props
  const roving = useRoving(days.length)
  const active = roving.active === null ? undefined : days[roving.active]
  function open(event: MouseEvent, day: HeatDay) {
    if (!onOpen || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    onOpen(day)
  }
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot hold a drawing. */}
      <svg
        aria-label={`${label}. Arrow keys read the days.`}
        className="block overflow-visible"
        height={height}
        role="group"
        width={width}
      >
        {days.map((day, index) => (
          <a
            aria-label={heatSentence(day)}
            className="outline-none focus-visible:outline-none"
            href={day.href}
            key={day.key}
            onClick={(event) => open(event, day)}
            role={day.href === undefined ? 'img' : 'link'}
            {...roving.props(index)}
          >
            <Mark {...{ day, index, days, width, height }} active={roving.active === index} />
          </a>
        ))}
      </svg>
      {/* The line keeps its place, so that nothing moves when it is filled. */}
      <div aria-hidden="true" className="mt-1 min-h-4 text-small text-ink-2" data-print="none">
        {active && heatSentence(active)}
      </div>
    </>
  )
}

interface MarkProps {
  day: HeatDay
  index: number
  days: readonly HeatDay[]
  width: number
  height: number
  active?: boolean
}

function Mark({ day, index, days, width, height, active = false }: MarkProps) {
  const step = width / days.length
  const most = Math.max(1, ...days.map(({ spends }) => spends))
  const inner = height - 2
  const tall = day.spends === 0 ? 0 : Math.max(3, (day.spends / most) * inner)
  const foot =
    day.refused === 0 ? 0 : Math.min(tall, Math.max(3, (day.refused / day.spends) * tall))
  const x = index * step + 0.75
  const wide = Math.max(1, step - 1.5)
  const ground = active
    ? 'fill-accent-soft stroke-focus stroke-2 forced-colors:stroke-[Highlight]'
    : 'fill-chart-grid forced-colors:fill-[Canvas] forced-colors:stroke-[GrayText]'
  return (
    <>
      <rect className={ground} height={inner} rx="1.5" width={wide} x={x} y="1" />
      {tall > 0 && (
        <rect
          className={SPENT}
          height={tall}
          opacity={(0.3 + 0.7 * (day.spends / most)).toFixed(2)}
          rx="1.5"
          width={wide}
          x={x}
          y={height - 1 - tall}
        />
      )}
      {foot > 0 && (
        <rect
          className="fill-chart-no forced-colors:fill-[Mark]"
          height={foot}
          rx="1"
          width={wide}
          x={x}
          y={height - 1 - foot}
        />
      )}
    </>
  )
}

function heatSentence(day: HeatDay): string {
  const spends = day.spends === 1 ? '1 spend' : `${day.spends} spends`
  return `${day.label}: ${spends}, ${day.refused} rejected`
}

function HeatTable({ days, label }: { days: readonly HeatDay[]; label: string }) {
  return (
    <DataTable
      caption={label}
      columns={[
        { id: 'day', header: 'Day', text: (day: HeatDay) => day.label, order: (day) => day.key },
        {
          id: 'spends',
          header: 'Spends',
          align: 'right',
          text: (day) => String(day.spends),
          order: (day) => day.spends,
        },
        {
          id: 'refused',
          header: 'Rejected',
          align: 'right',
          text: (day) => String(day.refused),
          order: (day) => day.refused,
        },
      ]}
      rowKey={(day) => day.key}
      rows={days}
    />
  )
}
