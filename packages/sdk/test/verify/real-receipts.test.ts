import { PurserError } from '@purser/sdk'
import {
  type DecisionLike,
  type ProofError,
  type ProofLike,
  verifyInclusion,
  verifyReceipt,
} from '@purser/sdk/verify'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../../../server/test/support/app.ts'
import { sealAll } from '../../../server/test/support/audit-log.ts'
import { aKey, anActiveMandate, anAgent, bodyOf } from '../../../server/test/support/builders.ts'
import { aSpend } from '../../../server/test/support/spends.ts'
import type {
  AuditProof,
  Evaluation,
  SpendInput,
  Transaction,
} from '../../src/generated/types/index.ts'

type Decision = DecisionLike & {
  readonly evaluationDetails: NonNullable<DecisionLike['evaluationDetails']>
}
type Proof = ProofLike & { readonly keys: readonly string[]; readonly log: string }

const NOTED = { reference: 'PO 7', reason: 'Näher\n"quoted"', metadata: { run: 'ä\\', a: '1' } }

let app: TestApp
let acme: Owner
let agentId: string
let keys: readonly string[]
/** A held spend with everything that a request can have. */
let held: Decision
let proof: Proof

beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
  agentId = (await anActiveMandate(acme, { rules: [{ type: 'amount', max: 25 }] })).agentId
  held = await evaluated({ ...NOTED, amount: 12.345678, hold: { expiresIn: '1h' } })
  await sealAll(app)
  proof = await proofOf(held)
  keys = proof.keys
})
afterAll(() => app.stop())

async function evaluated(fields: object = {}, client = acme): Promise<Decision> {
  const request = { ...aSpend(agentId), ...fields }
  const answer = await client.post('/gateway/evaluate', request)
  bodyOf(answer)
  return { ...request, ...JSON.parse(answer.text), currency: 'USD' }
}

async function transactionOf({ transactionId }: DecisionLike): Promise<Decision> {
  return JSON.parse((await acme.get(`/transactions/${transactionId}`)).text)
}

async function proofOf({ evaluationDetails }: Decision, owner: Owner = acme): Promise<Proof> {
  const { text } = await owner.get(`/audit-log/proof?leaf=${evaluationDetails.receipt?.leaf}`)
  return JSON.parse(text)
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (thrown: ProofError) => thrown,
  )
  if (error) expect(PurserError.is(error) && error.name).toBe('ProofError')
  return error?.code ?? 'verified'
}

describe('verifyReceipt', () => {
  test('takes the types of the API', () => {
    const takesTransaction: (decision: Transaction, proof: AuditProof) => Promise<unknown> = (
      decision,
      found,
    ) => verifyReceipt(decision, found, keys)
    const takesEvaluation: (decision: Evaluation, sent: SpendInput) => Promise<unknown> = (
      decision,
      sent,
    ) => verifyReceipt({ ...sent, ...decision, currency: 'USD' }, proof, keys)
    expect([takesTransaction, takesEvaluation]).toHaveLength(2)
  })

  test('proves a real decision, from the answer of evaluate and from the transaction', async () => {
    const proven = await verifyReceipt(held, proof, keys)
    expect(proven).toEqual({
      log: proof.log,
      leaf: held.evaluationDetails.receipt?.leaf,
      index: proof.inclusion?.index,
      size: expect.any(Number),
      status: 'held',
      decidedAt: held.evaluationDetails.evaluatedAt,
    })
    expect(await verifyReceipt(await transactionOf(held), proof, keys)).toEqual(proven)
  })

  test('proves decisions of every outcome, also after they have changed', async () => {
    const cases = [
      { fields: {}, status: 'settled' },
      { fields: { amount: 40 }, status: 'rejected' },
      { fields: { amount: 0.000001, vendor: 'größe.example' }, status: 'settled' },
      { fields: { amount: 6, hold: { expiresIn: '1h' } }, status: 'held' },
    ]
    for (const { fields, status } of cases) {
      const decision = await evaluated(fields)
      if (status === 'held') {
        bodyOf(await acme.post(`/transactions/${decision.transactionId}/settle`, { amount: 5 }))
        bodyOf(await acme.post(`/transactions/${decision.transactionId}/refund`, { amount: 2 }))
      }
      await sealAll(app)
      const found = await proofOf(decision)
      expect(await verifyReceipt(decision, found, keys)).toMatchObject({ status })
      const stored = await transactionOf(decision)
      expect(await verifyReceipt(stored, found, keys)).toMatchObject({ status })
    }
  })

  test.each<[string, object]>([
    ['amount', { amount: 12.345679 }],
    ['amount with a seventh decimal', { amount: 12.3456781 }],
    ['amount that is no number', { amount: Number.NaN }],
    ['vendor', { vendor: 'api.evil.example' }],
    ['category', { category: null }],
    ['decision', { decision: 'rejected' }],
    ['currency', { currency: 'EUR' }],
    ['agent', { agentId: '019a8561-7c5e-7d40-9b5e-6f1f0a3c2b11' }],
    ['mandate', { mandateId: null }],
    ['transaction', { transactionId: 'txn_019a85617c5e7d409b5e6f1f0a3c2b11' }],
    ['reference', { reference: 'PO 8' }],
    ['reason', { reason: null }],
    ['metadata', { metadata: { ...NOTED.metadata, a: '2' } }],
  ])('refuses a changed %s', async (_name, change) => {
    const promise = verifyReceipt({ ...held, ...change }, proof, keys)
    expect(await codeOf(promise)).toBe('decision_mismatch')
  })

  test('refuses changed details, and a changed salt', async () => {
    const details = held.evaluationDetails
    const receipt = { log: proof.log, leaf: details.receipt?.leaf ?? '' }
    const changes = [
      { message: 'Another sentence.' },
      { durationMs: 0 },
      { evaluatedAt: '2026-11-17T00:00:00.000Z' },
      { receipt: { ...receipt, salt: '0'.repeat(32) } },
      { receipt: { ...receipt, salt: 'none' } },
    ]
    for (const change of changes) {
      const changed = { ...held, evaluationDetails: { ...details, ...change } }
      expect(await codeOf(verifyReceipt(changed, proof, keys))).toBe('decision_mismatch')
    }
  })

  test('asks for the currency if the answer of evaluate is alone', async () => {
    const { currency: _, ...alone } = held
    expect(await codeOf(verifyReceipt(alone, proof, keys))).toBe('currency_missing')
  })

  test('says that a simulation has no receipt', async () => {
    const { text } = await acme.post('/gateway/simulate', aSpend(agentId))
    const simulated = { ...JSON.parse(text), currency: 'USD' }
    expect(await codeOf(verifyReceipt(simulated, proof, keys))).toBe('receipt_missing')
  })

  test('says that an agent that may not see the whole decision has no salt', async () => {
    const parent = await anActiveMandate(acme, { rules: [{ type: 'amount', max: 5 }] })
    const { id } = await anAgent(acme)
    await anActiveMandate(acme, { agentId: id, parentMandateId: parent.id, budgetTotal: 10 })
    const { client } = await aKey(app, acme, { agentIds: [id] })
    const { text } = await client.post('/gateway/evaluate', { ...aSpend(id), amount: 7 })
    const decision = { ...JSON.parse(text), currency: 'USD' }
    await sealAll(app)
    const found = await proofOf(decision)
    expect(await codeOf(verifyReceipt(decision, found, keys))).toBe('salt_withheld')
    const receipt = decision.evaluationDetails.receipt
    expect(await codeOf(verifyInclusion(receipt, found, keys))).toBe('verified')
  })
})

describe('verifyInclusion', () => {
  const receipt = () => ({ log: proof.log, leaf: held.evaluationDetails.receipt?.leaf ?? '' })
  const check = (change: object, trusted: string | readonly string[] = keys) =>
    codeOf(verifyInclusion(receipt(), { ...proof, ...change } as ProofLike, trusted))

  test('takes keys as a list, one text, and a file with comments', async () => {
    expect(await check({})).toBe('verified')
    expect(await check({}, keys.join('\n'))).toBe('verified')
    expect(await check({}, `# The audit log of Acme\n\n${keys.join('\r\n')}\n`)).toBe('verified')
  })

  test('refuses a checkpoint that a different key has signed', async () => {
    const globex = await app.organization()
    await anActiveMandate(globex)
    await sealAll(app)
    const other = JSON.parse((await globex.get('/audit-log/proof')).text)
    expect(await check({}, other.keys)).toBe('key_unknown')
    expect(await check({ checkpoint: other.checkpoint })).toBe('key_unknown')
    // Both keys are trusted, but the receipt names one audit log.
    expect(await check({ checkpoint: other.checkpoint }, [...keys, ...other.keys])).toBe(
      'proof_mismatch',
    )
  })

  test('ignores the keys that the proof brings along', async () => {
    expect(await check({ keys: [] })).toBe('verified')
    const stranger = keys.map((key) => key.replace('org_', 'org_f'))
    expect(await check({ keys }, stranger)).toBe('keys_invalid')
  })

  test('refuses a changed checkpoint, index, hash and leaf', async () => {
    const { inclusion, checkpoint } = proof
    const [first = '', ...rest] = inclusion?.hashes ?? []
    const turned = `${first.startsWith('0') ? '1' : '0'}${first.slice(1)}`
    const grown = checkpoint.replace(/\n\d+\n/, (size) => `\n${Number(size) + 1}\n`)
    expect(await check({ checkpoint: grown })).toBe('signature_mismatch')
    expect(await check({ checkpoint: 'x' })).toBe('proof_invalid')
    expect(await check({ inclusion: { ...inclusion, hashes: [turned, ...rest] } })).toBe(
      'not_included',
    )
    expect(await check({ inclusion: { ...inclusion, hashes: rest } })).toBe('not_included')
    expect(await check({ inclusion: { ...inclusion, index: 0 } })).toBe('not_included')
    expect(await check({ inclusion: { ...inclusion, leaf: first } })).toBe('proof_mismatch')
  })

  test.each<[string, object]>([
    ['no inclusion', { inclusion: null }],
    ['hashes that are none', { inclusion: { index: 0, leaf: 'x', hashes: [] } }],
    ['no checkpoint', { checkpoint: undefined }],
  ])('says that a proof with %s is not one', async (_name, change) => {
    expect(await check(change)).toBe('proof_invalid')
  })

  test('refuses trusted keys that are none', async () => {
    expect(await check({}, [])).toBe('keys_invalid')
    expect(await check({}, '# only a comment')).toBe('keys_invalid')
    expect(await check({}, 'key')).toBe('keys_invalid')
  })

  test('says so if the runtime has no Ed25519', async () => {
    const { subtle } = globalThis.crypto
    const importing = vi.spyOn(subtle, 'importKey').mockImplementation(() => {
      throw new DOMException('Unrecognized name.', 'NotSupportedError')
    })
    try {
      expect(await check({})).toBe('crypto_unsupported')
    } finally {
      importing.mockRestore()
    }
  })
})
