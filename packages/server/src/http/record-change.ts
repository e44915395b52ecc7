import assert from 'node:assert/strict'
import type { FastifyRequest } from 'fastify'
import { actorOf } from '../core/actor.ts'
import type { NewChange } from '../core/change.ts'
import { recordChange } from '../storage/changes.ts'
import type { Database, Tx } from '../storage/engine/database.ts'
import { repeatedTransaction } from '../storage/engine/repeated-transaction.ts'

/** Says what a request has changed, once for each thing and at any point of its transaction. */
export type RecordChange = (change: NewChange) => void

/**
 * The transaction of a change that somebody asked for, together with the record of who changed what.
 * The record is sent last, behind everything that `run` sends and its answer keeps.
 *
 * What a key does that is bound to agents is an agent's own doing: its spends and what became of them
 * are in the record of transactions, and it can change nothing else. So no row is kept of it, and an
 * agent cannot fill the record of its organization.
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
