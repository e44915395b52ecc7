import type { Change } from '../../src/core/change.ts'
import { QUARTER_MS } from '../../src/core/people/sign-in-note.ts'
import type { Owner, TestApp } from './app.ts'
import { changesOf } from './changes.ts'
import { aBrowser, PASSWORD, type Person } from './people.ts'
import { waitUntil } from './wait-until.ts'

export const WRONG = 'not the password'
export const OTHER = 'a password of others'
export const HOME = '192.0.2.10'
export const STRANGER = '203.0.113.7'

type Named = Pick<Person, 'email'>

/** Stops the clock during the test, in the middle of a future quarter of an hour. */
export function stopClock({ clock }: Pick<TestApp, 'clock'>): void {
  const now = Date.now()
  clock.now = now - (now % QUARTER_MS) + 1.5 * QUARTER_MS
}

/** Moves the clock so that this quarter of an hour is complete and can be recorded. */
export function passQuarter({ clock }: Pick<TestApp, 'clock'>): void {
  clock.now = (clock.now ?? Date.now()) + 2 * QUARTER_MS
}

/** Returns the status of an attempt to sign in. */
export async function trySignIn(
  app: TestApp,
  { email }: Named,
  { password = PASSWORD, address = HOME } = {},
): Promise<number> {
  const browser = aBrowser(app, { address })
  return (await browser.post('/console/api/sign-in', { email, password })).status
}

export async function guess(app: TestApp, who: Named, times: number, address = STRANGER) {
  for (let at = 0; at < times; at++) await trySignIn(app, who, { password: WRONG, address })
}

/** Waits until the processes have stored this many of the attempts that they count in memory. */
export async function waitForStored(
  app: TestApp,
  { organizationId }: Pick<Owner, 'organizationId'>,
  number: number,
): Promise<void> {
  await waitUntil(async () => {
    const [row] = await app.rows<{ sum: number }>(
      `select coalesce(sum(number), 0)::int as sum from sign_in_notes
       where organization_id = $1 and what in ('failed', 'refused')`,
      [organizationId],
    )
    return row?.sum === number
  })
}

/** The change records about signing in. */
export async function recordOf(app: TestApp, owner: Owner): Promise<Change[]> {
  const changes = await changesOf(app, owner)
  return changes.filter(({ operation }) => operation.startsWith('sign_in.'))
}

/** The same, once there are this many records. */
export async function recorded(app: TestApp, owner: Owner, count: number): Promise<Change[]> {
  await waitUntil(async () => (await recordOf(app, owner)).length >= count)
  return recordOf(app, owner)
}

/** The total over all records of the operation. */
export async function sumOf(app: TestApp, owner: Owner, operation: string): Promise<number> {
  const own = (await recordOf(app, owner)).filter((change) => change.operation === operation)
  return own.reduce((sum, { after }) => sum + Number(after?.['number']), 0)
}
