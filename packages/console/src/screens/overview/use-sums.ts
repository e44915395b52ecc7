import { PurserError } from '@purser/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { queries } from '../../data/queries.ts'
import { asPurserError } from '../../data/use-action.ts'
import { currenciesOf, type NumberRows, numbersOf } from './numbers.ts'
import { type Range, rangeBefore } from './range.ts'

/** The first count of an organization's sums takes a while: ask again until it is done. */
const NOT_READY_MS = 10_000
/** One more row adds up the others. */
const TOP = 4
/** All codes: a reason of two currencies is ranked by the sum of both. */
const CODES_TOP = 100

/** Every sum of the overview. Sums of a new range replace the old ones when all are there. */
export function useSums(range: Range, ownCurrency: string, wanted: string | undefined) {
  const { from, to, interval } = range
  const days = { from, to }
  const spend = useSpend({ ...days, interval })
  const before = useSpend(rangeBefore(range))
  const rejections = useSpend({ ...days, interval, metric: 'rejections' })
  const codes = useSpend({ ...days, metric: 'rejections', groupBy: 'code', top: CODES_TOP })
  const vendors = useSpend({ ...days, groupBy: 'vendor', top: TOP })
  const exposure = useSpend({ metric: 'exposure' })
  const forecast = useSpend({ metric: 'forecast', groupBy: 'mandate', top: 100 })
  const mandates = useQuery(queries.activeMandates())

  const all = [spend, before, rejections, codes, vendors]
  // Sums that are there stay while a later refetch fails.
  const failed = all.find((query) => query.isLoadingError)
  const error = asPurserError(failed?.error)
  const rows: NumberRows = {
    spend: spend.data?.data ?? [],
    before: before.data?.data ?? [],
    rejections: rejections.data?.data ?? [],
    exposure: exposure.data?.data,
    mandates: mandates.data ?? [],
  }
  const currencies = currenciesOf(rows, ownCurrency)
  const currency = currencies.find((one) => one === wanted) ?? currencies[0] ?? ownCurrency
  return {
    ...{ rows, currencies, currency, error, mandates },
    numbers: currencies.map((one, index) => numbersOf(rows, one, index === 0)),
    codes: codes.data?.data ?? [],
    vendors: vendors.data?.data ?? [],
    forecast: forecast.data?.data,
    exposureUntil: exposure.data?.to,
    /** Whether the shown sums belong to the earlier range. */
    isOld: all.some((query) => query.isPlaceholderData),
    isLoading: all.some((query) => query.isPending) || mandates.isPending,
    isNotReady: error !== null && isNotReady(error),
    /** Up to when everything is counted; undefined if nothing is missing. */
    countedUpTo: spend.data?.isCurrent === false ? (spend.data.asOfAt ?? undefined) : undefined,
    retry: () => {
      for (const query of all) if (query.isLoadingError) void query.refetch()
    },
  }
}

function useSpend(query: Parameters<typeof queries.analytics>[0]) {
  return useQuery({
    ...queries.analytics(query),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (isNotReady(state.error) ? NOT_READY_MS : false),
  })
}

function isNotReady(error: unknown): boolean {
  return PurserError.is(error) && error.code === 'analytics_not_ready'
}
