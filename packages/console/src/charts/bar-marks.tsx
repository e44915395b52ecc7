import type { BarDay } from './bar-day.ts'
import { HELD_EDGE, HOLLOW, SPENT } from './hatch.tsx'
import type { BarScales } from './scales.ts'

interface BarMarksProps {
  day: BarDay
  index: number
  scales: BarScales
  hatchId: string
  /** The height of the newest bar changes smoothly. */
  isLast: boolean
}

const GROWS = 'transition-[y,height] duration-(--m-base) ease-standard'

/** The bar of one day: spent on the line, held on top of it, rejected hollow below. */
export function BarMarks({ day, index, scales, hatchId, isLast }: BarMarksProps) {
  const { zero, y, barWidth } = scales
  const x = scales.column(index).center - barWidth / 2
  const spentTop = day.spent > 0 ? Math.min(y(day.spent), zero - 1.5) : zero
  const heldTop = day.held > 0 ? Math.min(y(day.spent + day.held), spentTop - 2) : spentTop
  const down = day.rejected > 0 ? Math.max(2.5, y(-day.rejected) - zero - 2) : 0
  const moves = isLast ? GROWS : ''
  return (
    <>
      {day.spent > 0 && (
        <rect
          className={`${SPENT} ${moves}`}
          height={zero - spentTop}
          rx={day.held > 0 ? 0 : Math.min(2.5, barWidth / 4)}
          width={barWidth}
          x={x}
          y={spentTop}
        />
      )}
      {day.held > 0 && (
        <rect
          className={`${HELD_EDGE} ${moves}`}
          fill={`url(#${hatchId})`}
          height={Math.max(1, spentTop - heldTop - 1)}
          rx={Math.min(2, barWidth / 4)}
          width={barWidth - 1}
          x={x + 0.5}
          y={heldTop}
        />
      )}
      {down > 0 && (
        <rect
          className={HOLLOW}
          height={down}
          rx={Math.min(2, barWidth / 4)}
          width={Math.max(1, barWidth - 1.5)}
          x={x + 0.75}
          y={zero + 2}
        />
      )}
    </>
  )
}
