import { useId } from 'react'
import { Hatch, HELD_EDGE, HOLLOW, SPENT } from './hatch.tsx'

export interface LegendProps {
  spent?: string | undefined
  held?: string | undefined
  rejected?: string | undefined
}

/** The meaning of a chart's fills. A missing word is left out. */
export function Legend({
  spent = 'Spent',
  held = 'Held',
  rejected = 'Rejected, below the line',
}: LegendProps) {
  const id = useId()
  return (
    <ul className="flex flex-wrap gap-x-3.5 gap-y-0.5 text-small text-ink-2">
      <Entry text={spent}>
        <rect className={SPENT} height="10" rx="2" width="14" />
      </Entry>
      <Entry text={held}>
        <Hatch colour="held" id={id} />
        <rect
          className={HELD_EDGE}
          fill={`url(#${id})`}
          height="9"
          rx="2"
          width="13"
          x=".5"
          y=".5"
        />
      </Entry>
      <Entry text={rejected}>
        <rect className={HOLLOW} height="8.5" rx="2" width="12.5" x=".75" y=".75" />
      </Entry>
    </ul>
  )
}

function Entry({ text, children }: { text: string; children: React.ReactNode }) {
  if (text === '') return null
  return (
    <li className="inline-flex items-center gap-1.5">
      <svg aria-hidden="true" height="10" viewBox="0 0 14 10" width="14">
        {children}
      </svg>
      {text}
    </li>
  )
}
