import type { FastifyRequest } from 'fastify'
import { Problem } from '../../base/errors.ts'
import { isMember, REAUTHENTICATED_MS } from '../../core/people/member-principal.ts'
import type { Principal } from '../../core/principal.ts'
import type { Instant } from '../../core/time/instant.ts'

/** A change that needs the password only in some cases. */
export interface SensitiveCase {
  /** The field of the body that it is about. */
  readonly field: string
  /** Which values of the field need it, as the document says after its name: `with the value true`. */
  readonly when: string
  /**
   * Whether it is needed for this body, which has the field. Left out where only the handler can tell: it
   * then asks `requireReauthentication` itself.
   */
  readonly isNeeded?: (body: Readonly<Record<string, unknown>>) => boolean
}

/**
 * Which changes of an endpoint need the password: all, those of these fields, or some cases of them. To
 * stop something never does: whoever stops must not look for a password first.
 */
export type Sensitive = true | readonly (string | SensitiveCase)[]

/** To let something spend again that was stopped is what un-freezing is for one agent, card or issuer. */
export const RESUMING: SensitiveCase = {
  field: 'status',
  when: 'with the value `active`',
  isNeeded: ({ status }) => status === 'active',
}

/**
 * Whoever finds a browser that somebody has left must not be able to take over the organization, or to
 * move its money: what is sensitive needs the password, given lately. Keys have none.
 */
export function requireReauthentication(principal: Principal, now: Instant): void {
  const problem = missingReauthentication(principal, now)
  if (problem) throw problem
}

/** Undefined if the person has given the password lately, and for a key. */
export function missingReauthentication(principal: Principal, now: Instant): Problem | undefined {
  if (!isMember(principal)) return undefined
  if (now < principal.reauthenticatedAt + REAUTHENTICATED_MS) return undefined
  return new Problem(
    'reauthentication_required',
    'This requires that you entered your password within the last five minutes. Send it to POST /console/api/reauthenticate, then retry.',
  )
}

/** For an endpoint where only some changes are sensitive. */
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

/** The changes as the document and the guides name them; empty where all of them need it. */
export function namesOfChanges(sensitive: Sensitive): string[] {
  if (sensitive === true) return []
  return sensitive.map((change) =>
    typeof change === 'string' ? `\`${change}\`` : `\`${change.field}\` ${change.when}`,
  )
}
