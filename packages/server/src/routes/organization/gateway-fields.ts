import { type Static, Type } from 'typebox'
import { VERSION } from '../../base/version.ts'
import { nullable } from '../../http/document/schemas.ts'

/** Fields of the gateway itself, which its operator sets. No request can change them. */
export const GATEWAY_FIELDS = {
  environment: Type.Enum(['development', 'production', 'demo'], {
    type: 'string',
    description:
      'The environment of the gateway, set by its operator. `development` and `demo` create keys that begin with `psr_test_`, `production` keys that begin with `psr_live_`.',
  }),
  publicUrl: nullable(
    Type.String({
      description: 'The public origin of the gateway. Null if the operator has not set it.',
      examples: ['https://purser.example.com'],
    }),
  ),
  version: Type.String({ description: 'The version of the gateway.', examples: ['0.1.0'] }),
  webhookRetryDelays: Type.Array(Type.Number(), {
    description:
      'The delays before the retries of a webhook delivery, in seconds. A delivery has one attempt more than there are delays.',
    examples: [[5, 30, 180, 1_080]],
  }),
}

const Gateway = Type.Object(GATEWAY_FIELDS)

export interface GatewaySettings {
  readonly environment: Static<typeof Gateway>['environment']
  /** Undefined if it is not configured. A function, because a local port is known only later. */
  readonly publicUrl: () => string | undefined
  readonly retryDelaysMs: readonly number[]
}

export function toGatewayFields({
  environment,
  publicUrl,
  retryDelaysMs,
}: GatewaySettings): Static<typeof Gateway> {
  return {
    environment,
    publicUrl: publicUrl() ?? null,
    version: VERSION,
    webhookRetryDelays: retryDelaysMs.map((ms) => ms / 1_000),
  }
}
