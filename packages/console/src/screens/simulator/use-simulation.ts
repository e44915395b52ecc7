import type { PurserError, Simulation, SimulationInput } from '@purser/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { queries } from '../../data/queries.ts'
import { useMe } from '../../data/session.ts'
import { asPurserError } from '../../data/use-action.ts'
import { pastAnswerOf, remember } from './history.ts'
import { inputOf, type SpendFields, searchOf } from './spend.ts'
import { useCurrency } from './use-currency.ts'

/** An answer that is shown for this long was meant, and goes into the list. */
const MEANT_MS = 1_500

interface Simulated {
  /** The request; undefined while a field is missing. */
  readonly input: SimulationInput | undefined
  readonly answer: Simulation | undefined
  readonly error: PurserError | null
  readonly currency: string
  /** The answer is that of the spend before. */
  readonly isOld: boolean
  readonly isLoading: boolean
  readonly isBusy: boolean
  readonly judge: () => void
  /** The address of the spend, as JSON. */
  readonly search: string
}

/** Judges the spend of the address, or a stored decision. The last answer stays until the next. */
export function useSimulation(judged: SpendFields, txn: string | undefined): Simulated {
  const { member } = useMe()
  const input = txn ? { transactionId: txn } : inputOf(judged)
  const simulated = useQuery({
    ...queries.simulation(input ?? {}),
    enabled: input !== undefined,
    placeholderData: keepPreviousData,
  })
  const { data, isPlaceholderData, isError, isPending, isFetching, refetch } = simulated
  const answer = input && !isError ? data : undefined
  const currency = useCurrency(answer?.agentId ?? judged.agent, txn)
  const search = JSON.stringify(txn ? { txn } : searchOf(judged))
  const fresh = isPlaceholderData ? undefined : answer
  const { path } = judged

  useEffect(() => {
    if (!fresh) return
    const told = { search: JSON.parse(search), answer: fresh, currency, path }
    const timer = setTimeout(() => remember(member.id, pastAnswerOf(told)), MEANT_MS)
    return () => clearTimeout(timer)
  }, [fresh, search, currency, path, member.id])

  return {
    ...{ input, answer, currency, search },
    error: input ? asPurserError(simulated.error) : null,
    isOld: isPlaceholderData,
    isLoading: input !== undefined && isPending,
    isBusy: isFetching,
    judge: () => {
      if (input) void refetch()
    },
  }
}
