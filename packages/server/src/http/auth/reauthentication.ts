import type { FastifyRequest } from 'fastify'
import { Problem } from '../../base/errors.ts'
import { isMember, REAUTHENTICATED_MS } from '../../core/people/member-principal.ts'
import type { Principal } from '../../core/principal.ts'
import type { Instant } from '../../core/time/instant.ts'

/** A change that needs the password only in some cases. */
export interface SensitiveCase {
  /** The field of the body that decides. */
  readonly field: string
  /** Which values of the field need it. The document shows this after the name of the field. */
  readonly when: string
  /**
   * Whether the password is needed for this body, which has the field. Absent if only the handler
   * can decide: it then calls `requireReauthentication` itself.
   */
  readonly isNeeded?: (body: Readonly<Record<string, unknown>>) => boolean
}

/**
 * The changes of an endpoint that need the password: all, those of these fields, or some cases.
 * Stopping something never does: a person who stops something must not need a password first.
 */
export type Sensitive = true | readonly (string | SensitiveCase)[]

/** Letting a stopped agent, card or issuer spend again is as sensitive as un-freezing. */
export const RESUMING: SensitiveCase = {
  field: 'status',
  when: 'with the value `active`',
  isNeeded: ({ status }) => status === 'active',
}

/**
 * A stranger at an unattended browser must not be able to take over the organization or move its
 * money. So sensitive changes need a recently entered password. Keys have no password.
 */
export function requireReauthentication(principal: Principal, now: Instant): void {
  const problem = missingReauthentication(principal, now)
  if (problem) throw problem
}

/** Returns undefined if the member has entered the password recently, and for a key. */
export function missingReauthentication(principal: Principal, now: Instant): Problem | undefined {
  if (!isMember(principal)) return undefined
  if (now < principal.reauthenticatedAt + REAUTHENTICATED_MS) return undefined
  return new Problem(
    'reauthentication_required',
    'This requires that you entered your password or used a passkey within the last five minutes. Send either to POST /console/api/reauthenticate, then retry.',
  )
}

/** The hook for an endpoint where only some changes are sensitive. */
export function guardChanges(changes: Exclude<Sensitive, true>, now: () => Instant) {
  return (request: FastifyRequest, _reply: unknown, done: () => void): void => {
    const { body, principal } = request
    if (changes.some((change) => isNeeded(change, body))) {
      requireReauthentication(principal, now())
    }
    done()
  }
}

function isNeeded(change: string | SensitiveCase, body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false
  if (typeof change === 'string') return Object.hasOwn(body, change)
  if (!Object.hasOwn(body, change.field)) return false
  return change.isNeeded?.({ ...body }) ?? false
}

/** The changes as the document and the guides name them; empty if all of them need the password. */
export function namesOfChanges(sensitive: Sensitive): string[] {
  if (sensitive === true) return []
  return sensitive.map((change) =>
    typeof change === 'string' ? `\`${change}\`` : `\`${change.field}\` ${change.when}`,
  )
}
