import { expect, test } from 'vitest'
import { LATEST } from '../../../../src/core/time/instant.ts'
import {
  childOrNull,
  type Fields,
  flagOf,
  flagOrNull,
  listOf,
  mccOrNull,
  mistakeIn,
  numberOrNull,
  readFields,
  secondsOf,
  shownOf,
  textOrNull,
  textsOf,
} from '../../../../src/paths/card/issuers/fields.ts'

const NOTED = { unread: 'malformed', why: 'The field told cannot be read.' }

/** What a reader makes of a value, and whether it notes a mistake. */
function read<T>(reader: (fields: Fields, name: string) => T, value: unknown) {
  const fields = readFields({ told: value })
  return [reader(fields, 'told'), mistakeIn(fields)]
}

test.each([
  ['true', flagOf, true, true],
  ['false', flagOf, false, false],
  ['a flag or nothing', flagOrNull, undefined, null],
  ['a number', numberOrNull, 5, 5],
  ['a number or nothing', numberOrNull, null, null],
  ['the longest id', textOrNull, 'a'.repeat(255), 'a'.repeat(255)],
  ['the longest list', listOf, Array(1_000).fill({}), expect.objectContaining({ length: 1_000 })],
  ['words among other things', textsOf, ['a', 7, null, 'b'], ['a', 'b']],
  ['a category code', mccOrNull, '5734', '5734'],
  ['a category code of three digits, which is ignored', mccOrNull, '573', null],
  ['no category code', mccOrNull, null, null],
  ['the first instant', secondsOf, 0.001, 1],
  ['the last instant', secondsOf, (LATEST - 1) / 1_000, LATEST - 1],
] as const)('%s is read', (_, reader, value, expected) => {
  expect(read<unknown>(reader, value)).toEqual([expected, undefined])
})

test.each([
  ['a word for a flag', flagOf, 'yes', false],
  ['a word for a flag or nothing', flagOrNull, 'yes', null],
  ['a flag that is missing', flagOf, undefined, false],
  ['a text for a number', numberOrNull, '5', null],
  ['an id that is too long', textOrNull, 'a'.repeat(256), null],
  ['an id with a line break', textOrNull, 'a\n', null],
  ['a list that is too long', listOf, Array(1_001).fill({}), []],
  ['a list of words for one of objects', listOf, ['a'], []],
  ['an object for a list', listOf, {}, []],
  ['a text for a list of words', textsOf, 'a', []],
  ['a number for a text', shownOf, 7, ''],
  ['the epoch, which is no time of a payment', secondsOf, 0, 0],
  ['a time before it', secondsOf, -1, 0],
  ['a time after all others', secondsOf, LATEST / 1_000, 0],
] as const)('%s is noted, and read as nothing', (_, reader, value, expected) => {
  expect(read<unknown>(reader, value)).toStrictEqual([expected, NOTED])
})

test('what is no object has no fields, and is noted', () => {
  const body = readFields('told')
  expect([body.values, mistakeIn(body)?.why]).toEqual([{}, 'The body is not an object.'])
  const parent = readFields({ told: 'length' })
  expect([childOrNull(parent, 'told')?.values, mistakeIn(parent)]).toEqual([{}, NOTED])
})

test('a field that the payload inherits is not read', () => {
  expect(textOrNull(readFields(Object.create({ told: 'a' })), 'told')).toBeNull()
})
