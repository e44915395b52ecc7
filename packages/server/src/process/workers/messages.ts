/** A worker tells its primary that it serves. */
export interface ReadyMessage {
  readonly kind: 'ready'
  readonly url: string
  readonly publicUrl: string
}

/** The primary asks a worker to drain and to end. */
export interface DrainMessage {
  readonly kind: 'drain'
}

export function isReady(message: unknown): message is ReadyMessage {
  return kindOf(message) === 'ready'
}

export function isDrain(message: unknown): message is DrainMessage {
  return kindOf(message) === 'drain'
}

function kindOf(message: unknown): unknown {
  return typeof message === 'object' && message !== null && 'kind' in message
    ? message.kind
    : undefined
}
