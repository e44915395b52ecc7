import { type Mandate, PurserError } from '@purser/sdk'
import { describe, expect, it } from 'vitest'
import { waitUntil } from '../../../server/test/support/wait-until.ts'
import {
  type Attempt,
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

function setUp(attempt?: Attempt) {
  const sent: Sent[] = []
  const attempts: (string | null)[] = []
  let saved = 0
  const saver = createDraftSaver({
    ...{ stored: undefined, savedText: null, attempt },
    onAttempt: (next) => attempts.push(next?.text ?? null),
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
  return { saver, sent, attempts, savedCount: () => saved }
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

  it('finds the draft of a lost creation before it stores a changed form', async () => {
    const { saver, sent, attempts } = setUp()
    saver.want(wanted('a'))
    const first = saver.save()
    sent[0]?.answer(new PurserError('lost', { code: 'timeout', outcomeUnknown: true }))
    await first
    expect(attempts).toEqual(['a'])
    saver.want(wanted('b'))
    const second = saver.save()
    expect(sent[1]).toMatchObject({ name: 'a', stored: undefined, key: sent[0]?.key })
    sent[1]?.answer(mandate('a'))
    await waitUntil(() => sent.length === 3)
    expect(sent[2]).toMatchObject({ name: 'b', stored: 'a' })
    expect(sent[2]?.key).not.toBe(sent[0]?.key)
    sent[2]?.answer(mandate('b'))
    expect((await second)?.name).toBe('b')
    expect(attempts.at(-1)).toBeNull()
  })

  it('repeats the creation of an earlier page under its key', async () => {
    const { saver, sent } = setUp({ ...wanted('a'), key: 'k1' })
    saver.want(wanted('a'))
    void saver.save()
    expect(sent[0]).toMatchObject({ name: 'a', key: 'k1' })
  })

  it('creates the draft from the newest form if the lost creation is refused', async () => {
    const { saver, sent } = setUp({ ...wanted('a'), key: 'k1' })
    saver.want(wanted('b'))
    const saved = saver.save()
    sent[0]?.answer(new PurserError('no', { code: 'idempotency_key_reused', status: 409 }))
    await waitUntil(() => sent.length === 2)
    expect(sent[1]).toMatchObject({ name: 'b', stored: undefined })
    expect(sent[1]?.key).not.toBe('k1')
    sent[1]?.answer(mandate('b'))
    expect((await saved)?.name).toBe('b')
  })

  it('keeps the key while the gateway still works on the first request', async () => {
    const { saver, sent } = setUp()
    saver.want(wanted('a'))
    const first = saver.save()
    sent[0]?.answer(new PurserError('busy', { code: 'idempotency_in_flight', status: 409 }))
    await first
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
