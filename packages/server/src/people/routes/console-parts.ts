import assert from 'node:assert/strict'
import type { FastifyRequest } from 'fastify'
import { isMember, type MemberPrincipal } from '../../core/people/member-principal.ts'
import type { MemberAuthentication } from '../../http/auth/authenticate-member.ts'
import type { ClientAddress } from '../../http/auth/client-address.ts'
import type { Write } from '../../http/idempotency.ts'
import type { SignInParts } from '../sign-in.ts'

/** The parts that the console's endpoints need. */
export interface ConsoleParts extends SignInParts, MemberAuthentication {
  readonly write: Write
  readonly clientAddress: ClientAddress
  readonly environment: 'development' | 'production' | 'demo'
  /** The gateway's public URL. Undefined if it is not configured. */
  readonly publicUrl: () => string | undefined
}

/** Only members get past authentication here. */
export function signedIn({ principal }: FastifyRequest): MemberPrincipal {
  assert(isMember(principal), 'only members reach the endpoints of the console')
  return principal
}
