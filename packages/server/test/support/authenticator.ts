import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** What the gateway asks a browser for. Both kinds of options have these fields. */
interface Options {
  readonly challenge: string
  readonly user?: { readonly id: string }
  readonly rp?: { readonly id: string }
  readonly rpId?: string
}

interface Behaviour {
  /** The origin of the page that uses the authenticator. */
  readonly origin?: string
  readonly host?: string
  /** Whether the owner unlocked it, with a fingerprint or a PIN. */
  readonly isUnlocked?: boolean
  /** The format and statement of the attestation, as CBOR. */
  readonly attestation?: { readonly fmt: string; readonly statement: Buffer }
}

const [PRESENT, UNLOCKED, SYNCABLE, NEW_KEY] = [0x01, 0x04, 0x08, 0x40]

/** A page at the host of the options. */
function pageOf({ rp, rpId = rp?.id ?? 'localhost' }: Options) {
  const protocol = rpId === 'localhost' ? 'http' : 'https'
  return { origin: `${protocol}://${rpId}`, host: rpId, isUnlocked: true }
}

/** An authenticator in software with one passkey on P-256, as a browser shows it to a page. */
export function anAuthenticator({ counts = false } = {}) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  let userHandle = ''
  let signCount = 0

  function dataOf(host: string, flags: number, rest = Buffer.alloc(0)): Buffer {
    if (counts) signCount += 1
    const count = Buffer.alloc(4)
    count.writeUInt32BE(signCount)
    return Buffer.concat([sha256(host), Buffer.of(flags | PRESENT), count, rest])
  }

  const named = { id: id.toString('base64url'), rawId: id.toString('base64url') }
  return {
    ...named,
    /** A copy of the authenticator would count on its own. */
    setCount(count: number): void {
      signCount = count
    },
    create(options: Options, behaviour: Behaviour = {}) {
      const { challenge, user } = options
      const { origin, host, isUnlocked, attestation } = { ...pageOf(options), ...behaviour }
      userHandle = user?.id ?? ''
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const key = Buffer.concat([
        Buffer.alloc(16),
        length,
        id,
        coseKey(publicKey.export({ format: 'jwk' })),
      ])
      const flags = NEW_KEY | SYNCABLE | (isUnlocked ? UNLOCKED : 0)
      const { fmt, statement } = attestation ?? { fmt: 'none', statement: map([]) }
      const attestationObject = map([
        [text('fmt'), text(fmt)],
        [text('attStmt'), statement],
        [text('authData'), bytes(dataOf(host, flags, key))],
      ]).toString('base64url')
      const clientDataJSON = clientData('webauthn.create', challenge, origin)
      const response = { clientDataJSON, attestationObject, transports: ['internal', 'hybrid'] }
      return { ...named, type: 'public-key', response, clientExtensionResults: {} }
    },
    get(options: Options, behaviour: Behaviour & { readonly userHandle?: string } = {}) {
      const { challenge } = options
      const { origin, host, isUnlocked } = { ...pageOf(options), ...behaviour }
      const data = dataOf(host, SYNCABLE | (isUnlocked ? UNLOCKED : 0))
      const clientDataJSON = clientData('webauthn.get', challenge, origin)
      const signed = Buffer.concat([data, sha256(Buffer.from(clientDataJSON, 'base64url'))])
      const response = {
        clientDataJSON,
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
        userHandle: behaviour.userHandle ?? userHandle,
      }
      return { ...named, type: 'public-key', response, clientExtensionResults: {} }
    },
  }
}

export type Authenticator = ReturnType<typeof anAuthenticator>

function clientData(type: string, challenge: string, origin: string): string {
  const data = { type, challenge, origin, crossOrigin: false }
  return Buffer.from(JSON.stringify(data)).toString('base64url')
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}

/** The public key in COSE: kty 2 (EC2), alg -7 (ES256), crv 1 (P-256), x and y. */
function coseKey({ x = '', y = '' }: { readonly x?: string; readonly y?: string }): Buffer {
  return map([
    [integer(1), integer(2)],
    [integer(3), integer(-7)],
    [integer(-1), integer(1)],
    [integer(-2), bytes(Buffer.from(x, 'base64url'))],
    [integer(-3), bytes(Buffer.from(y, 'base64url'))],
  ])
}

/* As much of CBOR (RFC 8949) as an authenticator writes. */

function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.of((major << 5) | value)
  if (value < 256) return Buffer.of((major << 5) | 24, value)
  return Buffer.of((major << 5) | 25, value >> 8, value & 0xff)
}

function integer(value: number): Buffer {
  return value < 0 ? head(1, -1 - value) : head(0, value)
}

function bytes(value: Buffer): Buffer {
  return Buffer.concat([head(2, value.length), value])
}

export function text(value: string): Buffer {
  return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
}

export function map(entries: readonly (readonly [Buffer, Buffer])[]): Buffer {
  return Buffer.concat([head(5, entries.length), ...entries.flat()])
}
