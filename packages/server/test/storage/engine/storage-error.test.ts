import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toStorageError } from '../../../src/storage/engine/storage-error.ts'
import { createTestApp, type TestApp } from '../../support/app.ts'
import { anAgent } from '../../support/builders.ts'

const UNIQUE = 'duplicate key value violates unique constraint'

/** As the driver gives it. */
const anError = (code: string, message: string, constraint?: string) =>
  Object.assign(new Error(message), { code, ...(constraint !== undefined && { constraint }) })

describe('a broken constraint', () => {
  test.each([
    ['a field', anError('23505', 'any words', 'external_id_is_unique')],
    ['a field, with the number of a part', anError('23505', '', 'external_id_is_unique_102031')],
    ['the message alone', anError('23505', `${UNIQUE} "external_id_is_unique"`)],
    ['the message, with a number', anError('23505', `${UNIQUE} "external_id_is_unique_102031"`)],
  ])('is recognized by %s', (_, error) => {
    expect(toStorageError(error)).toMatchObject({ code: 'external_id_taken', cause: error })
  })

  test('that no request can break is a defect, and stays as it is', () => {
    const unknown = anError('23514', 'check constraint "budget_never_overspent" is violated')
    expect(toStorageError(unknown)).toBe(unknown)
  })

  test("of a payment path is answered by the path's own problem", () => {
    const problem = { code: 'till_busy', status: 409, title: 'The till is busy' }
    const ofPaths = new Map([
      ['one_sale_per_till', { problem, detail: 'Wait for the sale to end.' }],
    ])
    const error = anError('23505', `${UNIQUE} "one_sale_per_till_102031"`)
    const answer = { code: 'till_busy', status: 409, message: 'Wait for the sale to end.' }
    expect(toStorageError(error, ofPaths)).toMatchObject({ ...answer, cause: error })
    expect(toStorageError(error)).toBe(error)
  })

  test('is not looked for in an error about something else', () => {
    const other = anError('42P01', 'relation "external_id_is_unique" does not exist')
    expect(toStorageError(other)).toBe(other)
  })
})

describe('a constraint whose name carries the number of a part', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp()
    await app.rows('alter index external_id_is_unique rename to external_id_is_unique_102031')
  })
  afterAll(() => app.stop())

  test('is answered as the problem it is', async () => {
    const acme = await app.organization()
    await anAgent(acme, { externalId: 'one' })
    const { status, body } = await acme.post('/agents', { name: 'Two', externalId: 'one' })
    expect([status, body.code]).toEqual([409, 'external_id_taken'])
  })
})
