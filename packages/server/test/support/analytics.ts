import { expect } from 'vitest'
import { keepBooks } from '../../src/analytics/keep-books.ts'
import type { TestApp } from './app.ts'

/** Counts all events of every organization so far, as the analytics worker does over time. */
export async function countAll(app: TestApp): Promise<void> {
  const parts = { db: app.database.db, clock: app.time.read }
  for (const { id } of await app.rows<{ id: string }>('select id from organizations')) {
    expect(await keepBooks(parts, id, 10_000)).toBe(true)
  }
}
