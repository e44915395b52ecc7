import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { aDraft, anActiveMandate, anAgent, bodyOf } from '../../support/builders.ts'

let app: TestApp
let acme: Owner

beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
})
afterAll(() => app.stop())

describe('discloseLimits', () => {
  test('is false unless the mandate says it, whatever its parent says', async () => {
    const parent = await anActiveMandate(acme, { discloseLimits: true })
    const { id: agentId } = await anAgent(acme)
    const child = await aDraft(acme, { agentId, parentMandateId: parent.id })
    expect(parent).toMatchObject({ discloseLimits: true })
    expect(child).toMatchObject({ discloseLimits: false })
    const stated = await acme.patch(`/mandates/${child.id}`, { discloseLimits: true })
    expect(bodyOf(stated)).toMatchObject({ discloseLimits: true })
  })

  test('makes a new version of an active mandate, and the version tells it', async () => {
    const { id } = await anActiveMandate(acme)
    const changed = bodyOf(await acme.patch(`/mandates/${id}`, { discloseLimits: true }))
    expect(changed).toMatchObject({ version: 2, discloseLimits: true })
    const { data } = bodyOf(await acme.get(`/mandates/${id}/versions`))
    expect(data[0]).toMatchObject({
      discloseLimits: true,
      changes: [{ field: 'discloseLimits', before: false, after: true }],
    })
  })

  test('is no part of the policy that spends are judged by', async () => {
    const { id } = await anActiveMandate(acme)
    await acme.patch(`/mandates/${id}`, { discloseLimits: true })
    const rows = await app.rows<{ hash: string }>(
      'select distinct policy_hash as hash from mandate_versions where mandate_id = $1',
      [id.replace(/^mnd_(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')],
    )
    expect(rows).toHaveLength(1)
  })
})
