import type { CountedState } from '../../core/analytics/counted-state.ts'
import type { Statement } from '../engine/database.ts'
import { plainArray, textArray, texts } from '../engine/wire-array.ts'
import { TAKE_NUMBERS } from '../webhooks/events.ts'

/** A change of one transaction, as far as analytics counts it. */
export interface CountedChange {
  readonly transactionId: string
  readonly before: CountedState
  readonly after: CountedState
}

/**
 * Stores changes for analytics, in the transaction that makes them. The statement takes numbers of
 * the feed, so send it last (`sendLast`).
 */
export function storeCountedChanges(
  organizationId: string,
  changes: readonly CountedChange[],
): Statement {
  return {
    name: 'store-counted-changes',
    text: STORE_COUNTED_CHANGES,
    values: [
      organizationId,
      plainArray(changes.map(({ transactionId }) => transactionId)),
      changes.length,
      ...stateValues(changes.map(({ before }) => before)),
      ...stateValues(changes.map(({ after }) => after)),
    ],
  }
}

function stateValues(states: readonly CountedState[]): readonly string[] {
  return [
    plainArray(states.map(({ held }) => held)),
    plainArray(states.map(({ settled }) => settled)),
    plainArray(states.map(({ refunded }) => refunded)),
    textArray(states.map(({ code }) => code)),
    textArray(states.map(({ rule }) => rule)),
  ]
}

const STORE_COUNTED_CHANGES = `
  with ${TAKE_NUMBERS}
  insert into analytics_changes (organization_id, transaction_id, held_before, settled_before,
                                 refunded_before, code_before, rule_before, held_after,
                                 settled_after, refunded_after, code_after, rule_after, number)
  select $1, c.id, c.held_before, c.settled_before, c.refunded_before, c.code_before, c.rule_before,
         c.held_after, c.settled_after, c.refunded_after, c.code_after, c.rule_after,
         (select before from feed) + c.place
  from unnest($2::uuid[], $4::bigint[], $5::bigint[], $6::bigint[], ${texts('$7')}, ${texts('$8')},
              $9::bigint[], $10::bigint[], $11::bigint[], ${texts('$12')}, ${texts('$13')})
    with ordinality
    as c (id, held_before, settled_before, refunded_before, code_before, rule_before, held_after,
          settled_after, refunded_after, code_after, rule_after, place)`

/** Removes changes that every book has counted. */
export function removeCountedChanges(organizationId: string, to: bigint, limit: number): Statement {
  return {
    name: 'remove-counted-changes',
    text: `delete from analytics_changes
           where organization_id = $1 and number in (
             select number from analytics_changes
             where organization_id = $1 and number <= $2 order by number limit $3)`,
    values: [organizationId, to, limit],
  }
}
