import { createGateway } from '../../src/gateway/gateway.ts'
import { createClock } from '../../src/storage/engine/clock.ts'
import { openPostgres } from '../../src/storage/engine/postgres.ts'
import { someSpend } from '../core/desk.ts'
import { anIdempotencyKey } from '../support/idempotency-key.ts'
import { silentLog } from '../support/silent-log.ts'

/**
 * A process that asks for one decision within so many milliseconds, and stops itself, as SIGSTOP stops a
 * process, between the two round trips of the decision. It prints what its caller is told.
 */
const [url = '', organizationId = '', agentId = '', transactionId = '', withinMs = ''] =
  process.argv.slice(2)
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
// What is loaded and compiled once is not to be waited for within the deadline.
await gateway.preview(someSpend({ organizationId, agentId }), undefined)
let isStopped = false
const decided = await gateway.decide({
  spend: someSpend({ transactionId, organizationId, agentId, holdMs: 3_600_000 }),
  reason: null,
  metadata: null,
  idempotency: anIdempotencyKey(agentId, transactionId),
  alongside: ({ decision }) => {
    if (decision === 'approved' && !isStopped) {
      isStopped = true
      process.kill(process.pid, 'SIGSTOP')
    }
    return []
  },
  receivedAt: performance.now(),
  answerBy: performance.now() + Number(withinMs),
})
console.log(`${isStopped} ${decided.decision} ${decided.code}`)
await gateway.stop()
await db.close()
