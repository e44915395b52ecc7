import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, joinTestApp, type Owner, type TestApp } from '../support/app.ts'
import { describeOnPostgres } from '../support/database.ts'
import { aBrowser, aMember, PASSWORD, signedInAgain } from '../support/people.ts'
import { waitUntil } from '../support/wait-until.ts'

let app: TestApp
let acme: Owner
beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
})
afterAll(() => app.stop())

const ME = '/console/api/me'
const HOUR_MS = 3_600_000

describe('the cookie', () => {
  test('is for this host alone, not for scripts, and only over HTTPS', async () => {
    const ada = await aMember(app, acme)
    const signIn = (host: string) =>
      aBrowser(app).post('/console/api/sign-in', { email: ada.email, password: PASSWORD }, { host })
    const far = String((await signIn('gateway.example')).headers['set-cookie'])
    expect(far).toMatch(/^__Host-purser_session=[\w-]{14}\.[\w-]{43}; /)
    const parts = far.split('; ').slice(1)
    expect(parts).toEqual(['Path=/', 'Max-Age=604800', 'HttpOnly', 'SameSite=Lax', 'Secure'])
    // Browsers would drop it without HTTPS, which nobody has on their own machine.
    const near = String((await signIn('127.0.0.1:3000')).headers['set-cookie'])
    expect(near).toMatch(/^purser_session=.*; HttpOnly; SameSite=Lax$/)
  })

  test('counts under the name of its place only, and not if there are several', async () => {
    const ada = await aMember(app, acme)
    const token = ada.cookie.split('=')[1] ?? ''
    for (const cookie of [
      `__Host-purser_session=${token}`,
      `other=${token}`,
      `purser_session=${token}; purser_session=${token}`,
      `purser_session=${token}x`,
    ]) {
      expect((await aBrowser(app, { cookie }).get(ME)).status, cookie).toBe(401)
    }
    expect((await aBrowser(app, { cookie: `a=b; purser_session=${token}` }).get(ME)).status).toBe(
      200,
    )
  })
})

describe('a session', () => {
  test('that was ended is of no use again', async () => {
    const ada = await aMember(app, acme)
    const stolen = aBrowser(app, { cookie: ada.cookie })
    const answer = await ada.post('/console/api/sign-out')
    expect([answer.status, ada.cookie]).toEqual([200, ''])
    await waitUntil(async () => (await stolen.get(ME)).status === 401)
    expect((await stolen.get(ME)).body).toMatchObject({ code: 'unauthenticated' })
  })

  test('ends when nobody has used it for twelve hours', async () => {
    const ada = await aMember(app, acme)
    const begin = Date.now()
    const seen = async () => {
      const [row] = await app.rows<{ at: number }>(
        `select idle_ends_at as at from sessions s join members m on m.id = s.member_id where m.email = $1`,
        [ada.email],
      )
      return row?.at ?? 0
    }
    try {
      app.clock.now = begin + 11 * HOUR_MS
      expect((await ada.get(ME)).status).toBe(200)
      await waitUntil(async () => (await seen()) > begin + 22 * HOUR_MS)
      app.clock.now = begin + 22 * HOUR_MS
      expect((await ada.get(ME)).status).toBe(200)
      await waitUntil(async () => (await seen()) > begin + 33 * HOUR_MS)
      app.clock.now = begin + 34 * HOUR_MS + 60_000
      expect((await ada.get(ME)).status).toBe(401)
    } finally {
      app.clock.now = undefined
    }
  })

  test('ends after seven days, however much it is used', async () => {
    const ada = await aMember(app, acme)
    // As if it had been used all the time.
    await app.rows(`update sessions set idle_ends_at = '9999-01-01'`)
    try {
      app.clock.now = Date.now() + 7 * 24 * HOUR_MS - 60_000
      expect((await ada.get(ME)).status).toBe(200)
      app.clock.now += 120_000
      expect((await ada.get(ME)).status).toBe(401)
    } finally {
      app.clock.now = undefined
    }
  })

  test('is listed with where it is from, and ended by its id', async () => {
    const ada = await aMember(app, acme)
    const other = aBrowser(app, { address: '192.0.2.7' })
    const body = { email: ada.email, password: PASSWORD }
    await other.post('/console/api/sign-in', body, { 'user-agent': `Lynx ${'x'.repeat(300)}` })
    const { data } = (await ada.get('/console/api/sessions')).body
    const [newest, own] = data
    expect(newest).toMatchObject({ current: false, address: '192.0.2.7' })
    expect(String(newest?.userAgent)).toMatch(/^Lynx x+…$/)
    expect(String(newest?.userAgent)).toHaveLength(200)
    expect(own).toMatchObject({ current: true })
    const ended = await ada.delete(`/console/api/sessions/${newest?.id}`)
    expect(ended.status).toBe(200)
    await waitUntil(async () => (await other.get(ME)).status === 401)
    expect((await ada.delete(`/console/api/sessions/${newest?.id}`)).status).toBe(404)
    const stranger = await aMember(app, acme)
    expect((await stranger.delete(`/console/api/sessions/${own?.id}`)).status).toBe(404)
    expect((await ada.get(ME)).status).toBe(200)
  })

  test('stays when all others of the member are ended', async () => {
    const ada = await aMember(app, acme)
    const others = [await signedInAgain(app, ada), await signedInAgain(app, ada)]
    expect((await ada.delete('/console/api/sessions')).body).toMatchObject({ ended: 2 })
    for (const other of others) {
      await waitUntil(async () => (await other.get(ME)).status === 401)
    }
    expect((await ada.get(ME)).status).toBe(200)
  })

  test('gets another secret when the password is given again', async () => {
    const ada = await aMember(app, acme)
    const before = aBrowser(app, { cookie: ada.cookie })
    const wrong = await ada.post('/console/api/reauthenticate', { password: 'not the password' })
    expect([wrong.status, wrong.body.code]).toEqual([401, 'wrong_credentials'])
    expect((await ada.post('/console/api/reauthenticate', { password: PASSWORD })).status).toBe(200)
    expect(ada.cookie).not.toBe(before.cookie)
    await waitUntil(async () => (await before.get(ME)).status === 401)
    expect((await ada.get(ME)).status).toBe(200)
    const { data } = (await ada.get('/console/api/sessions')).body
    expect(data).toHaveLength(1)
  })

  test('is the only one left when its member chooses another password', async () => {
    const ada = await aMember(app, acme)
    const other = await signedInAgain(app, ada)
    const change = (body: object) => ada.patch(ME, body)
    const newPassword = 'another long password'
    expect((await change({ newPassword })).body.errors[0]?.path).toBe('/currentPassword')
    const wrong = await change({ currentPassword: 'not the password', newPassword })
    expect(wrong.status).toBe(401)
    const short = await change({ currentPassword: PASSWORD, newPassword: 'short' })
    expect(short.body.errors[0]).toMatchObject({ path: '/newPassword', code: 'too_short' })
    const changed = await change({ currentPassword: PASSWORD, newPassword, name: 'Ada' })
    expect([changed.status, changed.body.member.name]).toEqual([200, 'Ada'])
    await waitUntil(async () => (await other.get(ME)).status === 401)
    expect((await ada.get(ME)).status).toBe(200)
    const signIn = (password: string) =>
      aBrowser(app).post('/console/api/sign-in', { email: ada.email, password })
    expect((await signIn(PASSWORD)).status).toBe(401)
    expect((await signIn(newPassword)).status).toBe(200)
  })
})

describeOnPostgres('over two processes', () => {
  test('a session that is ended on one is dead on the other, and so is a lock', async () => {
    const second = await joinTestApp(app)
    try {
      const ada = await aMember(app, acme)
      const there = aBrowser(second, { cookie: ada.cookie })
      expect((await there.get(ME)).status).toBe(200)
      await ada.post('/console/api/sign-out')
      await waitUntil(async () => (await there.get(ME)).status === 401)
      const attempt = (on: TestApp, password: string) =>
        aBrowser(on).post('/console/api/sign-in', { email: ada.email, password })
      for (let at = 0; at < 5; at++) {
        for (const on of [app, second]) await attempt(on, 'not the password')
      }
      expect((await attempt(app, PASSWORD)).status).toBe(401)
      expect((await attempt(second, PASSWORD)).status).toBe(401)
      // Another password ends the lock, wherever it was felt.
      const owner = await aMember(app, acme)
      const link = await owner.post(`/console/api/members/${ada.id}/reset-link`)
      const reset = { token: link.body.token, password: 'another long password' }
      expect((await aBrowser(app).post('/console/api/accept', reset)).status).toBe(200)
      expect((await attempt(second, reset.password)).status).toBe(200)
    } finally {
      await second.stop()
    }
  })
})
