/** The encodings that the gateway sends, the best first. */
const ENCODINGS = ['br', 'gzip'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** Returns the best encoding that the client accepts; undefined for none. */
export function chooseEncoding(header: string | undefined): Encoding | undefined {
  const weights = weightsOf(header)
  const isAccepted = (one: Encoding): boolean => (weights.get(one) ?? weights.get('*') ?? 0) > 0
  return ENCODINGS.find(isAccepted)
}

/** The weights (RFC 9110, section 12.4.2) of the values in a header, by their names. */
export function weightsOf(header = ''): Map<string, number> {
  return new Map(
    header.split(',').map((part): [string, number] => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
      const weight = parameters.find((one) => one.startsWith('q='))?.slice(2)
      return [name, weight === undefined ? 1 : Number.parseFloat(weight) || 0]
    }),
  )
}
