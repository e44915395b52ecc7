import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createParseBody } from '../../src/http/body/parse-in-turn.ts'

const SMALL = Buffer.from('{"a":1}')
const LARGE = Buffer.from(JSON.stringify({ text: 'a'.repeat(20_000) }))

test('a small body is parsed at once, whatever waits', () => {
  const parse = createParseBody()
  const done: string[] = []
  parse(LARGE, () => done.push('large'))
  parse(SMALL, () => done.push('small'))
  expect(done).toEqual(['small'])
})

test('large bodies are parsed one in each turn of the event loop, in their order', async () => {
  const parse = createParseBody()
  const done: number[] = []
  for (const at of [1, 2, 3]) parse(LARGE, () => done.push(at))
  const after: number[][] = []
  for (let turn = 0; turn < 3; turn++) {
    await nextTurn()
    after.push([...done])
  }
  expect(after).toEqual([[1], [1, 2], [1, 2, 3]])
})

test('a body that is refused does not hold up the next one', async () => {
  const parse = createParseBody()
  const broken = Buffer.alloc(20_000, '[')
  const results = await Promise.all(
    [broken, LARGE].map(
      (body) => new Promise((resolve) => parse(body, (error) => resolve(error === null))),
    ),
  )
  expect(results).toEqual([false, true])
})
