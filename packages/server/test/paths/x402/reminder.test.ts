import { expect, onTestFinished, test } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { anActiveMandate } from '../../support/builders.ts'
import { usualEngine } from '../../support/database.ts'
import { recordLog } from '../../support/recorded-log.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { aWallet, pay, WITHOUT_NODE } from './payments.ts'

test('a payment that is held past its end is recalled to the operator now and then', async () => {
  const log = recordLog()
  const app = await createTestApp(usualEngine(), WITHOUT_NODE, log.log)
  onTestFinished(app.stop)
  const acme = await app.organization()
  await aWallet(acme)
  const { agentId } = await anActiveMandate(acme)
  const { transactionId, payment } = await pay(acme, agentId)
  const told = () => log.lines.filter(({ event }) => event === 'x402.hold_overdue')

  app.clock.now = Date.parse(payment?.validBefore ?? '') + 60_000
  await waitUntil(async () => {
    // Again, should a look have been under way that puts its turn off.
    await app.rows(`update x402_payments set checks = 39, check_at = '-infinity'`)
    return told().length > 0
  })
  expect(told()[0]).toMatchObject({ transactionId, network: 'eip155:84532' })
})
