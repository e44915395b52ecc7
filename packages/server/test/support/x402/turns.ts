/** Runs functions one after the other, in the order of their calls. */
export type TakeTurn = <Result>(run: () => Promise<Result>) => Promise<Result>

/**
 * For the transactions of one account. Each needs the next nonce, and viem's own nonce manager
 * returns a nonce twice if one transaction is mined while a second one requests its nonce.
 */
export function createTurns(): TakeTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (run) => {
    const turn = last.then(run)
    // The caller of this turn sees its failure; the next turn only has to know that it is over.
    last = turn.catch(() => {})
    return turn
  }
}
