/** The place of a request in a trace, by W3C Trace Context. */
export interface TraceParent {
  readonly traceId: string
  readonly spanId: string
  readonly traceFlags: number
}

const FORM =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** Returns undefined unless the header is valid. Version 00 has exactly these four parts. */
export function readTraceParent(header: string | string[] | undefined): TraceParent | undefined {
  const [, version, traceId, spanId, flags, more] =
    typeof header === 'string' ? (FORM.exec(header) ?? []) : []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  if (version === '00' && more !== undefined) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 }
}

export function toTraceParent({ traceId, spanId, traceFlags }: TraceParent): string {
  return `00-${traceId}-${spanId}-0${traceFlags & 1}`
}
