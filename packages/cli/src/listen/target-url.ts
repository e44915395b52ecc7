/**
 * The URL that a person means by `4000`, `:4000/hook`, `localhost:4000/hook` or a whole http(s)
 * URL; undefined if the text is none of these.
 */
export function toTargetUrl(text: string): URL | undefined {
  const whole = withScheme(text.trim())
  // The parser would drop spaces, and take the first name of a path as the host.
  if (!/^https?:\/\/[^\s/]\S*$/i.test(whole) || !URL.canParse(whole)) return undefined
  const url = new URL(whole)
  return url.port === '0' ? undefined : url
}

function withScheme(text: string): string {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(text)) return text
  return /^:?\d+(\/|$)/.test(text) ? `http://localhost:${text.replace(/^:/, '')}` : `http://${text}`
}

/** The root of a gateway. It also accepts the base of its API, which the guides use. */
export function toGatewayUrl(text: string): string | undefined {
  const url = toTargetUrl(text)
  if (url === undefined) return undefined
  const hasCredentials = url.username !== '' || url.password !== ''
  // fetch refuses credentials, and whoever gives them does not mean an API key.
  if (hasCredentials) return undefined
  return url.origin + url.pathname.replace(/\/+$/, '').replace(/\/api\/v1$/, '')
}

/** The URL without what must not be printed. */
export function withoutPassword(url: URL): string {
  return Object.assign(new URL(url), { username: '', password: '' }).href
}
