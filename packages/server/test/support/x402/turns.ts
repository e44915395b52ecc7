/** Runs what it is given one after the other, in the order in which it came. */
export type TakeTurn = <Result>(run: () => Promise<Result>) => Promise<Result>

/**
 * For the transactions of one account: each needs the next number, and viem's own nonce manager gives
 * out a number twice when one transaction is mined while another asks for its number.
 */
export function createTurns(): TakeTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (run) => {
    const turn = last.then(run)
    // Whoever waits for this turn hears of its failure; the next one only has to know that it is over.
    last = turn.catch(() => {})
    return turn
  }
}
