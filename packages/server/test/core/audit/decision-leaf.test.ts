import { commitTo, hashOfLeaf, makeLeaf, toCanonicalJson, toHex } from '@purser/audit'
import { sha256 } from '@purser/audit/node'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  commitToText,
  type DecisionFacts,
  decisionText,
  hashOfDecision,
  withoutReceipt,
  withReceipt,
} from '../../../src/core/audit/decision-leaf.ts'
import { toPublicId } from '../../../src/core/id.ts'

const ID = '019a8561-7c5e-7d40-9b5e-6f1f0a3c2b11'
const text = fc.string({ unit: 'grapheme' })
const maybe = fc.option(text, { nil: null })

const facts: fc.Arbitrary<DecisionFacts> = fc.record({
  agentId: fc.constant(ID),
  mandateId: fc.option(fc.constant(ID), { nil: null }),
  mandateVersion: fc.option(fc.nat(), { nil: null }),
  path: fc.constantFrom('evaluate', 'x402'),
  decision: fc.constantFrom('approved', 'rejected'),
  status: fc.constantFrom('settled', 'held', 'rejected'),
  code: fc.constant('approved'),
  amount: fc.bigInt({ min: 0n, max: 10n ** 15n }),
  currency: maybe,
  vendor: text,
  category: maybe,
  reference: maybe,
  reason: maybe,
  metadata: fc.option(fc.dictionary(text, text).map(asJson), { nil: null }),
  policyHash: maybe,
  failed: fc.array(text, { maxLength: 3 }),
  details: text.map((message) => JSON.stringify({ message, receipt: null })),
})

/** What is written directly has to be what anybody else would write. */
describe('the leaf of a decision', () => {
  test('has a payload in the canonical form', () => {
    fc.assert(
      fc.property(facts, (decision) => {
        const written = decisionText(decision)
        expect(toCanonicalJson(JSON.parse(written))).toBe(written)
      }),
    )
  })

  test('commits to its payload, and hashes, as every other leaf does', () => {
    const salt = '0f'.repeat(16)
    const at = '2026-11-16T09:00:00.000Z'
    fc.assert(
      fc.property(facts, (decision) => {
        const written = decisionText(decision)
        const commitment = commitToText(written, salt)
        expect(commitment).toBe(commitTo(JSON.parse(written), Buffer.from(salt, 'hex'), sha256))
        const told = { transactionId: ID, agentId: ID, decision: decision.decision, at, commitment }
        const subject = toPublicId('txn', ID)
        const kind = `transaction.${decision.decision}`
        const leaf = makeLeaf(
          { kind, subject, at, actorId: ID },
          JSON.parse(written),
          Buffer.from(salt, 'hex'),
          sha256,
        )
        expect(leaf && toHex(hashOfLeaf(leaf, sha256))).toBe(hashOfDecision(told))
      }),
    )
  })

  test('commits to payloads that are longer than the space that is used again', () => {
    const long = JSON.stringify('ä'.repeat(100_000))
    const salt = 'a0'.repeat(16)
    expect(commitToText(long, salt)).toBe(
      commitTo(JSON.parse(long), Buffer.from(salt, 'hex'), sha256),
    )
  })

  test('commits to the details as they were before they had the receipt', () => {
    fc.assert(
      fc.property(text, (message) => {
        const details = JSON.stringify({ message, receipt: null })
        const receipt = { log: 'purser/audit/org', leaf: 'ab', salt: 'cd' }
        const answered = withReceipt(details, receipt)
        expect(JSON.parse(answered)).toEqual({ message, receipt })
        expect(withoutReceipt(answered)).toBe(details)
        expect(withoutReceipt(details)).toBe(details)
      }),
    )
  })
})

function asJson(value: unknown): string {
  return JSON.stringify(value)
}
