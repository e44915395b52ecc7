/** One request of the API. */
export interface ApiRequest {
  readonly method: string
  /** The path below `/api/v1`, with its parameters filled in. */
  readonly path: string
  readonly query?: object | undefined
  readonly body?: unknown
  readonly accept?: string
  /** How long the gateway may wait before it answers. The call may take that much longer. */
  readonly waitMs?: number
  /** Reads the answer. Default: JSON. The time of an attempt ends with it, so a stream may go on. */
  readonly read?: (response: Response) => Promise<unknown>
}
