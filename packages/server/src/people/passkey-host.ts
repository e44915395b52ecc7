import { isIP } from 'node:net'
import { parseUrl } from '../base/parse-url.ts'

/** The place that passkeys belong to: browsers offer a passkey nowhere else. */
export interface PasskeyPlace {
  /** The host name, which WebAuthn calls the relying party id. */
  readonly host: string
  /** The origin of the pages, which the browser signs. */
  readonly origin: string
}

interface Addresses {
  /** The configured public URL. */
  readonly cookies: { readonly publicUrl: string | undefined }
  /** The same, with a default on this machine in development. */
  readonly publicUrl: () => string | undefined
}

/**
 * The host name of the public URL, or `localhost` in development. Undefined if people open the
 * gateway at an IP address, because browsers refuse passkeys there, or if its address is not known.
 * `host` is the header of the request. It counts only without a configured URL, because a proxy may
 * send an internal address.
 */
export function findPasskeyPlace(
  { cookies, publicUrl }: Addresses,
  host: string | undefined,
): PasskeyPlace | undefined {
  const origin = publicUrl()
  if (origin === undefined) return undefined
  const isDefault = cookies.publicUrl === undefined && host !== undefined
  const opened = hostNameOf(isDefault ? `http://${host}` : origin)
  const own = hostNameOf(origin)
  if (opened === undefined || own === undefined || isAddress(opened)) return undefined
  return { host: own, origin }
}

function hostNameOf(url: string): string | undefined {
  return parseUrl(url)?.hostname
}

function isAddress(hostName: string): boolean {
  return isIP(hostName.replace(/^\[|\]$/g, '')) !== 0
}
