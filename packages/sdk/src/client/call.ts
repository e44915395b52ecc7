import { type ErrorFacts, SpendRejectedError } from './errors.ts'

/** What a caller may set for one call. */
export interface CallOptions {
  /** Ends the call. A request that was sent may still take effect. */
  readonly signal?: AbortSignal | undefined
  /** How long the call may take with all its attempts, in milliseconds. */
  readonly timeoutMs?: number | undefined
  /** How many times to repeat a failed attempt. */
  readonly retries?: number | undefined
  /**
   * The `Idempotency-Key` of a POST or PATCH. Without it, each call gets a random one, which all of
   * its attempts share.
   */
  readonly idempotencyKey?: string | undefined
  /** Further request headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** An answer with the HTTP response that carried it. */
export interface Answer<T> {
  readonly data: T
  readonly response: Response
  /** The id of the request in the log of the gateway. */
  readonly requestId: string | null
}

/** The promise of an answer. */
export interface Call<T> extends Promise<T> {
  /** Returns the HTTP response too, for its status and headers. Its body has been read. */
  withResponse(): Promise<Answer<T>>
}

/** An answer that is a decision. */
export interface Decided {
  readonly decision: 'approved' | 'rejected' | null
}

/** The answers that are no rejection. */
export type NotRejected<T extends Decided> = Exclude<T, { readonly decision: 'rejected' }>

/** The promise of a decision. A rejection is a value, unless `orThrow` makes it an error. */
export interface DecisionCall<T extends Decided> extends Call<T> {
  /** Rejects with a `SpendRejectedError` if the gateway rejected the spend. */
  orThrow(): Promise<NotRejected<T>>
}

/** A list of the API. A `for await` loop reads all of its pages, each when it is needed. */
export interface List<T, Page> extends AsyncIterable<T> {
  /** Returns one page: the first, or the one after the `cursor` of the query. */
  page(): Call<Page>
  /** Collects the entries, at most `limit`. */
  toArray(options: { readonly limit: number }): Promise<T[]>
}

/** Makes the promise that a method returns. */
export function createCall<T>(answer: Promise<Answer<T>>): Call<T> {
  const data = answer.then((it) => it.data)
  return Object.assign(data, {
    withResponse() {
      // The caller handles the failure of `answer`.
      data.catch(() => {})
      return answer
    },
  })
}

/** The same for an answer that is a decision. */
export function createDecisionCall<T extends Decided>(answer: Promise<Answer<T>>): DecisionCall<T> {
  const call = createCall(answer)
  return Object.assign(call, {
    orThrow: () => call.withResponse().then(({ data, requestId }) => notRejected(data, requestId)),
  })
}

function notRejected<T extends Decided>(data: T, requestId: string | null): NotRejected<T> {
  if (data.decision === 'rejected') throw rejectionOf(data, { requestId })
  return data as NotRejected<T>
}

/** Returns the error for a rejection, with the reason that the gateway gives. */
export function rejectionOf<T>(data: T, facts: Omit<ErrorFacts, 'code'>): SpendRejectedError<T> {
  const { evaluationDetails } = data as { evaluationDetails?: { code: string; message: string } }
  const { code = 'rejected', message = 'The gateway rejected the spend.' } = evaluationDetails ?? {}
  return new SpendRejectedError(message, { ...facts, code, status: 200 }, data)
}
