import { describe, expect, test } from 'vitest'
import { callPurser } from './support/in-process.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

const startListener = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  callPurser(['listen', ...args], env)

describe('purser listen ends', () => {
  const to = ['--forward-to', '4000']

  test.each([
    ['no target', [], '--forward-to <url>'],
    ['a target that is no URL', ['--forward-to', 'ftp://localhost'], '--forward-to <url>'],
    ['a gateway that is no URL', [...to, '--url', 'x y'], '--url must be'],
    [
      'a kind that does not exist',
      [...to, '--events', 'transaction.aproved'],
      'transaction.approved',
    ],
    ['a mistyped option', [...to, '--event', 'transaction.approved'], '--events'],
  ])('with 2 and says what is wrong with %s', async (_name, args, words) => {
    const listener = await startListener(args, { PURSER_API_KEY: 'psr_test_x' })
    expect(await listener.exited()).toBe(2)
    expect(listener.told.join('\n')).toContain(words)
  })

  test('with 2 without a key', async () => {
    const listener = await startListener(to, { PURSER_API_KEY: '' })
    expect(await listener.exited()).toBe(2)
    expect(listener.told.join()).toContain('PURSER_API_KEY')
  })

  test.each([
    ['is none', 'hunter2', 'must begin with whsec_'],
    ['was cut off', SECRET.slice(0, -5), 'is incomplete'],
  ])('with 2 when the secret %s, without repeating it', async (_name, secret, words) => {
    const listener = await startListener(to, { PURSER_WEBHOOK_SECRET: secret })
    expect(await listener.exited()).toBe(2)
    expect(listener.told.join()).toContain('PURSER_WEBHOOK_SECRET')
    expect(listener.told.join()).toContain(words)
    expect(listener.told.join()).not.toContain(secret)
  })

  test.each([
    [[...to, '--secret', SECRET]],
    [[...to, `--secret=${SECRET}`]],
    [['--secret', SECRET]],
  ])('with 2 when the secret is an argument, and names the variable: %#', async (args) => {
    const listener = await startListener(args, { PURSER_API_KEY: 'psr_test_x' })
    expect(await listener.exited()).toBe(2)
    expect(listener.told[0]).toBe(
      'error: --secret was removed: set the secret in PURSER_WEBHOOK_SECRET',
    )
    expect(listener.told.join()).not.toContain(SECRET)
  })
})
