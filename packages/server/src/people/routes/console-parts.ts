import assert from 'node:assert/strict'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import { isMember, type MemberPrincipal } from '../../core/people/member-principal.ts'
import type { MemberAuthentication } from '../../http/auth/authenticate-member.ts'
import type { ClientAddress } from '../../http/auth/client-address.ts'
import type { Write } from '../../http/idempotency.ts'
import type { Sealer } from '../../storage/secrets/sealed.ts'
import type { SignInParts } from '../counted-attempt.ts'
import { findPasskeyPlace, type PasskeyPlace } from '../passkey-host.ts'

/** The parts that the console's endpoints need. */
export interface ConsoleParts extends SignInParts, MemberAuthentication {
  readonly write: Write
  readonly clientAddress: ClientAddress
  readonly log: Log
  /** Whether the gateway has an SMTP server, so that invitations are mailed. */
  readonly sendsMail: boolean
  readonly outbound: {
    /** Says why a URL may not be called; undefined if it may. */
    refusalOf(url: string): Promise<{ readonly reason: string; readonly text: string } | undefined>
  }
  /** Seals the challenges of passkeys, the URL of the chat, and tokens of links in mails. */
  readonly sealer: Sealer
  readonly environment: 'development' | 'production' | 'demo'
  /** The gateway's public URL. Undefined if it is not configured. */
  readonly publicUrl: () => string | undefined
}

/** Only members get past authentication here. */
export function signedIn({ principal }: FastifyRequest): MemberPrincipal {
  assert(isMember(principal), 'only members reach the endpoints of the console')
  return principal
}

/** The place that passkeys belong to; refuses a page where browsers allow none. */
export function passkeyPlaceOf({ headers }: FastifyRequest, parts: ConsoleParts): PasskeyPlace {
  const place = findPasskeyPlace(parts, headers.host)
  if (place) return place
  throw new Problem(
    'passkeys_unavailable',
    'Browsers allow passkeys only at a host name, and this page was opened at an IP address or at an unknown one. Open the console at http://localhost with the port of the gateway, or set PURSER_PUBLIC_URL to an address with a host name.',
  )
}
