/**
 * The path of a link as this page may follow it; undefined if it leads to a different site. The
 * browser's own parser decides, because it drops tabs, reads a backslash as a slash, and shortens
 * `/.//host` to `//host`.
 */
export function ownPath(link: string, origin: string): string | undefined {
  if (!link.startsWith('/') || !URL.canParse(link, origin)) return undefined
  const { origin: leadsTo, pathname, search, hash } = new URL(link, origin)
  return leadsTo === origin && !pathname.startsWith('//') ? pathname + search + hash : undefined
}
