import { type Mandate, PurserError } from '@purser/sdk'
import { describe, expect, it } from 'vitest'
import {
  createDraftSaver,
  type Wanted,
} from '../../src/screens/mandates/editor/save/draft-saver.ts'

const wanted = (name: string): Wanted => ({ body: { name } as Wanted['body'], text: name })
const mandate = (name: string) => ({ id: 'mnd_1', name, updatedAt: name }) as Mandate

interface Sent {
  readonly name: string
  readonly stored: string | undefined
  readonly key: string
  readonly answer: (outcome: Mandate | Error) => void
}

function setUp() {
  const sent: Sent[] = []
  let saved = 0
  const saver = createDraftSaver({
    ...{ stored: undefined, savedText: null },
    send: (body, stored, key) =>
      new Promise((resolve, reject) => {
        const answer = (outcome: Mandate | Error) =>
          outcome instanceof Error ? reject(outcome) : resolve(outcome)
        sent.push({ name: String(body.name), stored: stored?.name, key, answer })
      }),
    onSaved: () => {
      saved += 1
    },
  })
  return { saver, sent, savedCount: () => saved }
}

describe('the saver of drafts', () => {
  it('sends one request at a time, and the newest form last', async () => {
    const { saver, sent, savedCount } = setUp()
    saver.want(wanted('a'))
    const first = saver.save()
    saver.want(wanted('b'))
    const second = saver.save()
    expect(sent.map(({ name }) => name)).toEqual(['a'])
    sent[0]?.answer(mandate('a'))
    await first
    await Promise.resolve()
    expect(savedCount()).toBe(0)
    expect(sent.map(({ name, stored }) => [name, stored])).toEqual([
      ['a', undefined],
      ['b', 'a'],
    ])
    sent[1]?.answer(mandate('b'))
    expect((await second)?.name).toBe('b')
    expect(savedCount()).toBe(1)
    expect((await saver.save())?.name).toBe('b')
    expect(sent).toHaveLength(2)
  })

  it('repeats a lost request under the same key, so that one draft is stored', async () => {
    const { saver, sent } = setUp()
    saver.want(wanted('a'))
    const first = saver.save()
    sent[0]?.answer(new PurserError('lost', { code: 'network_error', outcomeUnknown: true }))
    expect(await first).toBeUndefined()
    void saver.save()
    expect(sent[1]?.key).toBe(sent[0]?.key)
  })

  it('knows who changed the draft meanwhile', async () => {
    const { saver, sent } = setUp()
    saver.want(wanted('a'))
    const first = saver.save()
    const problem = { current: 't2', changedBy: { id: 'mem_2', name: 'Bo' }, changes: [] }
    const facts = { code: 'changed_meanwhile', status: 409, problem: problem as never }
    sent[0]?.answer(new PurserError('changed', facts))
    await first
    expect(saver.state().conflict).toEqual({ current: 't2', by: 'Bo', changes: [] })
  })

  it('saves nothing that cannot be read', async () => {
    const { saver, sent } = setUp()
    saver.want(null)
    expect(await saver.save()).toBeUndefined()
    expect(sent).toEqual([])
  })
})
