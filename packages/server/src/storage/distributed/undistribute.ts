import type { Database } from '../engine/queryable.ts'
import { allowTriggers } from './allow-triggers.ts'
import { listRegistered, readDistribution } from './distribution.ts'
import { LONG_MS, takingLong } from './long-transaction.ts'
import { listReferences } from './references.ts'

/**
 * Moves all tables back to the coordinator, which needs the disk space for them. Tables with references
 * between them move together. Gateways must be stopped. Can be repeated. Returns the names.
 */
export async function undistributeTables(
  db: Database,
  onTable: (name: string) => void,
): Promise<string[]> {
  const { citus, onWorkers } = await readDistribution(db)
  if (citus === null) return []
  // First, so that a command that was cut off leaves a store that no gateway opens.
  for (const name of await listRegistered(db)) await moveBack(db, name, false, () => {})
  const references = await listReferences(db)
  const isAlone = (name: string): boolean =>
    !references.some(({ from, to }) => from === name || to === name)
  for (const name of onWorkers.filter(isAlone)) await moveBack(db, name, false, onTable)
  for (const name of onWorkers.filter((other) => !isAlone(other))) {
    const { onWorkers: left } = await readDistribution(db)
    if (left.includes(name)) await moveBack(db, name, true, onTable)
  }
  return [...onWorkers]
}

function moveBack(
  db: Database,
  name: string,
  isWithReferences: boolean,
  onTable: (name: string) => void,
): Promise<void> {
  onTable(name)
  return takingLong(db, async (tx) => {
    await allowTriggers(tx)
    await tx.query({
      text: 'select undistribute_table($1::text::regclass, cascade_via_foreign_keys => $2::boolean)',
      values: [name, isWithReferences],
      timeoutMs: LONG_MS,
    })
  })
}
