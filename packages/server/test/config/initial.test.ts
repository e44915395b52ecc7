import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readInitialSetup } from '../../src/process/config/initial.ts'
import { mintApiKey } from '../../src/storage/secrets/api-key-secret.ts'
import { createTemporaryFolder } from '../support/database.ts'

let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
beforeAll(async () => {
  folder = await createTemporaryFolder()
})
afterAll(() => folder.remove())

const ADMIN = { PURSER_INIT_ADMIN_EMAIL: 'Ada@Example.com', PURSER_INIT_ADMIN_PASSWORD: 'hunter2' }

function mistakesOf(env: Record<string, string>, environment: 'development' | 'production') {
  try {
    readInitialSetup(env, environment)
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
}

describe('the settings of the first start', () => {
  test('name an organization in development, and in production only if the operator does', () => {
    const nothing = { admin: undefined, apiKey: undefined }
    const named = { ...nothing, organization: 'My organization' }
    expect(readInitialSetup({}, 'development')).toEqual(named)
    expect(readInitialSetup({ PURSER_INIT_ORG: ' ' }, 'production')).toBeUndefined()
    const acme = { PURSER_INIT_ORG: ' Acme ' }
    expect(readInitialSetup(acme, 'production')).toEqual({ ...nothing, organization: 'Acme' })
  })

  test('can all come from files', async () => {
    const key = mintApiKey('live')
    const values = { ...ADMIN, PURSER_INIT_ORG: 'Acme', PURSER_INIT_API_KEY: key.token }
    const entries = Object.entries(values).map(async ([name, value]) => {
      const path = join(folder.path, name)
      await writeFile(path, `${value}\n`)
      return [`${name}_FILE`, path] as const
    })
    const env = Object.fromEntries(await Promise.all(entries))
    expect(readInitialSetup(env, 'production')).toEqual({
      organization: 'Acme',
      admin: { email: 'ada@example.com', password: 'hunter2' },
      apiKey: key,
    })
  })

  test.each(['a\u202eb', 'a\nb', 'a\u0007b', 'Ac\u00adme'])(
    'refuse a name with invisible characters: %j',
    (name) => {
      const message = mistakesOf({ PURSER_INIT_ORG: name }, 'development')
      expect(message).toContain('PURSER_INIT_ORG contains invisible characters')
      expect(message).not.toContain(name)
    },
  )

  test.each([
    [{ PURSER_INIT_ORG: 'x'.repeat(121) }, 'PURSER_INIT_ORG must be at most 120'],
    [{ PURSER_INIT_ADMIN_EMAIL: 'ada@example.com' }, 'must be set together'],
    [{ PURSER_INIT_ADMIN_PASSWORD: 'hunter2' }, 'must be set together'],
    [{ ...ADMIN, PURSER_INIT_ADMIN_EMAIL: 'hunter2' }, 'EMAIL must be an e-mail address'],
    [{ PURSER_INIT_API_KEY: 'psr_test_hunter2' }, 'API_KEY must be an API key that begins with'],
    [{ PURSER_INIT_API_KEY: mintApiKey('live').token }, 'begins with psr_test_'],
    [{ PURSER_INIT_ORG_FILE: '/nowhere/hunter2' }, 'PURSER_INIT_ORG_FILE names a file that cannot'],
    [{ PURSER_INIT_ORG: 'Acme', PURSER_INIT_ORG_FILE: 'b' }, 'are both set'],
  ])('say what is wrong, and show no value: %j', (env, sentence) => {
    const message = mistakesOf(env, 'development')
    expect(message).toContain(sentence)
    expect(message).not.toContain('hunter2')
    expect(message).not.toContain(Object.values(env)[0])
  })

  test('say in production that the name of the organization is missing', () => {
    expect(mistakesOf(ADMIN, 'production')).toContain(
      'PURSER_INIT_ADMIN_EMAIL, PURSER_INIT_ADMIN_PASSWORD cannot be set without PURSER_INIT_ORG',
    )
  })
})
