import { useWidth } from '../ui/use-width.ts'
import { type Bin, binKind } from './bins.ts'
import { DataTable } from './data-table.tsx'
import { AXIS, AXIS_TEXT, SPENT } from './hatch.tsx'
import { linear } from './linear.ts'
import { axisText } from './scales.ts'

export { type Bin, binsOf } from './bins.ts'

export interface DistributionProps {
  bins: readonly Bin[]
  /** The limit now. */
  limit?: number | null | undefined
  /** The limit before. */
  was?: number | null | undefined
  unit: string
  /** "How large the spends of 30 days were" */
  label: string
  height?: number | undefined
  asTable?: boolean | undefined
}

const KIND = {
  within: SPENT,
  newly: 'fill-chart-held forced-colors:fill-[GrayText]',
  beyond: 'fill-none stroke-chart-no stroke-[1.2] forced-colors:stroke-[CanvasText]',
}
const TOP = 18
const FOOT = 20

/** How large spends are, and where a limit cuts. Beyond the limit the bars are hollow. */
export function Distribution(props: DistributionProps) {
  const { bins, limit = null, was = null, unit, label, height = 104, asTable = false } = props
  const [ref, width] = useWidth()
  if (asTable) return <BinTable bins={bins} label={label} unit={unit} />
  const top = bins.at(-1)?.to ?? 1
  const x = linear([0, top], [0, Math.max(1, width)])
  const base = height - FOOT
  const most = Math.max(1, ...bins.map((bin) => bin.count))
  // Roots, so that a single spend beside hundreds can be seen.
  const y = (count: number) => Math.sqrt(count / most) * (base - TOP)
  const ticks = [0, top / 3, (2 * top) / 3, top]
  return (
    <div ref={ref} style={{ height }}>
      {width > 0 && (
        <svg aria-label={label} className="block" height={height} role="img" width={width}>
          {bins.map((bin) => {
            const tall = bin.count === 0 ? 0 : Math.max(2, y(bin.count))
            return (
              <rect
                className={KIND[binKind(bin, limit, was)]}
                height={tall}
                key={bin.from}
                rx={tall === 0 ? 0 : 1.5}
                visibility={tall === 0 ? 'hidden' : undefined}
                width={Math.max(1, x(bin.to) - x(bin.from) - 1.5)}
                x={x(bin.from) + 0.75}
                y={base - tall}
              >
                <title>{`${axisText(bin.from)} to ${axisText(bin.to)} ${unit}: ${bin.count}`}</title>
              </rect>
            )
          })}
          <line className={AXIS} x1={0} x2={width} y1={base + 0.5} y2={base + 0.5} />
          <Limits {...{ limit, was, x, base }} width={width} />
          {ticks.map((tick, index) => (
            <text
              className={AXIS_TEXT}
              key={tick}
              textAnchor={index === 0 ? 'start' : index === ticks.length - 1 ? 'end' : 'middle'}
              x={x(tick)}
              y={height - 5}
            >
              {axisText(Math.round(tick * 100) / 100)}
              {index === ticks.length - 1 ? ` ${unit}` : ''}
            </text>
          ))}
        </svg>
      )}
    </div>
  )
}

interface LimitsProps {
  limit: number | null
  was: number | null
  x: (amount: number) => number
  base: number
  width: number
}

function Limits({ limit, was, x, base, width }: LimitsProps) {
  // The two figures turn away from each other, and from the edge of the drawing.
  const isWasLeft = was !== null && (limit === null || was <= limit)
  const limitX = limit === null ? 0 : Math.min(width - 1, x(limit))
  const wasX = was === null ? 0 : Math.min(width - 1, x(was))
  const isLimitTextLeft = limitX > width - 48 || (was !== null && !isWasLeft)
  return (
    <>
      {was !== null && was !== limit && (
        <>
          <line
            className="stroke-ink-3 forced-colors:stroke-[CanvasText]"
            strokeDasharray="2 3"
            x1={wasX}
            x2={wasX}
            y1={12}
            y2={base}
          />
          <text
            className={AXIS_TEXT}
            textAnchor={isWasLeft ? 'end' : 'start'}
            x={wasX + (isWasLeft ? -5 : 5)}
            y={9}
          >
            was {axisText(was)}
          </text>
        </>
      )}
      {limit !== null && (
        <>
          <line
            className="stroke-ink stroke-[1.5] forced-colors:stroke-[CanvasText]"
            x1={limitX}
            x2={limitX}
            y1={2}
            y2={base}
          />
          <text
            className="fill-ink text-micro font-[550] forced-colors:fill-[CanvasText]"
            textAnchor={isLimitTextLeft ? 'end' : 'start'}
            x={limitX + (isLimitTextLeft ? -5 : 5)}
            y={9}
          >
            {axisText(limit)}
          </text>
        </>
      )}
    </>
  )
}

function BinTable({ bins, label, unit }: { bins: readonly Bin[]; label: string; unit: string }) {
  const filled = bins.filter((bin) => bin.count > 0)
  return (
    <DataTable
      caption={label}
      columns={[
        {
          id: 'size',
          header: `Amount, ${unit}`,
          text: (bin: Bin) => `${axisText(bin.from)} to ${axisText(bin.to)}`,
          order: (bin) => bin.from,
        },
        {
          id: 'count',
          header: 'Spends',
          align: 'right',
          text: (bin) => String(bin.count),
          order: (bin) => bin.count,
        },
      ]}
      rowKey={(bin) => String(bin.from)}
      rows={filled}
    />
  )
}
