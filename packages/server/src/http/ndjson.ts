export const NDJSON = 'application/x-ndjson'
const JSON_TYPE = 'application/json'

/** Whether a client asks for NDJSON by name, and does not prefer JSON. */
export function wantsLines(accept: string | undefined): boolean {
  return isAskedFor(NDJSON, accept)
}

/** The same for any type that is sent only if the client names it. */
export function isAskedFor(type: string, accept: string | undefined): boolean {
  if (accept === undefined) return false
  const weights = new Map(accept.split(',').map(readWeight))
  const weight = weights.get(type) ?? 0
  return weight > 0 && weight >= (weights.get(JSON_TYPE) ?? 0)
}

function readWeight(range: string): [type: string, weight: number] {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
  const given = parameters.find((parameter) => parameter.startsWith('q='))
  const weight = given === undefined ? 1 : Number(given.slice(2))
  return [type, Number.isNaN(weight) ? 0 : weight]
}
