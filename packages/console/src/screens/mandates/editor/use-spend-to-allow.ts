import type { Transaction } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { queries } from '../../../data/queries.ts'
import { later, useLater } from '../../../ui/later.ts'
import type { exceptionFor } from './form/exception.ts'

/** A rejected spend that the form should let pass. */
export interface SpendToAllow {
  readonly spend: Transaction
  readonly exceptionFor: typeof exceptionFor
}

/** Few forms begin with a rejected spend, so the code for it loads with the spend. */
const exception = later(() => import('./form/exception.ts'))

/** The spend that `?from=` names. */
export function useSpendToAllow(id: string | undefined) {
  const isNamed = id !== undefined
  const { data: spend, isPending } = useQuery({
    ...queries.transaction(id ?? ''),
    enabled: isNamed,
  })
  const part = useLater(exception, isNamed)
  const from: SpendToAllow | undefined =
    spend && part ? { spend, exceptionFor: part.exceptionFor } : undefined
  return { from, isPending: isNamed && (isPending || part === undefined) }
}
