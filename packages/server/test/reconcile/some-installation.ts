import { toUuid } from '../../src/core/id.ts'
import { units } from '../core/desk.ts'
import { openCardDesk } from '../paths/card/desk.ts'
import { FURTHER, SCENES, type SceneStage } from '../routes/change-scenes.ts'
import type { Owner, TestApp } from '../support/app.ts'
import { anApprover, approvedFor, aSpender } from '../support/approvals.ts'
import { sealAll } from '../support/audit-log.ts'
import { aKey, anActiveMandate, bodyOf } from '../support/builders.ts'
import { addPasskey, dataOf, signInWith } from '../support/passkeys.ts'
import { createPathGateway, inPlace } from '../support/path-gateway.ts'
import { aBrowser, aMember, PASSWORD } from '../support/people.ts'
import { evaluate } from '../support/spends.ts'

/** One organization that has every kind of leaf. */
export async function someInstallation(app: TestApp): Promise<Owner> {
  const acme = await app.organization()
  const stage = { app, acme, hook: 'http://127.0.0.1:9/hook', hide: () => undefined }
  const { authorizeCard, tellCardEvent, ...scenes } = SCENES
  for (const prepare of Object.values({ ...scenes, ...FURTHER })) await play(prepare, stage)
  await someCards(app, acme)
  await someMoney(app, acme)
  await somePeople(app, acme)
  await sealAll(app)
  return acme
}

/** Ignores errors, because some scenes create things that an earlier one has already created. */
async function play(
  prepare: (stage: SceneStage) => Promise<{ act(): Promise<unknown> }>,
  stage: SceneStage,
): Promise<void> {
  try {
    await (await prepare(stage)).act()
  } catch (error) {
    if (!(error instanceof Error)) throw error
  }
}

/** The desk stores its connection and its card directly, so the API changes each once. */
async function someCards(app: TestApp, acme: Owner): Promise<void> {
  const desk = await openCardDesk({ app, acme, connection: { deadlineMs: 5_000 } })
  bodyOf(await acme.patch(`/card-connections/${desk.connectionId}`, { name: 'Another issuer' }))
  const { data } = bodyOf(await acme.get(`/cards?connectionId=${desk.connectionId}`))
  for (const { id } of data) bodyOf(await acme.patch(`/cards/${id}`, { label: 'Desk' }))
  await desk.ask({ authorizationId: 'open' })
  await desk.ask({ authorizationId: 'told' })
  const captured = { authorizationId: 'told', amount: 30, currency: 'USD', final: true }
  await desk.tell('capture', captured)
}

const LIMITS = [
  { type: 'limit', maxAmount: 900, window: 'day' },
  { type: 'limit', maxCount: 90, window: '1h', groupBy: 'vendor' },
]

async function someMoney(app: TestApp, acme: Owner): Promise<void> {
  const parent = await anActiveMandate(acme, { budgetTotal: 900, rules: LIMITS })
  const child = await anActiveMandate(acme, {
    budgetTotal: 500,
    budgetPeriod: 'monthly',
    parentMandateId: parent.id,
    rules: [...LIMITS, { type: 'amount', max: 5, effect: 'flag' }],
  })
  const hold = { hold: { expiresIn: '1h' } }
  const { agentId } = child
  await evaluate(acme, parent.agentId, { amount: 3 })
  await evaluate(acme, agentId, { amount: 7, metadata: { run: '7' } })
  await evaluate(acme, agentId, { amount: 4_000 })
  await evaluate(acme, agentId, { amount: 11, ...hold })
  const [settled, refunded, voided, raised] = [
    await evaluate(acme, agentId, { amount: 12, ...hold }),
    await evaluate(acme, agentId, { amount: 13, ...hold }),
    await evaluate(acme, agentId, { amount: 14, ...hold }),
    await evaluate(acme, agentId, { amount: 15, ...hold }),
  ]
  bodyOf(await acme.post(`/transactions/${settled.transactionId}/settle`, { amount: 9 }))
  bodyOf(await acme.post(`/transactions/${refunded.transactionId}/settle`))
  bodyOf(await acme.post(`/transactions/${refunded.transactionId}/refund`, { amount: 2 }))
  bodyOf(await acme.post(`/transactions/${voided.transactionId}/void`))
  const gateway = createPathGateway(app)
  const id = toUuid('txn', raised.transactionId) ?? ''
  await inPlace(app, acme, id, (place) => gateway.raise(place, units(3)))
  await gateway.stop()
  bodyOf(await acme.patch(`/mandates/${child.id}`, { rules: LIMITS }))
  const above = await anActiveMandate(acme, { rules: [{ type: 'approval', above: 5 }] })
  const spender = await aSpender(app, acme, above.agentId)
  const approver = await anApprover(app, acme)
  const approvalId = await approvedFor({ spender, approver }, above.agentId, { amount: 10 })
  await evaluate(spender, above.agentId, { amount: 10, approvalId })
}

async function somePeople(app: TestApp, acme: Owner): Promise<void> {
  const [owner, admin] = [await aMember(app, acme), await aMember(app, acme, { role: 'admin' })]
  const { token } = bodyOf(await owner.post(`/console/api/members/${admin.id}/reset-link`))
  bodyOf(await admin.post('/console/api/accept', { token, password: PASSWORD }))
  const { authenticator } = await addPasskey(admin)
  await signInWith(app, authenticator)
  const { codes } = dataOf<{ codes: string[] }>(await admin.post('/console/api/recovery-codes'))
  const used = { email: admin.email, recoveryCode: codes[0] }
  bodyOf(await aBrowser(app).post('/console/api/sign-in', used))
  await aKey(app, acme, { scopes: ['agents:read'] })
  await acme.post('/api-keys', { name: 'Bound', scopes: ['gateway:evaluate'] })
}
