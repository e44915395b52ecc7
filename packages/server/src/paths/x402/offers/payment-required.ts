import { Problem } from '../../../base/errors.ts'
import { parseStrictJson } from '../../../base/strict-json.ts'
import type { OutboundAnswer } from '../../../outbound/outbound-client.ts'
import { X402_PROBLEMS } from '../problems.ts'

/** An honest offer is never larger. */
const BYTES_MAX = 65_536
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
/** Matches the scheme `Payment` among the challenges of a WWW-Authenticate header. */
const MPP = /(^|,\s*)payment(\s|,|$)/i

/** A vendor's payment request, decoded. `readOffers` judges its offers afterwards. */
export interface PaymentRequired {
  readonly version: 1 | 2
  /** The unparsed offers. The gateway sends the chosen one back to the vendor unchanged. */
  readonly accepts: readonly unknown[]
  /**
   * The vendor's description of the goods. The gateway sends it back and shows it, but never uses
   * it to allow anything.
   */
  readonly resource: object | undefined
  /** The URL of the resource, as the vendor states it. */
  readonly resourceUrl: string | undefined
  /** The vendor's protocol extensions. Version 1 has none. */
  readonly extensions: Readonly<Record<string, unknown>> | undefined
}

/**
 * Reads a payment request from an agent: the header of version 2 (base64 of JSON), or the JSON
 * document of either version. Refuses ambiguous JSON, because a difference between two parsers must
 * not decide which offer is paid.
 */
export function readPaymentRequired(given: string | object): PaymentRequired {
  const text = typeof given === 'string' ? given : JSON.stringify(given)
  if (text.length > BYTES_MAX) throw malformed('It is longer than 64 KiB.')
  const value = typeof given === 'string' ? parse(decode(given)) : given
  if (!isRecord(value)) throw malformed('It is not a JSON object.')
  const { x402Version: version, accepts, resource, extensions } = value
  if (version !== 1 && version !== 2) throw otherVersion(version)
  if (!Array.isArray(accepts) || accepts.length === 0) throw malformed('It has no offers.')
  return {
    version,
    accepts,
    resource: isRecord(resource) ? resource : undefined,
    resourceUrl: resourceUrlOf(version, resource, accepts[0]),
    extensions: version === 2 && isRecord(extensions) ? extensions : undefined,
  }
}

/** Reads a vendor's 402: the header if there is one, otherwise the body. */
export function readPaymentAnswer({ headers, body, cut }: OutboundAnswer): PaymentRequired {
  const header = headers['payment-required']
  if (header !== undefined) return readPaymentRequired(header)
  if (cut !== null || body.length > BYTES_MAX) throw malformed('It is incomplete.')
  try {
    return readPaymentRequired(toRecord(parse(body)))
  } catch (cause) {
    // A vendor may accept both x402 and MPP. Only a vendor without x402 needs this message.
    if (!MPP.test(headers['www-authenticate'] ?? '')) throw cause
    throw malformed('The vendor requires the scheme Payment (MPP), which is not x402.', cause)
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function toRecord(value: unknown): object {
  return isRecord(value) ? value : {}
}

function decode(text: string): Buffer {
  return Buffer.from(text, BASE64.test(text) ? 'base64' : 'utf8')
}

function parse(json: Buffer): unknown {
  try {
    return parseStrictJson(json)
  } catch (cause) {
    throw malformed('It is neither JSON nor base64-encoded JSON, or is ambiguous.', cause)
  }
}

function resourceUrlOf(version: 1 | 2, resource: unknown, first: unknown): string | undefined {
  const holder = version === 2 ? resource : first
  if (!isRecord(holder)) return undefined
  const url = version === 2 ? holder['url'] : holder['resource']
  return typeof url === 'string' ? url : undefined
}

function otherVersion(version: unknown): Problem {
  const named = typeof version === 'number' ? `version ${version}` : 'no version'
  return new Problem(
    X402_PROBLEMS.x402_version_unsupported,
    `The payment request has ${named} of x402; versions 1 and 2 are supported. In version 2 the vendor sends it in the PAYMENT-REQUIRED header, not in the body.`,
  )
}

function malformed(detail: string, cause?: unknown): Problem {
  return new Problem(
    X402_PROBLEMS.x402_malformed,
    `The payment request is malformed, so nothing was paid. ${detail} Send the PAYMENT-REQUIRED header of the 402 if there is one, otherwise its body, unchanged.`,
    { cause },
  )
}
