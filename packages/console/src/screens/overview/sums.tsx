import { useMemo } from 'react'
import { BarsCard } from '../../charts/bars-card.tsx'
import { useRouter } from '../../router/use-router.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { barDays } from './bar-days.ts'
import { BudgetCard } from './budget-card.tsx'
import { budgetRows } from './budget-rows.ts'
import { LatestCard } from './latest-card.tsx'
import { NumberStrip } from './number-strip.tsx'
import type { Range } from './range.ts'
import { ReasonsCard, VendorsCard } from './top-cards.tsx'
import { useHeldNote } from './use-held-note.ts'
import type { useSums } from './use-sums.ts'

interface SumsProps {
  readonly sums: ReturnType<typeof useSums>
  readonly range: Range
  readonly now: number
}

/** The numbers, the chart and the lists. Old ones stay, paler, while new ones load. */
export function Sums({ sums, range, now }: SumsProps) {
  const { currency, currencies, rows, error } = sums
  const router = useRouter()
  const heldNote = useHeldNote(currencies.length)
  const days = useMemo(() => barDays(range, currency, rows), [range, currency, rows])
  const budgets = budgetRows(rows.mandates, sums.forecast, new Date(now))
  const title = range.interval === 'week' ? 'Spend per week' : 'Spend per day'
  const { isPending, isLoadingError } = sums.mandates
  const budgetCard = <BudgetCard isLoading={isPending} isUnknown={isLoadingError} rows={budgets} />
  // Budgets and decisions are known without the sums.
  if (error !== null) {
    return (
      <div className="grid items-start gap-4 desk:grid-cols-2 print:grid-cols-2">
        {budgetCard}
        <LatestCard />
      </div>
    )
  }
  return (
    <div
      aria-busy={sums.isOld}
      className={`flex flex-col gap-4 transition-opacity duration-(--m-base) print:gap-2.5 ${sums.isOld ? 'opacity-60' : ''}`}
    >
      {sums.isLoading ? <Skeleton shape="block" height={92} /> : null}
      {sums.isLoading
        ? null
        : sums.numbers.map((numbers) => (
            <NumberStrip
              key={numbers.currency}
              line={barDays(range, numbers.currency, rows).map((day) => day.spent)}
              {...{ numbers, range, heldNote, exposureUntil: sums.exposureUntil }}
            />
          ))}
      <div className="grid gap-4 desk:grid-cols-[minmax(0,63fr)_minmax(0,37fr)] print:grid-cols-[minmax(0,60fr)_minmax(0,40fr)] print:gap-2.5">
        <BarsCard
          days={days}
          label={`${title}, ${range.days} days`}
          loading={sums.isLoading}
          onOpen={(day) => {
            if (day.href) void router.navigate({ href: day.href })
          }}
          title={currencies.length > 1 ? `${title}, ${currency}` : title}
          unit={currency}
        />
        {budgetCard}
      </div>
      <div className="grid gap-4 tablet:grid-cols-2 desk:grid-cols-3 print:grid-cols-[4fr_5fr_6fr] print:gap-2.5">
        <ReasonsCard
          rows={sums.codes}
          {...{ range, currency, currencies, isLoading: sums.isLoading }}
        />
        <VendorsCard rows={sums.vendors} {...{ range, currency, isLoading: sums.isLoading }} />
        <LatestCard />
      </div>
    </div>
  )
}
