import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { anApprover, aSpender, decideOn, readApproval } from '../../support/approvals.ts'
import { anActiveMandate, bodyOf } from '../../support/builders.ts'
import { usualEngine } from '../../support/database.ts'
import { readTransaction } from '../../support/spends.ts'
import { aWallet, pay, refusalOf, WITHOUT_NODE } from './payments.ts'
import { someDocument, someOffer } from './some-offer.ts'

const OTHER = `0x${'cd'.repeat(20)}`

describe('an x402 payment that needs a person', () => {
  let app: TestApp
  let acme: Owner
  let approver: Client

  beforeAll(async () => {
    app = await createTestApp(usualEngine(), WITHOUT_NODE)
    acme = await app.organization()
    approver = await anApprover(app, acme)
    await aWallet(acme)
  })
  afterAll(() => app.stop())

  async function asked() {
    const { agentId } = await anActiveMandate(acme, { rules: [{ type: 'approval' }] })
    const spender = await aSpender(app, acme, agentId)
    const { status, evaluationDetails } = await pay(spender, agentId)
    expect(status).toBe('rejected')
    return { agentId, spender, id: evaluationDetails.approval?.id ?? '' }
  }

  test('is signed once it is approved, and only once', async () => {
    const { agentId, spender, id } = await asked()
    expect(await readApproval(acme, id)).toMatchObject({ path: 'x402', status: 'pending' })
    expect((await pay(spender, agentId, { approvalId: id })).evaluationDetails).toMatchObject({
      code: 'approval_required',
      approval: { id },
    })
    bodyOf(await decideOn(approver, id))
    const paid = await pay(spender, agentId, { approvalId: id })
    expect(paid.status).toBe('signed')
    expect((await readTransaction(acme, paid.transactionId)).approvalId).toBe(id)
    expect((await pay(spender, agentId, { approvalId: id })).status).toBe('rejected')
  })

  test('is not signed for an address that the person was not shown', async () => {
    const { agentId, spender, id } = await asked()
    bodyOf(await decideOn(approver, id))
    const paymentRequired = someDocument({ accepts: [someOffer({ payTo: OTHER })] })
    const paid = await pay(spender, agentId, { approvalId: id, paymentRequired })
    expect(paid.status).toBe('rejected')
    expect(paid.evaluationDetails.message).toContain('a different payee address')
    expect((await readApproval(acme, id)).status).toBe('approved')
  })

  test('takes no approval for a quote, and none that does not exist', async () => {
    const { agentId, spender, id } = await asked()
    const quoted = await refusalOf(spender, agentId, { mode: 'quote', approvalId: id })
    expect(quoted).toEqual([400, 'validation_failed'])
    const approvalId = 'apr_019a85617c5e7d409b5e6f1f0a3c2b11'
    expect(await refusalOf(spender, agentId, { approvalId })).toEqual([404, 'approval_not_found'])
  })
})
