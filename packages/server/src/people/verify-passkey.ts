import type { Passkey } from '../storage/people/passkeys.ts'
import type { PasskeyPlace } from './passkey-host.ts'

/** EdDSA, ES256 and RS256: between them, all common authenticators. */
export const ALGORITHMS = [-8, -7, -257] as const

/** The browser's answer to a request for a new passkey. */
export interface RegistrationAnswer {
  readonly id: string
  readonly rawId: string
  readonly type: 'public-key'
  readonly response: {
    readonly clientDataJSON: string
    readonly attestationObject: string
    readonly transports?: readonly string[]
  }
}

/** The browser's answer to a request to sign in. */
export interface SignInAnswer {
  readonly id: string
  readonly rawId: string
  readonly type: 'public-key'
  readonly response: {
    readonly clientDataJSON: string
    readonly authenticatorData: string
    readonly signature: string
    readonly userHandle?: string | null
  }
}

interface Expected {
  readonly challenge: string
  readonly place: PasskeyPlace
}

/** The challenge that the answer names. Empty if there is none; it is never valid then. */
export function challengeOf({
  response,
}: {
  readonly response: { readonly clientDataJSON: string }
}): string {
  try {
    const data: unknown = JSON.parse(
      Buffer.from(response.clientDataJSON, 'base64url').toString('utf8'),
    )
    if (typeof data !== 'object' || data === null || !('challenge' in data)) return ''
    return typeof data.challenge === 'string' ? data.challenge : ''
  } catch {
    return ''
  }
}

export type NewKey = Pick<Passkey, 'credentialId' | 'publicKey' | 'isSynced' | 'signCount'>

/**
 * Verifies a new passkey; undefined if the answer is wrong. Attestation with certificates is refused:
 * the options do not request it, and the library would fetch revocation lists from addresses in the
 * certificates.
 */
export async function verifyRegistration(
  answer: RegistrationAnswer,
  { challenge, place }: Expected,
): Promise<NewKey | undefined> {
  const { verifyRegistrationResponse, decodeAttestationObject, isoBase64URL } = await import(
    './passkey-libraries.ts'
  )
  const { clientDataJSON, attestationObject } = answer.response
  try {
    const decoded = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject))
    const isSelfMade = decoded.get('fmt') === 'packed' && !decoded.get('attStmt').get('x5c')
    if (decoded.get('fmt') !== 'none' && !isSelfMade) return undefined
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...answer,
        response: { clientDataJSON, attestationObject },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: place.origin,
      expectedRPID: place.host,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...ALGORITHMS],
    })
    if (!verified || !registrationInfo) return undefined
    const { credential, credentialDeviceType } = registrationInfo
    return {
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey),
      isSynced: credentialDeviceType === 'multiDevice',
      signCount: BigInt(credential.counter),
    }
  } catch {
    // The library throws for every kind of wrong answer.
    return undefined
  }
}

/**
 * Verifies the signature of a sign-in. Returns the authenticator's new count; undefined if the answer
 * is wrong, or if the count did not grow, which reveals a copied authenticator.
 */
export async function verifySignIn(
  answer: SignInAnswer,
  { credentialId, publicKey, signCount }: Pick<Passkey, 'credentialId' | 'publicKey' | 'signCount'>,
  { challenge, place }: Expected,
): Promise<bigint | undefined> {
  const { verifyAuthenticationResponse } = await import('./passkey-libraries.ts')
  const { clientDataJSON, authenticatorData, signature } = answer.response
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...answer,
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: place.origin,
      expectedRPID: place.host,
      requireUserVerification: true,
      credential: {
        id: credentialId,
        publicKey: new Uint8Array(publicKey),
        counter: Number(signCount),
      },
    })
    return verified ? BigInt(authenticationInfo.newCounter) : undefined
  } catch {
    return undefined
  }
}
