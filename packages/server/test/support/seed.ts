import { Client } from 'pg'
import type { TestApp } from './app.ts'

/**
 * Runs a statement that writes many rows. It has its own connection on PostgreSQL: on a busy machine
 * such a statement can take longer than the 30 s that an app's connections allow.
 */
export async function seed(
  { database }: Pick<TestApp, 'database'>,
  text: string,
  values: readonly unknown[] = [],
): Promise<void> {
  if (database.url === '') return void (await database.db.query({ text, values }))
  const client = new Client({ connectionString: database.url })
  await client.connect()
  try {
    await client.query(text, [...values])
  } finally {
    await client.end()
  }
}
