import { expect, test } from 'vitest'
import { wantsLines } from '../../src/http/ndjson.ts'

test.each([
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['application/json', false],
  ['application/x-ndjson', true],
  ['Application/X-NDJSON; charset=utf-8', true],
  ['application/json, application/x-ndjson', true],
  ['*/*;q=0.8, application/x-ndjson;q=0.5', true],
  ['application/x-ndjson;q=0', false],
  ['application/x-ndjson; q=often', false],
  ['application/json, application/x-ndjson;q=0.5', false],
  ['application/json;q=0.1,application/x-ndjson;q=0.5', true],
])('Accept %j asks for lines: %s', (accept, answer) => {
  expect(wantsLines(accept)).toBe(answer)
})
