/** An event or hint of the stream. A hint names a change; the page then fetches the object. */
export interface LiveEvent {
  /** The kind of an event or hint, such as `transaction.approved` or `change.mandate.updated`. */
  readonly kind: string
  /** The id that the event is about; null if it names none. */
  readonly subject: string | null
  /** The data of an event; empty for a hint. */
  readonly data: Readonly<Record<string, unknown>>
  /** When it happened, by the gateway's clock (ISO 8601); absent for a hint. */
  readonly at?: string | undefined
  /** When this page received it, by its own clock. */
  readonly receivedAt: number
}

export type LiveState =
  /** Events arrive. */
  | { readonly kind: 'live' }
  | { readonly kind: 'connecting' }
  /** The page asks every 15 seconds instead. */
  | { readonly kind: 'polling'; readonly retryAt: number }

/** A message from one browser tab to the others. */
export type Broadcast =
  | { readonly type: 'events'; readonly events: readonly LiveEvent[] }
  | { readonly type: 'state'; readonly state: LiveState }
  /** Events may have been missed: ask again for everything that is shown. */
  | { readonly type: 'gap' }
  /** A new tab asks the leader for the state. */
  | { readonly type: 'hello' }

export const EVENT_KINDS = [
  'transaction.approved',
  'transaction.rejected',
  'transaction.settled',
  'transaction.voided',
  'transaction.expired',
  'transaction.refunded',
  'mandate.budget.warning',
  'mandate.budget.exhausted',
  'approval.requested',
  'approval.decided',
] as const

/** Reads the text of a server-sent event. */
export function readEvent(name: string, text: string, receivedAt: number): LiveEvent | null {
  const body = parse(text)
  if (!body) return null
  if (name === 'hint') {
    const { kind, subject } = body
    if (typeof kind !== 'string') return null
    return { kind, subject: typeof subject === 'string' ? subject : null, data: body, receivedAt }
  }
  const data = Object(body['data']) as Record<string, unknown>
  const at = body['timestamp']
  return {
    ...{ kind: name, subject: subjectOf(name, data), data, receivedAt },
    ...(typeof at === 'string' ? { at } : {}),
  }
}

function subjectOf(kind: string, data: Record<string, unknown>): string | null {
  const field = kind.startsWith('mandate.')
    ? 'mandateId'
    : kind.startsWith('approval.')
      ? 'approvalId'
      : 'transactionId'
  const id = data[field]
  return typeof id === 'string' ? id : null
}

function parse(text: string): Record<string, unknown> | null {
  try {
    return Object(JSON.parse(text))
  } catch {
    return null
  }
}
