import type { ListedTransaction } from '@purser/sdk'

interface Pair {
  readonly first: string | undefined
  readonly second: string | undefined
}

/** The first decision, and the first rejection after it. The list is newest first. */
export function pairOf(newestFirst: readonly ListedTransaction[]): Pair {
  const [first, ...later] = newestFirst.toReversed()
  const second = later.find((one) => one.decision === 'rejected')
  return { first: first?.transactionId, second: second?.transactionId }
}
