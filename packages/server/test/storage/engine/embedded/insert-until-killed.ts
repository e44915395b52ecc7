import { openDatabase } from '../../../../src/storage/engine/database.ts'
import { silentLog } from '../../../support/silent-log.ts'

// Inserts one row after another and prints each id once its commit is acknowledged. Never ends by
// itself; the test that starts it kills it.
const dataDir = process.argv[2] ?? ''
const db = await openDatabase({ dataDir, databaseUrl: undefined }, silentLog)
await db.query({ text: 'create table if not exists acknowledged (id int primary key)' })
const [row] = await db.query<{ last: number }>({
  text: 'select coalesce(max(id), 0) as last from acknowledged',
})
for (let id = (row?.last ?? 0) + 1; ; id += 1) {
  await db.transaction((tx) =>
    tx.query({ name: 'insert', text: 'insert into acknowledged values ($1)', values: [id] }),
  )
  process.stdout.write(`${id}\n`)
}
