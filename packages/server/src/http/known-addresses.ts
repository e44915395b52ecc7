import type { FastifyRequest } from 'fastify'
import { Problem } from '../base/errors.ts'

/** The addresses that lead to something, and the methods that they take. */
export interface KnownAddresses {
  add(method: string | readonly string[], url: string): void
  /** In a fixed order; empty for an address that leads nowhere whatever the method. */
  methodsAt(path: string): readonly string[]
}

interface KnownAddress {
  readonly methods: Set<string>
  readonly segments: readonly string[]
}

/**
 * The router looks an address up under one method only, and cannot say which others it would have
 * been found under. It is asked for rarely, and there are fewer than a hundred addresses.
 */
export function createKnownAddresses(): KnownAddresses {
  const addresses = new Map<string, KnownAddress>()

  function add(method: string | readonly string[], url: string): void {
    const known = addresses.get(url) ?? { methods: new Set(), segments: segmentsOf(url) }
    for (const one of [method].flat()) known.methods.add(one)
    addresses.set(url, known)
  }

  function methodsAt(path: string): readonly string[] {
    const given = segmentsOf(path)
    const found = [...addresses.values()].filter(({ segments }) => isAt(segments, given))
    return [...new Set(found.flatMap(({ methods }) => [...methods]))].sort()
  }

  return { add, methodsAt }
}

/** What is said of a request that no route takes, whatever else is wrong with it. */
export function notRouted(request: FastifyRequest, methods: readonly string[]): Problem {
  const path = pathOf(request)
  if (methods.length === 0) {
    return new Problem(
      'route_not_found',
      `${request.method} ${path} does not exist. ${hintAt(path)}`,
    )
  }
  return new Problem(
    'method_not_allowed',
    `${path} does not support ${request.method}. It supports ${methods.join(', ')}.`,
    { extra: { allowed: methods } },
  )
}

/** The addresses of pages are told already, with approvals and invitations. */
function hintAt(path: string): string {
  return /^\/console(\/|$)/.test(path)
    ? 'The console has no pages yet; docs/guide-people.md and docs/guide-approvals.md show which requests to send instead.'
    : 'GET /openapi.json lists every endpoint.'
}

export function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? url
}

/**
 * The router decodes an address before it looks for a route. Whatever judges addresses before us may
 * not, and would let through to /agents what it read as /%61gents. Only what a door's parameters hold
 * may be encoded: none of our own ids needs that.
 */
export function isDisguised(request: FastifyRequest): boolean {
  if (!request.url.includes('%')) return false
  const path = pathOf(request)
  const { url = '', config } = request.routeOptions
  if (config.isDoor !== true) return path.includes('%')
  const given = path.split('/')
  return url.split('/').some((part, place) => !/[:*]/.test(part) && part !== given[place])
}

/** A slash at the end means nothing. */
function segmentsOf(path: string): readonly string[] {
  return path.replace(/(?<=.)\/$/, '').split('/')
}

function isAt(segments: readonly string[], given: readonly string[]): boolean {
  return (
    segments.length === given.length &&
    segments.every((segment, at) =>
      segment.startsWith(':') ? given[at] !== '' : segment === given[at],
    )
  )
}
