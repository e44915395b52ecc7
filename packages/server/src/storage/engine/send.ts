import { type PoolClient, Query } from 'pg'
import { noteRead } from './full-disk.ts'
import type { Statement } from './queryable.ts'
import type { Answer } from './trip.ts'

/**
 * Passes a Query object to the driver. It would copy a plain object property by property, which costs
 * more CPU than everything else about a short statement.
 */
export function sendAlone<Row>(
  client: PoolClient,
  { name, text, values, timeoutMs }: Statement,
): Promise<Answer<Row>> {
  return new Promise((resolve, reject) => {
    const callback = (error: Error | null, result: Answer<Row>): void => {
      if (error) noteRead(error, text)
      if (error) reject(error)
      else resolve(result)
    }
    const query = new Query(text, values && [...values])
    client.query(Object.assign(query, { name, callback, query_timeout: timeoutMs }))
  })
}
