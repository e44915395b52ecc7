import { createGateway } from '../../src/gateway/gateway.ts'
import { createClock } from '../../src/storage/engine/clock.ts'
import { openPostgres } from '../../src/storage/engine/postgres.ts'
import { someSpend } from '../core/desk.ts'
import { silentLog } from '../support/silent-log.ts'

/**
 * A process that asks for one decision without a deadline, and stops itself, as SIGSTOP stops a
 * process, between the two round trips of the decision. It prints what its caller is told.
 */
const [url = '', organizationId = '', agentId = '', transactionId = ''] = process.argv.slice(2)
const db = await openPostgres({ url }, silentLog)
const gateway = createGateway({
  db,
  approvalUrl: () => null,
  lanesMax: 1,
  agentUse: { note: () => {}, stop: async () => {} },
  onStored: () => {},
  clock: await createClock(db),
  log: silentLog,
})
let isStopped = false
const told = await gateway
  .decide({
    spend: someSpend({ transactionId, organizationId, agentId }),
    reason: null,
    metadata: null,
    idempotency: null,
    alongside: () => {
      if (!isStopped) process.kill(process.pid, 'SIGSTOP')
      isStopped = true
      return []
    },
    receivedAt: performance.now(),
  })
  .catch((error: { code: string }) => error)
console.log('decision' in told ? told.decision : told.code)
await gateway.stop()
await db.close()
