import { toCanonicalJson } from '@purser/audit'
import { type Commitment, commitToText } from '../../core/audit/decision-leaf.ts'
import type { Statement } from '../engine/database.ts'
import { plainArray } from '../engine/wire-array.ts'
import { newSalt } from './new-salt.ts'

/**
 * Commits to a payload with a new salt. The payload passes through JSON first, because later
 * readers get it from there.
 */
export function makeCommitment(payload: object): Commitment {
  const text = payloadText(payload)
  const salt = newSalt()
  return { salt, commitment: commitToText(text, salt) }
}

/** The text that a leaf commits to. */
export function payloadText(payload: object): string {
  const text = toCanonicalJson(JSON.parse(JSON.stringify(payload)))
  if (text === undefined)
    throw new Error('The event or change has no text that a leaf could commit to.')
  return text
}

/**
 * For a decision whose record was replaced: its leaf stays, but its content can no longer be
 * proven.
 */
export function forgetSalt(organizationId: string, eventId: string): Statement {
  return {
    text: 'update webhook_events set salt = null where organization_id = $1 and id = $2',
    values: [organizationId, eventId],
  }
}

/** A commitment for a row that an older gateway stored without one. */
export interface LateCommitment extends Commitment {
  readonly number: bigint
}

export function commitEvents(
  organizationId: string,
  committed: readonly (LateCommitment & { readonly id: string })[],
): Statement {
  return {
    text: `
      update webhook_events e
      set salt = decode(c.salt, 'hex'), commitment = decode(c.commitment, 'hex')
      from unnest($2::uuid[], $3::text[], $4::text[]) as c (id, salt, commitment)
      where e.organization_id = $1 and e.id = c.id and e.id = any($2::uuid[])`,
    values: [
      organizationId,
      plainArray(committed.map(({ id }) => id)),
      plainArray(committed.map(({ salt }) => salt)),
      plainArray(committed.map(({ commitment }) => commitment)),
    ],
  }
}

export function commitChanges(
  organizationId: string,
  committed: readonly LateCommitment[],
): Statement {
  return {
    text: `
      update changes h
      set salt = decode(c.salt, 'hex'), commitment = decode(c.commitment, 'hex')
      from unnest($2::bigint[], $3::text[], $4::text[]) as c (number, salt, commitment)
      where h.organization_id = $1 and h.number = c.number`,
    values: [
      organizationId,
      plainArray(committed.map(({ number }) => number)),
      plainArray(committed.map(({ salt }) => salt)),
      plainArray(committed.map(({ commitment }) => commitment)),
    ],
  }
}
