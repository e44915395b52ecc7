import { parseUrl } from '../../base/parse-url.ts'
import type { AttemptRow } from '../../storage/webhooks/attempts.ts'

/** The parts of an attempt that may contain secrets of the gateway and the receiver. */
type Shown = Pick<AttemptRow, 'url' | 'requestHeaders' | 'responseHeaders'> & {
  readonly responseText: string
}

/** Enough characters of a signature to tell two of them apart, and too few to send it again. */
const SIGNATURE_SHOWN = 8
const SIGNATURES = ['x-service-signature', 'webhook-signature']
/** A shorter query value is not a secret, and would often appear in a response by chance. */
const SECRET_MIN = 8

/**
 * A reader of the delivery log must not be able to send our requests again. So signatures, and the
 * values in the URL's query, which often contain a token, are cut, also where the receiver repeats
 * them.
 */
export function redacted({ url, requestHeaders, responseHeaders, responseText }: Shown): Shown {
  const signatures = signaturesOf(requestHeaders)
  const values = queryValuesOf(url)
  function withoutSecrets(text: string): string {
    const cut = signatures.reduce((shown, one) => shown.replaceAll(one, beginningOf(one)), text)
    return values.reduce((shown, value) => shown.replaceAll(value, '…'), cut)
  }
  return {
    url: withoutQueryValues(url),
    requestHeaders: mapValues(requestHeaders, withoutSecrets),
    responseHeaders: responseHeaders && mapValues(responseHeaders, withoutSecrets),
    responseText: withoutSecrets(responseText),
  }
}

function signaturesOf(headers: Readonly<Record<string, string>>): string[] {
  return SIGNATURES.flatMap((name) => (headers[name] ?? '').split(' '))
    .map((signature) => signature.replace(/^v1,/, ''))
    .filter((signature) => signature.length > SIGNATURE_SHOWN)
}

/** The query values, both encoded and decoded. */
function queryValuesOf(url: string): string[] {
  const written = partsOf(url).map((part) => part.slice(part.indexOf('=') + 1))
  const meant = [...(parseUrl(url)?.searchParams.values() ?? [])]
  return [...new Set([...written, ...meant])].filter((value) => value.length >= SECRET_MIN)
}

function withoutQueryValues(url: string): string {
  const [address] = url.split('?', 1)
  const names = partsOf(url).map((part) => `${/^[^=]*=/.exec(part)?.[0] ?? ''}…`)
  return names.length === 0 ? url : `${address}?${names.join('&')}`
}

function partsOf(url: string): string[] {
  const at = url.indexOf('?')
  return at < 0 ? [] : url.slice(at + 1).split('&')
}

function beginningOf(signature: string): string {
  return `${signature.slice(0, SIGNATURE_SHOWN)}…`
}

function mapValues(
  values: Readonly<Record<string, string>>,
  change: (value: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
}
