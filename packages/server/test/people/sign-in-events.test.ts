import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SAMPLES } from '../../src/core/events/sample-event.ts'
import { toPublicId } from '../../src/core/id.ts'
import { issueResetLink } from '../../src/operator/manage-members.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { bodyOf } from '../support/builders.ts'
import { usualEngine } from '../support/database.ts'
import { aBrowser, aMember } from '../support/people.ts'
import { recordLog } from '../support/recorded-log.ts'
import {
  guess,
  HOME,
  OTHER,
  passQuarter,
  recorded,
  STRANGER,
  stopClock,
  trySignIn,
  waitForStored,
} from '../support/sign-ins.ts'
import { waitUntil } from '../support/wait-until.ts'

describe('attempts for no account', () => {
  test("are counted in the operator's log alone", async () => {
    const { log, lines } = recordLog('info')
    const app = await createTestApp(usualEngine(), {}, log)
    const nobody = { email: 'nobody@example.com' }
    try {
      await app.organization()
      await guess(app, nobody, 12)
      // A lock of nobody is stored like any other, and removed.
      await waitUntil(async () => (await app.rows('select 1 from sign_in_notes')).length === 0)
      expect(await app.rows("select 1 from changes where subject_type = 'sign_in'")).toEqual([])
    } finally {
      await app.stop()
    }
    const told = lines.filter(({ event }) => event === 'people.unknown_accounts')
    expect(told).toMatchObject([{ attempts: 12, addresses: [STRANGER] }])
    expect(JSON.stringify(lines)).not.toContain(nobody.email)
  })
})

describe('events of signing in', () => {
  let app: TestApp
  let acme: Owner
  beforeAll(async () => {
    app = await createTestApp()
  })
  afterAll(() => app?.stop())
  beforeEach(async () => {
    stopClock(app)
    acme = await app.organization()
  })

  const KINDS = ['sign_in.succeeded', 'sign_in.failed', 'sign_in.locked', 'sign_in.reset']

  const told = () =>
    app.rows<{ kind: string; outcome: Record<string, unknown> }>(
      `select kind, outcome from webhook_events
       where organization_id = $1 and kind like 'sign_in.%' order by number`,
      [acme.organizationId],
    )

  test('are told only where they are chosen', async () => {
    await trySignIn(app, await aMember(app, acme))
    await recorded(app, acme, 1)
    expect(await told()).toEqual([])
  })

  test('tell what the record says', async () => {
    bodyOf(await acme.patch('/organization', { webhookEvents: KINDS }))
    const ada = await aMember(app, acme)
    await trySignIn(app, ada)
    await guess(app, ada, 11)
    const wanted = { organizationId: toPublicId('org', acme.organizationId), email: ada.email }
    const { token } = await issueResetLink({ db: app.database.db }, wanted)
    const given = { token, password: OTHER }
    await aBrowser(app, { address: HOME }).post('/console/api/accept', given)
    await waitForStored(app, acme, 11)
    passQuarter(app)
    await waitUntil(async () => (await told()).length === 4)
    const events = await told()
    expect(new Set(events.map(({ kind }) => kind))).toEqual(new Set(KINDS))
    for (const { kind, outcome } of events) {
      expect(outcome).toMatchObject({ memberId: ada.id, email: ada.email })
      const sample = SAMPLES[kind as keyof typeof SAMPLES]
      expect(Object.keys(outcome).sort()).toEqual(Object.keys(sample).sort())
    }
    const { data } = bodyOf(await acme.get('/events'))
    const failed = data.find(({ event }) => event === 'sign_in.failed')
    expect(failed?.data).toMatchObject({ number: 11, addresses: [STRANGER] })
  })
})
