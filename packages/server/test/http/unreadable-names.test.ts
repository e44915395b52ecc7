import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { aDraft, anAgent, bodyOf } from '../support/builders.ts'

let app: TestApp
let acme: Owner

beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
})
afterAll(() => app.stop())

const ODD = ['a\tb', 'a\nb', 'a\u007fb', 'a\u0085b', 'a\u202eb', 'a\u2066b', 'a\u200fb', 'a\u2028b']

/** Nothing shows of these, or only a blank. */
const UNSEEN = [
  ...[
    'a\u200bb',
    'a\ufeffb',
    'a\u2060b',
    'a\u00adb',
    'a\u3164b',
    'a\uffa0b',
    'a\u115fb',
    'a\u2800b',
  ],
  ...['a\u034fb', 'a\u180eb', 'a\u{e0041}b', '\u3164', 'Ada\u200b', '\u200dAda', 'Ada\u200c'],
  ...['a\ufff9b', 'a\ufffbb', 'a\u{13430}b', 'a\u{1343f}b', 'Admin\u200d', 'Admin\u200c1'],
  // Twice where one is needed, and behind a letter that needs none.
  ...['അവന\u0d4d\u200d\u200d', 'അവന\u200d', 'क\u200d 1'],
  ...['1\u200d2', 'a \u200d b', 'a\u200d👩', '👩\u200c🔬', 'a\ufe0fb', '1\ufe0f2', 'a\u{e0100}b'],
]

describe('a name that does not show as what it is', () => {
  test.each([
    ['an agent', async (name: string) => acme.post('/agents', { name })],
    ['a key', async (name: string) => acme.post('/api-keys', { name })],
    ['the organization', async (name: string) => acme.patch('/organization', { name })],
    ['a vendor', async (name: string) => acme.post('/vendors', { host: 'a.example', name })],
    [
      'a mandate',
      async (name: string) =>
        acme.post('/mandates', { agentId: (await anAgent(acme)).id, budgetTotal: 1, name }),
    ],
  ])('is refused for %s, and the field is named', async (_, send) => {
    for (const name of [...ODD, ...UNSEEN]) {
      const { status, body } = await send(name)
      expect([status, body.code], JSON.stringify(name)).toEqual([422, 'unreadable_name'])
      expect(body.errors.map(({ path }) => path)).toEqual(['/name'])
    }
  })

  test('is refused as what an agent is called elsewhere, and is looked for as it was stored', async () => {
    const { id } = await anAgent(acme)
    for (const externalId of ODD) {
      const answers = [
        await acme.post('/agents', { name: 'Named', externalId }),
        await acme.patch(`/agents/${id}`, { externalId }),
      ]
      for (const { status, body } of answers) {
        expect([status, body.code]).toEqual([422, 'unreadable_name'])
        expect(body.errors.map(({ path }) => path)).toEqual(['/externalId'])
      }
    }
    await app.rows('update agents set external_id = $2 where id = $1', [id, 'a\u202eb'])
    const { data } = bodyOf(await acme.get(`/agents?externalId=${encodeURIComponent('a\u202eb')}`))
    expect(data.map((agent) => agent.id)).toEqual([id])
  })

  test('is one mistake among others where there are others', async () => {
    const { status, body } = await acme.post('/agents', { name: 'a\u202eb', tags: 1 })
    expect([status, body.code]).toEqual([400, 'validation_failed'])
    expect(body.errors.map(({ path }) => path)).toEqual(['/name', '/tags'])
  })

  test('is still shown if it was stored before, and can be replaced', async () => {
    const draft = await aDraft(acme)
    await app.rows('update agents set name = $2 where id = $1', [draft.agentId, 'a\u202eb'])
    expect(bodyOf(await acme.get(`/agents/${draft.agentId}`)).name).toBe('a\u202eb')
    bodyOf(await acme.patch(`/agents/${draft.agentId}`, { tags: ['kept'] }))
    bodyOf(await acme.patch(`/agents/${draft.agentId}`, { name: 'Plain' }))
  })

  test('is still good if it was stored before with characters that show nothing', async () => {
    const { id } = await anAgent(acme)
    await app.rows('update agents set name = $2 where id = $1', [id, 'a\u200bb'])
    bodyOf(await acme.patch(`/agents/${id}`, { tags: ['kept'] }))
    const { name, tags } = bodyOf(await acme.get(`/agents/${id}`))
    expect([name, tags]).toEqual(['a\u200bb', ['kept']])
  })

  test.each([
    ...[
      'Büro 7',
      '研究',
      'שלום',
      'a 👩‍🔬 b',
      '👩🏽‍💻 Ada',
      '🏳️‍🌈 Team',
      '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
    ],
    // Malayalam ends words with one, and Persian has one before digits.
    ...['അവന\u0d4d\u200d', 'അവന\u0d4d\u200d വന്നു', 'تیم\u200c۲', 'نسخه\u200c2'],
    // Persian and Hindi need them between letters.
    ...['می\u200cخواهم', 'क्\u200dष', '한국어', 'ភាសាខ្មែរ', '❤️', '1️⃣', '葛\u{e0100}城'],
  ])('is not %s', async (name) => {
    expect(bodyOf(await acme.post('/agents', { name })).name).toBe(name)
  })
})

describe('a description', () => {
  test('is refused with characters that change what is seen of the text around them', async () => {
    const { id } = await anAgent(acme)
    for (const description of ODD.filter((text) => !/[\t\n]/.test(text))) {
      const { status, body } = await acme.patch(`/agents/${id}`, { description })
      expect([status, body.code], JSON.stringify(description)).toEqual([422, 'unreadable_name'])
      expect(body.errors.map(({ path }) => path)).toEqual(['/description'])
    }
  })

  test.each(['one\ntwo', 'one\r\ntwo', '\ta', '', null])('may be %j', async (description) => {
    const { id } = await anAgent(acme)
    const changed = bodyOf(await acme.patch(`/agents/${id}`, { description }))
    expect(changed).toMatchObject({ description })
  })
})
