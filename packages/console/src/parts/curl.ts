interface CurlRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** The path below /api/v1, with its query. */
  readonly path: string
  readonly body?: unknown
}

/** The same request for a shell. The key comes from the environment, so that no history has it. */
export function curlOf({ method, path, body }: CurlRequest): string {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quote(`${location.origin}/api/v1${path}`)}`,
    '  -H "Authorization: Bearer $PURSER_API_KEY"',
  ]
  if (method === 'POST' || method === 'PATCH') {
    lines.push('  -H "Idempotency-Key: $(uuidgen)"')
  }
  if (body !== undefined) {
    lines.push("  -H 'Content-Type: application/json'", `  -d ${quote(JSON.stringify(body))}`)
  }
  return lines.join(' \\\n')
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
