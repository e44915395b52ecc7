import type { IncomingHttpHeaders } from 'node:http'
import { weightsOf } from '../http/accepted-encoding.ts'

/** Whether the client names HTML, as browsers do when a person opens a page. */
export function wantsPage({ accept }: IncomingHttpHeaders): boolean {
  return (weightsOf(accept).get('text/html') ?? 0) > 0
}

/**
 * Whether the client takes a page, as curl and link previews do, which accept everything. A client
 * with credentials is a program that called an address of the API without its prefix: it needs the
 * error.
 */
export function takesPage({ accept, authorization }: IncomingHttpHeaders): boolean {
  if (authorization !== undefined) return false
  if (accept === undefined) return true
  const weights = weightsOf(accept)
  return (weights.get('text/html') ?? weights.get('text/*') ?? weights.get('*/*') ?? 0) > 0
}
