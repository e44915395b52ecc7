import type { Gateway } from '../gateway/gateway.ts'
import type { App } from '../http/app.ts'

/** What a payment path is given. */
export interface PathParts {
  readonly gateway: Gateway
}

/**
 * A way by which spends come in. It translates its request into the common form, hands that to the
 * gateway, and translates the decision back; what belongs to its protocol stays in its folder.
 */
export interface PaymentPath {
  readonly name: string
  routes(app: App, parts: PathParts): void
}
