const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed',
  EPIPE: 'connection closed',
  UND_ERR_SOCKET: 'connection closed',
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'host not found',
  EHOSTUNREACH: 'host not reachable',
  ENETUNREACH: 'network not reachable',
  ETIMEDOUT: 'no connection in time',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
}

/** Describes in a few words why a request failed. */
export function describeFailure(error: unknown): string {
  const root = rootOf(error)
  const code = 'code' in root ? String(root.code) : ''
  if (isPlainHttp(root)) return 'the port answers without TLS, so use http://'
  return REASONS[code] ?? (root.message || code || 'unknown reason')
}

/** Whether a server answered a TLS handshake with plain HTTP. OpenSSL then reports one of these. */
export function isPlainHttp(error: unknown): boolean {
  return /wrong version number|packet length too long|unknown protocol/i.test(rootOf(error).message)
}

/**
 * Finds the network's error: fetch hides it in `cause`, and a host with several addresses has one
 * error for each.
 */
function rootOf(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  if (error instanceof AggregateError && error.errors.length > 0) return rootOf(error.errors[0])
  return error.cause === undefined ? error : rootOf(error.cause)
}
