import type { Refusal } from './destination.ts'

export type OutboundFailureReason =
  | 'url_refused'
  | 'address_refused'
  | 'dns_failed'
  | 'connect_failed'
  | 'tls_failed'
  | 'timeout'
  | 'connection_lost'
  | 'bad_answer'
  /** This machine could not open a connection, so the failure says nothing about the other side. */
  | 'own_fault'

export interface OutboundFailure {
  readonly kind: 'failure'
  readonly reason: OutboundFailureReason
  /** One plain sentence for the operator. It contains no text from the other side. */
  readonly message: string
  readonly remoteAddress: string | null
}

/** An error from before the connection was made: nothing of the request has been sent. */
interface ConnectError extends Error {
  readonly failedStep: 'connect_failed' | 'tls_failed'
}

/** undici's codes for a request that it refuses to send. That is a defect of ours. */
const DEFECTS = new Set([
  'UND_ERR_INVALID_ARG',
  'UND_ERR_NOT_SUPPORTED',
  'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
])

/** No file descriptors, ports or memory left. */
const OWN_FAULTS = new Set(['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'ENOBUFS', 'ENOMEM'])

const LOST = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'])

export function toRefusedFailure({ reason, text }: Refusal): OutboundFailure {
  return failure(reason, `The URL ${text}.`, null)
}

export function toDnsFailure(hostname: string, error: unknown): OutboundFailure {
  return failure('dns_failed', `The name ${hostname} was not resolved${codeIn(error)}.`, null)
}

export function toTimeoutFailure(timeoutMs: number, remoteAddress: string | null): OutboundFailure {
  const what = remoteAddress === null ? 'The name was not resolved' : 'No answer came'
  return failure('timeout', `${what} within ${timeoutMs} ms.`, remoteAddress)
}

/**
 * Wraps an error of the connector, to distinguish it from a later loss of the connection. The
 * system names the step that failed; every other error before the request is sent comes from TLS.
 */
export function toConnectError(error: Error, protocol: string): ConnectError {
  const isTcp = 'syscall' in error && error.syscall === 'connect'
  const isTls = protocol === 'https:' && !isTcp && codeOf(error) !== 'UND_ERR_CONNECT_TIMEOUT'
  const failedStep: ConnectError['failedStep'] = isTls ? 'tls_failed' : 'connect_failed'
  return Object.assign(new Error('Could not connect.', { cause: error }), { failedStep })
}

/**
 * Describes a failure before the head of a response was complete. Undefined for a defect of ours.
 */
export function toExchangeFailure(
  error: Error,
  remoteAddress: string,
): OutboundFailure | undefined {
  if (isConnectError(error)) {
    if (OWN_FAULTS.has(codeOf(error.cause))) {
      const message = `This machine could not open a connection${codeIn(error.cause)}.`
      return failure('own_fault', message, remoteAddress)
    }
    const what =
      error.failedStep === 'tls_failed'
        ? 'Could not establish a trusted TLS connection'
        : 'Could not connect'
    return failure(error.failedStep, `${what}${codeIn(error.cause)}.`, remoteAddress)
  }

  const code = codeOf(error)
  if (DEFECTS.has(code)) return undefined
  // undici uses one code for a closed connection and for an unsolicited response.
  const isBad = code === 'UND_ERR_SOCKET' && error.message.startsWith('bad ')
  if (!isBad && (code === 'UND_ERR_SOCKET' || LOST.has(code))) {
    return failure(
      'connection_lost',
      `The connection ended without an answer${codeIn(error)}.`,
      remoteAddress,
    )
  }
  return failure('bad_answer', `The answer is not acceptable HTTP${codeIn(error)}.`, remoteAddress)
}

function failure(
  reason: OutboundFailureReason,
  message: string,
  remoteAddress: string | null,
): OutboundFailure {
  return { kind: 'failure', reason, message, remoteAddress }
}

function isConnectError(error: Error): error is ConnectError {
  return 'failedStep' in error
}

/** Codes come from a fixed vocabulary. Messages may quote the other side, so they are not shown. */
function codeIn(error: unknown): string {
  const code = codeOf(error)
  return code === '' ? '' : ` (${code})`
}

function codeOf(error: unknown): string {
  const hasCode = error instanceof Error && 'code' in error && typeof error.code === 'string'
  return hasCode ? String(error.code) : ''
}
