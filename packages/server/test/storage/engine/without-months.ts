import { createTestDatabase, type Engine, type TestDatabase } from '../../support/database.ts'

/** Creates a database as the migrations leave it. Other test databases have the coming months. */
export async function createDatabaseWithoutMonths(engine?: Engine): Promise<TestDatabase> {
  const database = await createTestDatabase(engine)
  const months = await database.db.query<{ name: string }>({
    text: `select relname as name from pg_class
           where relispartition and relkind = 'r' and relname ~ '_[0-9]{4}_[0-9]{2}$'`,
  })
  const names = months.map(({ name }) => name).join(', ')
  if (names !== '') await database.db.query({ text: `drop table ${names}` })
  return database
}
