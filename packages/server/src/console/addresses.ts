/**
 * The addresses of the console's pages. The gateway answers each with the same file, whose router
 * shows the screen. A parameter matches any segment that is not empty.
 */
export const PAGES = [
  '/',
  '/transactions',
  '/transactions/:id',
  '/approvals',
  '/approvals/:id',
  '/agents',
  '/agents/:id',
  '/mandates',
  '/mandates/new',
  '/mandates/:id',
  '/mandates/:id/edit',
  '/mandates/:id/versions',
  '/simulator',
  '/vendors',
  '/vendors/:id',
  '/wallets',
  '/cards',
  '/cards/connections/:id',
  '/keys',
  '/keys/new',
  '/connect',
  '/connect/:tab',
  '/reference',
  '/reference/:operationId',
  '/audit',
  '/audit/:index',
  '/settings',
  '/settings/webhook',
  '/settings/webhook/:deliveryId',
  '/settings/organization',
  '/settings/members',
  '/settings/me',
  '/setup',
  '/sign-in',
  '/accept',
  '/start',
] as const

/** Addresses of pages in links that the gateway has handed out, and the present addresses. */
const MOVED: readonly (readonly [before: string, now: (parameter: string) => string])[] = [
  ['/console/approvals/:id', (id) => `/approvals/${id}`],
  ['/console/accept', () => '/accept'],
]

/** Programs call the addresses below these, so no page is there, and no page says "not found". */
export const RESERVED = [
  '/.well-known',
  '/acp',
  '/api',
  '/assets',
  '/console/api',
  '/health',
  '/healthz',
  '/ingest',
  '/mcp',
  '/metrics',
  '/openapi.json',
  '/readyz',
  '/version',
] as const

/** The kind of an address. `unknown` is one at which a person may expect a page. */
export type Address =
  | { readonly kind: 'page' | 'unknown' | 'reserved' }
  | { readonly kind: 'moved'; readonly to: string }

const PAGE_SEGMENTS = PAGES.map(segmentsOf)
const MOVED_SEGMENTS = MOVED.map(([before, now]) => ({ segments: segmentsOf(before), now }))

/** Reads the path of a request, without its query. */
export function readAddress(path: string): Address {
  if (isReserved(path)) return { kind: 'reserved' }
  const given = segmentsOf(path)
  if (PAGE_SEGMENTS.some((page) => isAt(page, given))) return { kind: 'page' }
  const moved = MOVED_SEGMENTS.find(({ segments }) => isAt(segments, given))
  return moved ? { kind: 'moved', to: moved.now(given.at(-1) ?? '') } : { kind: 'unknown' }
}

/** An encoded path counts as the path that it decodes to: /%61pi is below /api. */
function isReserved(path: string): boolean {
  const decoded = `${decode(path)}/`
  return RESERVED.some((prefix) => decoded.startsWith(`${prefix}/`))
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** One slash at the end is ignored, as it is everywhere in the gateway. */
function segmentsOf(path: string): readonly string[] {
  return path.replace(/(?<=[^/])\/$/, '').split('/')
}

function isAt(page: readonly string[], given: readonly string[]): boolean {
  return (
    page.length === given.length &&
    page.every((segment, at) =>
      segment.startsWith(':') ? given[at] !== '' : segment === given[at],
    )
  )
}
