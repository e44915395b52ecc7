import assert from 'node:assert/strict'
import type { FastifyRequest } from 'fastify'
import { isMember, type MemberPrincipal } from '../../core/people/member-principal.ts'
import type { MemberAuthentication } from '../../http/auth/authenticate-member.ts'
import type { ClientAddress } from '../../http/auth/client-address.ts'
import type { Write } from '../../http/idempotency.ts'
import type { SignInParts } from '../sign-in.ts'

/** What the endpoints of the console need. */
export interface ConsoleParts extends SignInParts, MemberAuthentication {
  readonly write: Write
  readonly clientAddress: ClientAddress
  /** Where this gateway is reached from outside; undefined if nobody has said it. */
  readonly publicUrl: () => string | undefined
}

/** Whoever asks has been admitted, and only members are. */
export function signedIn({ principal }: FastifyRequest): MemberPrincipal {
  assert(isMember(principal), 'only members come to the endpoints of the console')
  return principal
}
