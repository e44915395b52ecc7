import { describe, expect, test } from 'vitest'
import { newWebhookSecret } from '../../../server/src/storage/secrets/webhook-secret.ts'
import { secretMistake } from '../../src/listen/secret-mistake.ts'

const ofBytes = (count: number): string => `whsec_${Buffer.alloc(count, 7).toString('base64')}`

describe('a webhook secret', () => {
  test.each([
    ['of the gateway', newWebhookSecret()],
    ['of 24 bytes', ofBytes(24)],
    ['of 64 bytes', ofBytes(64)],
  ])('%s is in order', (_name, secret) => {
    expect(secretMistake(secret)).toBeUndefined()
  })

  test.each([
    ['without its prefix', ofBytes(32).slice('whsec_'.length), 'must begin with whsec_'],
    ['with a prefix in capitals', ofBytes(32).toUpperCase(), 'must begin with whsec_'],
    ['in quotes', `"${ofBytes(32)}"`, 'must begin with whsec_'],
    ['with a line end', `${ofBytes(32)}\n`, 'must be base64 after whsec_'],
    ['with an ellipsis', 'whsec_…', 'must be base64 after whsec_'],
    ['in base64 for URLs', `whsec_${'_-aa'.repeat(10)}`, 'must be base64 after whsec_'],
    ['that lacks its last character', ofBytes(32).slice(0, -1), 'but 43 follow whsec_'],
    ['that is only a prefix', 'whsec_', 'must encode 24 to 64 bytes after whsec_'],
    ['of 23 bytes', ofBytes(23), 'but encodes 23'],
    ['of 65 bytes', ofBytes(65), 'but encodes 65'],
  ])('%s is told what is wrong with it', (_name, secret, words) => {
    expect(secretMistake(secret)).toContain(words)
  })
})
