import type { Lifecycle } from '../base/lifecycle.ts'
import type { Log } from '../base/log.ts'
import type { App } from '../http/app.ts'
import { type Messages, startMessages } from '../messages/messages.ts'
import type { OutboundClient } from '../outbound/outbound-client.ts'
import type { Clock } from '../storage/engine/clock.ts'
import type { Config } from './config.ts'
import { localUrl } from './listening.ts'
import type { Metering } from './observation/metering.ts'
import type { Storage } from './open-storage.ts'

interface ServingParts {
  readonly built: { readonly app: App; readonly clock: Clock; readonly outbound: OutboundClient }
  readonly config: Pick<Config, 'smtp' | 'publicUrl' | 'environment'>
  readonly metering: Pick<Metering, 'onMessage'>
  readonly log: Log
}

/** Starts the messages to people of a gateway that listens. */
export function addMessages(
  { add }: Lifecycle,
  { db, sealer }: Storage,
  { built, config, metering, log }: ServingParts,
): Messages {
  const { app, clock, outbound } = built
  const { smtp, environment } = config
  const own = environment === 'production' ? undefined : localUrl(app)
  const publicUrl = () => config.publicUrl ?? own
  const { onMessage } = metering
  const parts = { db, sealer, clock: clock.read, log, outbound, publicUrl, smtp, onMessage }
  return add(startMessages(parts))
}
