import { parseUrl } from '../../base/parse-url.ts'
import type { Setting } from '../../base/setting.ts'

/** Stands for a part that is hidden. */
export const HIDDEN = '***'

type Shown = NonNullable<Setting['showsUrl']>

/**
 * Hides user, password, query and fragment of a URL. With `hosts`, the text is a list, and the paths
 * are hidden too. Example: `postgres://ada:secret@db/purser?sslmode=require` becomes
 * `postgres://***@db/purser?***`.
 */
export function hideUrls(text: string, shown: Shown): string {
  // A password may contain a comma, so only a list is split.
  const parts = shown === 'hosts' ? text.split(/([\s,]+)/) : [text]
  return parts.map((part) => hideInPart(part, shown)).join('')
}

/** The text before a URL names its use, such as `eip155:84532=`. */
function hideInPart(part: string, shown: Shown): string {
  const [, before = '', address] = /^([\w:.-]+=)?([a-z][a-z0-9+.-]*:\/\/.*)$/i.exec(part) ?? []
  if (address !== undefined) return `${before}${hideUrl(address, shown)}`
  // A part without a URL is a separator or a name such as eip155:84532; all others are hidden.
  return /^([\s,]*|[a-z0-9]{1,16}:\d+)$/.test(part) ? part : HIDDEN
}

function hideUrl(text: string, shown: Shown): string {
  const url = parseUrl(text)
  // In a password that is not encoded, "/", "?" or "#" ends the host, so its rest would be shown.
  const isMisread = text.lastIndexOf('@') > text.search(/(?<=\/\/.*)[/?#]|$/)
  if (url === undefined || isMisread) return HIDDEN
  const { protocol, host, username, password, pathname, search, hash } = url
  const user = username || password ? `${HIDDEN}@` : ''
  const hidesPath = shown === 'hosts' && pathname.length > 1
  return [
    `${protocol}//${user}${host}`,
    hidesPath ? `/${HIDDEN}` : pathname,
    search && `?${HIDDEN}`,
    hash && `#${HIDDEN}`,
  ].join('')
}
