import assert from 'node:assert/strict'
import type { FastifyRequest } from 'fastify'
import { actorOf } from '../core/actor.ts'
import type { NewChange } from '../core/change.ts'
import { recordChange } from '../storage/changes.ts'
import type { Database, Tx } from '../storage/engine/database.ts'
import { repeatedTransaction } from '../storage/engine/repeated-transaction.ts'

/** Reports a change of a request, once per changed resource and at any point of its transaction. */
export type RecordChange = (change: NewChange) => void

/**
 * Runs the transaction of a requested change, and stores the change record: who changed what. The
 * record is sent last, after everything that `run` sends and after its stored answer.
 *
 * Requests of a key that is bound to agents are the agent's own actions: its spends and their
 * outcomes are stored as transactions, and it can change nothing else. So they leave no change
 * record, and an agent cannot fill the records of its organization.
 */
export function recordedTransaction<Answer>(
  db: Pick<Database, 'transaction'>,
  request: Pick<FastifyRequest, 'organizationId' | 'principal' | 'routeOptions' | 'body'>,
  run: (tx: Tx, record: RecordChange) => Promise<Answer>,
): Promise<Answer> {
  const { organizationId, principal, routeOptions, body } = request
  const runIt = async (tx: Tx): Promise<Answer> => {
    const recorded = new Map<string, NewChange>()
    const answer = await run(tx, (change) => {
      assert(!recorded.has(change.subjectId), 'a request changes a thing once')
      recorded.set(change.subjectId, change)
    })
    if (principal.agentIds === null) {
      for (const change of recorded.values()) {
        recordChange(tx, organizationId, actorOf(principal), change)
      }
    }
    return answer
  }
  return repeatedTransaction(db, organizationId, runIt, routeOptions.config.stops?.(body))
}
