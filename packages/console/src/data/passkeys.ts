import { PurserError } from '@purser/sdk'
import type { Me, NewCredential, UsedCredential } from '../generated/console-api.ts'
import { callConsole } from './console-api.ts'

/** Whether this browser, at this address, can use passkeys. A passkey belongs to a host name. */
export function canUsePasskeys(): boolean {
  return (
    typeof PublicKeyCredential === 'function' &&
    typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function' &&
    !isAddress(location.hostname)
  )
}

/** The same for the passkeys of a gateway, which belong to the host name that it tells. */
export function canUsePasskeysOf(host: string | null | undefined): host is string {
  if (!host || !canUsePasskeys()) return false
  return location.hostname === host || location.hostname.endsWith(`.${host}`)
}

/** An offer of passkeys in the e-mail field, which waits until the person chooses one. */
interface Offer {
  readonly signal: AbortSignal
  /** Called when the person has chosen, before the gateway is asked. */
  readonly onChosen: () => void
}

/** Signs in with a passkey, or proves again who is signed in. Resolves with the member. */
export async function signWithPasskey(isSignIn: boolean, offer?: Offer): Promise<Me> {
  const options = await callConsole('getSignInOptions')
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as never)
  const waiting = offer ? ({ mediation: 'conditional', signal: offer.signal } as const) : {}
  const used = await navigator.credentials.get({ publicKey, ...waiting }).catch(refused)
  // An offer that was withdrawn meanwhile must not sign in beside the attempt that replaced it.
  if (offer?.signal.aborted) throw refusal(null)
  offer?.onChosen()
  const { id, rawId, response } = toJson(used)
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  const answer = { clientDataJSON, authenticatorData, signature, userHandle }
  const credential = { id, rawId, type: 'public-key', response: answer } as UsedCredential
  return isSignIn
    ? callConsole('signInWithPasskey', { body: { credential } })
    : callConsole('reauthenticate', { body: { credential } })
}

/** Makes a passkey for the signed-in member. */
export async function registerPasskey(name: string): Promise<void> {
  const options = await callConsole('getPasskeyOptions')
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as never)
  const made = await navigator.credentials.create({ publicKey }).catch(refused)
  const { id, rawId, response } = toJson(made)
  const { clientDataJSON, attestationObject, transports } = response
  const answer = { clientDataJSON, attestationObject, transports }
  const credential = { id, rawId, type: 'public-key', response: answer } as NewCredential
  await callConsole('registerPasskey', { body: { name, credential } })
}

interface CredentialJson {
  readonly id: string
  readonly rawId: string
  readonly response: Readonly<Record<string, unknown>>
}

/** The gateway takes only the fields that it verifies; browsers add more. */
function toJson(credential: Credential | null): CredentialJson {
  if (!(credential instanceof PublicKeyCredential)) throw refusal(null)
  const { id, rawId, response } = credential.toJSON()
  return { id, rawId, response: { ...response } }
}

function refused(cause: unknown): never {
  throw refusal(cause)
}

/** The browser gives one reason for a person who cancels, a time limit, and a missing passkey. */
function refusal(cause: unknown): PurserError {
  return new PurserError('No passkey was used. Use your password, or try again.', {
    code: 'passkey_refused',
    cause,
  })
}

function isAddress(host: string): boolean {
  return /^[\d.]+$/.test(host) || host.includes(':')
}
