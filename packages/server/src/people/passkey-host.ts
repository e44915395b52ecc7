import { isIP } from 'node:net'
import { parseUrl } from '../base/parse-url.ts'

/** The host name for a person on the machine of a gateway without a public URL. */
const LOCAL_HOST = 'localhost'

/**
 * The host name that passkeys belong to (the relying party id of WebAuthn): that of the public URL,
 * else `localhost`. Undefined if people open the gateway at an IP address, because browsers refuse
 * passkeys there. `host` is the header of the request. It counts only without a public URL, because
 * a proxy may send an internal address.
 */
export function findPasskeyHost(
  publicUrl: string | undefined,
  host: string | undefined,
): string | undefined {
  const opened = hostNameOf(publicUrl ?? `http://${host ?? LOCAL_HOST}`)
  if (opened === undefined || isIP(opened.replace(/^\[|\]$/g, '')) !== 0) return undefined
  return publicUrl === undefined ? LOCAL_HOST : opened
}

function hostNameOf(url: string): string | undefined {
  return parseUrl(url)?.hostname
}
