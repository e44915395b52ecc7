/** How long judging may block everything else in this process. */
const TURN_MS = 8

/** A stretch of judging, after which other waiting work of this process gets its turn. */
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
