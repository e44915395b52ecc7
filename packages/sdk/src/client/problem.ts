/** An error answer of the gateway: an RFC 9457 document. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly instance: string
  readonly code: string
  readonly requestId: string
  readonly errors: readonly {
    readonly path: string
    readonly code: string
    readonly message: string
  }[]
  readonly [field: string]: unknown
}
