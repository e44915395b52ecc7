import { afterAll, beforeAll, expect, test } from 'vitest'
import { toPublicId } from '../../server/src/core/id.ts'
import { reconcile } from '../../server/src/operator/reconcile.ts'
import { WITHOUT_NODE } from '../../server/test/paths/x402/payments.ts'
import { apply, type Edit, isListed, listEdits } from '../../server/test/reconcile/edits.ts'
import { someInstallation } from '../../server/test/reconcile/some-installation.ts'
import { createTestApp, type Owner, type TestApp } from '../../server/test/support/app.ts'
import { sized } from '../../server/test/support/sized.ts'
import { exportOf, keysOf, verify } from './verify/gateway-log.ts'

const ROWS = 2
/** Tries one edit of this many. */
const STRIDE = sized(5, 1)
/** Edits that verify cannot see and reconcile finds. */
const FOUND_MIN = sized(30, 250)

let app: TestApp
let acme: Owner
beforeAll(async () => {
  app = await createTestApp(undefined, WITHOUT_NODE)
  acme = await someInstallation(app)
  // An edit is taken back where its row was. A note that a key was used would move the row.
  await app.rows(`update api_keys set last_used_at = '2099-01-01'`)
})
afterAll(() => app?.stop())

const compare = () => reconcile({ db: app.database.db }, toPublicId('org', acme.organizationId))

async function isSeenByVerify(keys: Parameters<typeof verify>[1]): Promise<boolean> {
  try {
    return typeof verify(await exportOf(acme), keys) === 'string'
  } catch {
    // The gateway itself cannot export such a row.
    return true
  }
}

test('reconcile finds edits that verify cannot see, except in columns that no leaf commits to', async () => {
  const { keys } = await keysOf(acme)
  const unfound: string[] = []
  const found: Edit[] = []
  const edits = (await listEdits(app, ROWS)).filter((_, index) => index % STRIDE === 0)
  for (const edit of edits) {
    const takeBack = await apply(app, acme.organizationId, edit)
    if (!takeBack) continue
    const [isFound, isSeen] = [(await compare()).kind === 'differs', await isSeenByVerify(keys)]
    await takeBack()
    if (isFound && !isSeen) found.push(edit)
    if (!isFound && !isListed(edit)) unfound.push(`${edit.table}.${edit.column} (${edit.row})`)
  }
  expect(unfound).toEqual([])
  expect((await compare()).text).toBeNull()
  expect(found.length).toBeGreaterThanOrEqual(FOUND_MIN)
})
