/**
 * Parses `4000`, `:4000/hook`, `localhost:4000/hook` or a whole http(s) URL. Returns undefined for
 * any other text.
 */
export function toTargetUrl(text: string): URL | undefined {
  const whole = withScheme(text.trim())
  // The URL parser would drop spaces, and use the first path segment as the host.
  if (!/^https?:\/\/[^\s/]\S*$/i.test(whole)) return undefined
  try {
    // Not `URL.canParse`: in Node 20 it refuses some valid hosts once it is optimized.
    const url = new URL(whole)
    return url.port === '0' ? undefined : url
  } catch {
    return undefined
  }
}

function withScheme(text: string): string {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(text)) return text
  return /^:?\d+(\/|$)/.test(text) ? `http://localhost:${text.replace(/^:/, '')}` : `http://${text}`
}

/**
 * Returns the root URL of a gateway. Also accepts the base URL of its API, which the guides use.
 */
export function toGatewayUrl(text: string): string | undefined {
  const url = toTargetUrl(text)
  if (url === undefined) return undefined
  const hasCredentials = url.username !== '' || url.password !== ''
  // fetch refuses credentials in a URL, and they are not an API key.
  if (hasCredentials) return undefined
  return url.origin + url.pathname.replace(/\/+$/, '').replace(/\/api\/v1$/, '')
}

/** Returns the URL without user name and password, for output. */
export function withoutPassword(url: URL): string {
  return Object.assign(new URL(url), { username: '', password: '' }).href
}
