import type { BarDay } from './bar-day.ts'
import type { TipPlace } from './scales.ts'

export const TIP_WIDTH = 172

/** The figures of a day, beside its column. Screen readers have them from the column itself. */
export function BarTip({ day, place }: { day: BarDay; place: TipPlace }) {
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute top-2.5 w-43 rounded-2 border border-line bg-raised px-2.75 py-2.25 text-small leading-[1.1rem] text-ink shadow-2"
      data-print="none"
      style={{ left: place.x }}
    >
      <b>{day.label}</b>
      <dl className="mt-0.75 grid grid-cols-[1fr_auto] gap-x-2">
        <dt className="text-ink-2">Spent</dt>
        <dd className="text-right font-medium">{day.spentText}</dd>
        <dt className="text-ink-2">Held</dt>
        <dd className="text-right font-medium">{day.heldText}</dd>
        <dt className="text-ink-2">Rejected</dt>
        <dd className="text-right font-medium">{day.rejectedText}</dd>
      </dl>
      {day.hint !== undefined && <div className="mt-1.25 text-micro text-ink-3">{day.hint}</div>}
    </div>
  )
}

/** The same in a line under a chart that is too narrow for a tooltip. Its place is always kept. */
export function BarReadout({ day }: { day: BarDay | undefined }) {
  return (
    <div aria-hidden="true" className="min-h-8 px-1 text-small text-ink-2" data-print="none">
      {day && (
        <>
          <b className="text-ink">{day.label}</b>: {day.spentText} spent, {day.heldText} held,{' '}
          {day.rejectedText} rejected
        </>
      )}
    </div>
  )
}
