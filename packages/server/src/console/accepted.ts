import type { IncomingHttpHeaders } from 'node:http'

const ENCODINGS = ['br', 'gzip'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** Returns the best encoding that the client accepts; undefined for none. */
export function chooseEncoding(header: string | undefined): Encoding | undefined {
  const weights = weightsOf(header)
  const isAccepted = (one: Encoding): boolean => (weights.get(one) ?? weights.get('*') ?? 0) > 0
  return ENCODINGS.find(isAccepted)
}

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

/** The weights (RFC 9110, section 12.4.2) of the values in a header, by their names. */
function weightsOf(header = ''): Map<string, number> {
  return new Map(
    header.split(',').map((part): [string, number] => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
      const weight = parameters.find((one) => one.startsWith('q='))?.slice(2)
      return [name, weight === undefined ? 1 : Number.parseFloat(weight) || 0]
    }),
  )
}
