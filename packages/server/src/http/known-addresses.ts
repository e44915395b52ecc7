import type { FastifyRequest } from 'fastify'
import { Problem } from '../base/errors.ts'

export const API_PREFIX = '/api/v1'

/** The addresses of all routes, and their methods. */
export interface KnownAddresses {
  add(method: string | readonly string[], url: string): void
  /** Returns the methods in a fixed order; empty for an address that has no route with any method. */
  methodsAt(path: string): readonly string[]
}

interface KnownAddress {
  readonly methods: Set<string>
  readonly segments: readonly string[]
}

/**
 * The router looks an address up under one method only, and cannot name the methods under which it
 * would have been found. This lookup is rare, and there are fewer than a hundred addresses.
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

/** The problem for a request without a route, whatever else is wrong with it. */
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

/** Approvals and invitations contain addresses of pages, which a program may call by mistake. */
function hintAt(path: string): string {
  return /^\/console(\/|$)/.test(path)
    ? 'Only browsers find pages of the console there; docs/guide-people.md and docs/guide-approvals.md show which requests to send instead.'
    : 'GET /openapi.json lists every endpoint.'
}

export function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? url
}

/**
 * The router decodes an address before it looks for a route. A proxy that filters addresses in
 * front of us may not, and would let /%61gents through to /agents. Only parameters of doors may be
 * encoded: none of our own ids needs that.
 */
export function isDisguised(request: FastifyRequest): boolean {
  if (!request.url.includes('%')) return false
  const path = pathOf(request)
  const { url = '', config } = request.routeOptions
  if (config.isDoor !== true) return path.includes('%')
  const given = path.split('/')
  return url.split('/').some((part, place) => !/[:*]/.test(part) && part !== given[place])
}

/** A trailing slash is ignored. */
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
