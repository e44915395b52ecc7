/** How long judging may keep everything else in this process waiting. */
const TURN_MS = 8

/** A stretch of judging after which everything else that waits in this process gets its turn. */
export interface Turn {
  isOver(): boolean
  giveWay(): Promise<void>
}

export function createTurn(): Turn {
  let begun = performance.now()
  return {
    isOver: () => performance.now() - begun > TURN_MS,
    async giveWay() {
      await new Promise((resolve) => setImmediate(resolve))
      begun = performance.now()
    },
  }
}
