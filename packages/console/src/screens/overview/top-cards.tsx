import type { AnalyticsRow } from '@purser/sdk'
import type { ReactNode } from 'react'
import { Ranked, type RankedRow } from '../../charts/ranked.tsx'
import { Amount } from '../../parts/amount.tsx'
import { Link } from '../../router/link.tsx'
import { Card, CardHeader } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { formatCount } from '../../words/money.ts'
import { codeWord } from '../../words/words.ts'
import { isStray } from './numbers.ts'
import type { Range } from './range.ts'

interface TopCardProps {
  readonly rows: readonly AnalyticsRow[]
  readonly range: Range
  readonly currency: string
  readonly isLoading: boolean
}

interface ReasonsCardProps extends TopCardProps {
  /** The currencies that have a line. The first one also counts the rejected spends of others. */
  readonly currencies: readonly string[]
}

/** Why spends were rejected, the most frequent reason first. */
export function ReasonsCard(props: ReasonsCardProps) {
  const { rows, range, currency, currencies, isLoading } = props
  const isFirst = currency === currencies[0]
  const own = rows.filter(
    (row) => row.currency === currency || (isFirst && isStray(row.currency, currencies)),
  )
  const ranked = byCode(own).map(
    ([code, count]): RankedRow => ({
      ...{ key: code, value: count, figure: formatCount(count) },
      label: code === OTHER ? 'Other reasons' : codeWord(code),
      render: (
        <Link
          to="/transactions"
          search={{
            ...{ decision: 'rejected', from: range.from, to: range.to },
            ...(code === OTHER ? {} : { code }),
          }}
        />
      ),
    }),
  )
  return (
    <TopCard
      {...{ isLoading }}
      title="Top rejection reasons"
      empty="No spend was rejected in these days."
    >
      {ranked.length > 0 ? (
        <Ranked caption="Top rejection reasons" kind="rejected" rows={ranked} />
      ) : null}
    </TopCard>
  )
}

const OTHER = ''
const SHOWN = 5

/**
 * The counts of each reason, added up over spends with and without a currency. The last row has the
 * reasons that are not shown, so the rows add up to all rejected spends.
 */
function byCode(rows: readonly AnalyticsRow[]): [code: string, count: number][] {
  const counts = new Map<string, number>()
  for (const row of rows) {
    const code = row.group?.code ?? OTHER
    counts.set(code, (counts.get(code) ?? 0) + (row.count ?? 0))
  }
  const unnamed = counts.get(OTHER) ?? 0
  counts.delete(OTHER)
  const sorted = [...counts].sort((a, b) => b[1] - a[1])
  if (unnamed === 0 && sorted.length <= SHOWN) return sorted
  const shown = sorted.slice(0, SHOWN - 1)
  const rest = sorted.slice(SHOWN - 1).reduce((sum, [, count]) => sum + count, unnamed)
  return [...shown, [OTHER, rest]]
}

/** Where the money went. */
export function VendorsCard({ rows, range, currency, isLoading }: TopCardProps) {
  const own = rows.filter((row) => row.currency === currency)
  const ranked = own.map((row): RankedRow => {
    const vendor = row.group?.vendor ?? null
    const net = row.net ?? 0
    const days = { from: range.from, to: range.to, decision: 'approved' }
    return {
      ...{ key: vendor ?? 'others', value: net },
      label: row.isOther || vendor === null ? 'All others' : <bdi>{vendor}</bdi>,
      figure: <Amount value={net} currency={currency} />,
      render: <Link to="/transactions" search={vendor === null ? days : { ...days, vendor }} />,
    }
  })
  return (
    <TopCard
      {...{ isLoading }}
      title="Top vendors"
      note="net of refunds"
      empty="Nothing was spent in these days."
    >
      {ranked.length > 0 ? <Ranked caption="Top vendors" rows={ranked} width={56} /> : null}
    </TopCard>
  )
}

interface FrameProps {
  readonly title: string
  readonly note?: string
  readonly empty: string
  readonly isLoading: boolean
  readonly children: ReactNode
}

function TopCard({ title, note, empty, isLoading, children }: FrameProps) {
  const nothing = <p className="px-3.5 py-8 text-center text-ink-2">{empty}</p>
  return (
    <Card aria-label={title}>
      <CardHeader title={title} action={note} />
      {isLoading ? <Skeleton rows={5} shape="table" /> : (children ?? nothing)}
    </Card>
  )
}
