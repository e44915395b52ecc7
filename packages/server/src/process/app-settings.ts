import type { FastifyBaseLogger } from 'fastify'
import { logEvent } from '../base/log/log-event.ts'
import { listBuiltFiles } from '../console/built-files.ts'
import { serveConsole } from '../console/serve-console.ts'
import type { PathName } from '../core/path.ts'
import type { EndByHand } from '../gateway/holds/by-hand.ts'
import type { App } from '../http/app.ts'
import { createClientAddress, tellUntrustedProxy } from '../http/auth/client-address.ts'
import { documentRoutes } from '../http/document/serve-document.ts'
import { healthRoutes, versionRoutes } from '../http/health.ts'
import { createCountedOnce } from '../http/limits/counted-once.ts'
import { createInFlight } from '../http/limits/in-flight.ts'
import { createRateLimit } from '../http/limits/rate-limit.ts'
import type { OpenPath, Worker } from '../paths/path.ts'
import type { Database, Remover } from '../storage/engine/database.ts'
import type { Config } from './config.ts'

export interface AppConfig
  extends Pick<Config, 'outbound' | 'webhooks' | 'limits' | 'paths'>,
    Pick<Config, 'publicUrl' | 'trustedProxies'> {
  /** The demo behaves as a development installation. */
  readonly environment: Config['environment'] | 'demo'
  readonly log: Pick<Config['log'], 'tellsDecisions'>
  readonly consoleFolder?: Config['consoleFolder']
  readonly commit?: Config['commit']
  readonly smtp?: Config['smtp']
}

/** The dispatcher comes last, because the rounds of the others store events. */
export async function roundOf(workers: readonly Worker[]): Promise<void> {
  for (const worker of workers) await worker.round?.()
}

/** Routes about the installation itself, which need no key. */
export function installationRoutes(
  app: App,
  parts: { readonly db: Database; readonly commit: Config['commit']; store(): string },
): void {
  healthRoutes(app, parts)
  versionRoutes(app, parts)
  documentRoutes(app)
}

/** The operator's settings that the API follows or shows. */
export function settingsOf({ environment, limits, webhooks }: AppConfig) {
  return {
    environment,
    requestsPerMinute: limits.requestsPerMinute,
    retryDelaysMs: webhooks.retryDelaysMs,
    allowsLoopback: environment !== 'production',
  }
}

/** The operator's settings that the console's endpoints follow. */
export function consoleSettingsOf(
  { environment, trustedProxies, smtp }: AppConfig,
  log: FastifyBaseLogger,
) {
  const clientAddress = createClientAddress(trustedProxies)
  return { clientAddress, environment, log, sendsMail: smtp !== undefined }
}

export function warnOfProxies(
  app: App,
  { trustedProxies }: AppConfig,
  log: FastifyBaseLogger,
): void {
  tellUntrustedProxy(app, trustedProxies, (peer) => logEvent(log, 'http.proxy_untrusted', { peer }))
}

/** The API needs no console, so a gateway without the built files starts too. */
export async function addConsole(
  app: App,
  { consoleFolder: folder }: AppConfig,
  log: FastifyBaseLogger,
): Promise<void> {
  if (folder === undefined) return
  const files = await listBuiltFiles(folder)
  if (files) serveConsole(app, files)
  else logEvent(log, 'process.console_missing', { folder })
}

/** The limits on request rate and on concurrent requests. */
export function createLimits(
  now: () => number,
  { inFlight, requestsPerMinute }: AppConfig['limits'],
) {
  return {
    ...createCountedOnce(createRateLimit(now, requestsPerMinute)),
    inFlight: createInFlight(inFlight),
  }
}

export function removersOf(paths: readonly OpenPath[]): Remover[] {
  return paths.flatMap((path) => path.removers ?? [])
}

/** The open paths by their names. */
export function namedOf(
  named: AppConfig['paths'],
  opened: readonly OpenPath[],
): Map<PathName, OpenPath> {
  return new Map(
    named.flatMap(({ name }, index) => {
      const path = opened[index]
      return path ? [[name, path] as const] : []
    }),
  )
}

/** How an operator force-closes holds, for each path that has its own way. */
export function byHandOf(
  named: AppConfig['paths'],
  opened: readonly OpenPath[],
): Map<PathName, EndByHand> {
  return new Map(
    opened.flatMap(({ byHand }, index) => {
      const name = named[index]?.name
      return byHand && name ? [[name, byHand] as const] : []
    }),
  )
}
