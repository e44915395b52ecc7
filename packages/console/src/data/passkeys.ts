import { PurserError } from '@purser/sdk'
import { callConsole } from './console-api.ts'

/** Whether this browser, at this address, can use passkeys. A passkey belongs to a host name. */
export function canUsePasskeys(): boolean {
  return (
    typeof PublicKeyCredential === 'function' &&
    typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function' &&
    !isAddress(location.hostname)
  )
}

/** Signs in with a passkey, or proves again who is signed in. */
export async function signWithPasskey(isSignIn: boolean, signal?: AbortSignal): Promise<void> {
  const given = await callConsole('getPasskeyOptions' as never)
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(Object(given).options)
  const mediation = signal ? ('conditional' as const) : ('optional' as const)
  const credential = await navigator.credentials
    .get({ publicKey, mediation, ...(signal ? { signal } : {}) })
    .catch(refused)
  const passkey = toJson(credential)
  if (isSignIn) await callConsole('signInWithPasskey' as never, { body: { passkey } as never })
  else await callConsole('reauthenticate', { body: { passkey } as never })
}

/** Makes a passkey for the signed-in member. */
export async function registerPasskey(name: string): Promise<void> {
  const given = await callConsole('getPasskeyRegistrationOptions' as never)
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(Object(given).options)
  const credential = await navigator.credentials.create({ publicKey }).catch(refused)
  await callConsole('registerPasskey' as never, {
    body: { name, passkey: toJson(credential) } as never,
  })
}

function toJson(credential: Credential | null): unknown {
  if (!(credential instanceof PublicKeyCredential)) throw refusal(null)
  return credential.toJSON()
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
