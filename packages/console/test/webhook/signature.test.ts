import { describe, expect, it } from 'vitest'
import { computeSignatures, fitsBeginning } from '../../src/screens/settings/webhook/signature.ts'

// The secret, the body and the digests of docs/guide-webhooks.md.
const INPUT = {
  secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
  id: 'evt_019a85617c5e7d409b5e6f1f0a3c2b11',
  timestamp: '1794735000',
  body: '{"event":"mandate.budget.warning","timestamp":"2026-11-15T09:30:00.000Z","data":{"mandateId":"mnd_019a85617c5e7d409b5e6f1f0a3c2b11","agentId":"019a8561-7c5e-7d40-9b5e-6f1f0a3c2b11","budgetTotal":100,"budgetSpent":80,"percentUsed":80}}',
}

describe('the signature calculator', () => {
  it('gives the digests of the guide', async () => {
    expect(await computeSignatures(INPUT)).toEqual({
      serviceSignature: '1520e93eb57f6d923703f4de463750cad4cafb586653bd4057c362ea9953c821',
      webhookSignature: 'v1,L2YYa7X6pKEyrx22DnG7uD/W4OvrNiF0jPcM3uaGUYM=',
    })
  })

  it('signs the bytes of the body, also those of other scripts', async () => {
    const { serviceSignature } = await computeSignatures({ ...INPUT, body: '{"name":"Sørensen"}' })
    expect(serviceSignature).toMatch(/^[0-9a-f]{64}$/)
  })

  it('has no standard signature for a secret that is no base64', async () => {
    const { webhookSignature } = await computeSignatures({ ...INPUT, secret: 'whsec_not base64!' })
    expect(webhookSignature).toBeNull()
  })

  it('compares with the beginning that the log keeps', () => {
    const computed = 'v1,L2YYa7X6pKEyrx22'
    expect(fitsBeginning(computed, 'v1,L2YYa7X6…')).toBe(true)
    expect(fitsBeginning(computed, 'v1,AAAAAAAA… v1,L2YYa7X6…')).toBe(true)
    expect(fitsBeginning(computed, 'v1,AAAAAAAA…')).toBe(false)
    expect(fitsBeginning(computed, undefined)).toBeNull()
  })
})
