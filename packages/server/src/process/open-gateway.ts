import type { Lifecycle } from '../base/lifecycle.ts'
import { createGateway, type Gateway, type GatewayParts } from '../gateway/gateway.ts'
import { tellDecisions } from '../gateway/tell-decisions.ts'
import type { AppConfig } from './app-settings.ts'
import type { Metering } from './observation/metering.ts'

/** Two batches at a time, as prototypes suggested; other numbers were not measured on this code. */
const LANES_MAX = 2

/** Creates the gateway, which is measured and logs its decisions if the operator wants that. */
export function openGateway(
  { add }: Lifecycle,
  parts: Omit<GatewayParts, 'lanesMax' | 'batchSizeMax' | 'onBatch'>,
  { limits, log: { tellsDecisions } }: Pick<AppConfig, 'limits' | 'log'>,
  { onBatch, measured }: Metering,
): Gateway {
  const { batchSizeMax } = limits
  const gateway = add(createGateway({ ...parts, lanesMax: LANES_MAX, batchSizeMax, onBatch }))
  const quiet = measured(gateway)
  return tellsDecisions ? tellDecisions(quiet, parts.log) : quiet
}
