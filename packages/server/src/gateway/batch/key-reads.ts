import type { SpacedKey } from '../../core/idempotency.ts'
import { type DecisionKeyRow, findDecisionKeys } from '../../storage/decisions/decision-keys.ts'
import type { Tx } from '../../storage/engine/database.ts'
import { takeKeys } from '../../storage/idempotency.ts'
import type { QueuedSubmission } from '../deadlines/deadline.ts'
import type { Submission } from '../submission.ts'

/** Takes the keys of submissions with a deadline, so that this batch alone holds them. */
export function takeKeysOf(
  tx: Tx,
  organizationId: string,
  submissions: readonly QueuedSubmission[],
): Promise<SpacedKey[]> | [] {
  const keys = new Map<string, SpacedKey>()
  for (const { idempotency, deadline } of submissions) {
    if (idempotency && deadline) keys.set(nameOf(idempotency), idempotency)
  }
  return keys.size === 0 ? [] : takeKeys(tx, organizationId, [...keys.values()])
}

/** Reads the stored answers of the keys. */
export function readKeys(
  tx: Tx,
  organizationId: string,
  submissions: readonly Submission[],
): Promise<DecisionKeyRow[]> | [] {
  const keys = new Map<string, SpacedKey>()
  for (const { idempotency } of submissions) {
    if (idempotency) keys.set(nameOf(idempotency), idempotency)
  }
  return keys.size === 0 ? [] : findDecisionKeys(tx, organizationId, [...keys.values()])
}

/** Returns the name of an Idempotency-Key, unique within the organization. */
export function nameOf({ space, key }: SpacedKey): string {
  return `${space} ${key}`
}
