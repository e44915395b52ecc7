/** Runs functions one after the other, in the order in which they came. */
export type TakeTurn = <Result>(run: () => Promise<Result>) => Promise<Result>

/**
 * For the transactions of one account. Each needs the next number, and viem's own nonce manager
 * returns a number twice when one transaction is mined while another asks for its number.
 */
export function createTurns(): TakeTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (run) => {
    const turn = last.then(run)
    // Whoever waits for this turn sees its failure; the next turn only has to know that it is over.
    last = turn.catch(() => {})
    return turn
  }
}
