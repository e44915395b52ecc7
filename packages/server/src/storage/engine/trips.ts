import type { PoolClient } from 'pg'
import { joinWrites } from './joined-writes.ts'
import type { Statement } from './queryable.ts'
import { sendAlone } from './send.ts'
import { type Answer, type Passenger, sendTrip } from './trip.ts'

/** Sends the statements of a transaction in trips: those of the same tick travel together. */
export interface Trips {
  add<Row>(statement: Statement): Promise<Answer<Row>>
  /** Sends the waiting statements at once. */
  depart(): void
}

export function createTrips(client: PoolClient): Trips {
  const join = joinWrites(client)
  let waiting: Passenger[] = []

  function depart(): void {
    if (waiting.length === 0) return
    const passengers = waiting
    waiting = []
    sendTrip(client, passengers)
  }

  return {
    depart,
    add<Row>(statement: Statement) {
      if (isText(statement)) {
        depart()
        join()
        return sendAlone<Row>(client, statement)
      }
      return new Promise<Answer<Row>>((resolve, reject) => {
        if (waiting.length === 0) process.nextTick(depart)
        waiting.push({ statement, resolve, reject } as Passenger)
      })
    },
  }
}

/** A text without a name or values may hold several commands, which only the driver can send. */
function isText({ name, values, timeoutMs }: Statement): boolean {
  return timeoutMs !== undefined || (name === undefined && !(values && values.length > 0))
}
