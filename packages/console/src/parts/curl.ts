import { newKey } from '../data/new-key.ts'

interface CurlRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** The path below /api/v1, with its query. */
  readonly path: string
  readonly body?: unknown
  /** The address of the gateway, or a variable of the shell. Default: that of this page. */
  readonly origin?: string | undefined
  /** Whether a change carries an Idempotency-Key. Default: yes. */
  readonly withKey?: boolean | undefined
}

/** The same request for a shell. The key comes from the environment, so that no history has it. */
export function curlOf(request: CurlRequest): string {
  const { method, path, body, origin = location.origin, withKey = true } = request
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoteUrl(`${origin}/api/v1${path}`)}`,
    '  -H "Authorization: Bearer $PURSER_API_KEY"',
  ]
  if (withKey && (method === 'POST' || method === 'PATCH')) {
    // Made here, because not every system has a program that makes one.
    lines.push(`  -H 'Idempotency-Key: ${newKey()}'`)
  }
  if (body !== undefined) {
    lines.push("  -H 'Content-Type: application/json'", `  -d ${quote(JSON.stringify(body))}`)
  }
  return lines.join(' \\\n')
}

/** A variable of the shell needs double quotes. */
function quoteUrl(url: string): string {
  return url.startsWith('$') ? `"${url}"` : quote(url)
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
