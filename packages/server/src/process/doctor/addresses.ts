import type { Config } from '../config.ts'
import { type Check, messageOf, ok, warn } from './check.ts'

const ANSWER_WITHIN_MS = 5_000

/** Whether a gateway with these settings answers on this machine. */
export async function checkGateway({ http }: Pick<Config, 'http'>): Promise<Check> {
  const host = http.host === '0.0.0.0' || http.host === '::' ? '127.0.0.1' : http.host
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${http.port}`
  if (http.port === 0)
    return ok('gateway', 'PURSER_PORT is 0, so the port of a gateway is unknown.')
  const answer = await ask(`${url}/readyz`)
  if (answer.status === undefined) return ok('gateway', `No gateway answers at ${url}.`)
  if (answer.status === 200) return ok('gateway', `The gateway at ${url} is ready.`)
  return warn(
    'gateway',
    `The server at ${url} returned ${answer.status} for /readyz.`,
    `Read ${url}/readyz and the log of the gateway. If a different program listens there, change PURSER_PORT.`,
  )
}

/** The public address, as other parties see it. */
export async function checkAddresses(config: Config): Promise<Check> {
  const { environment, publicUrl, trustedProxies, http } = config
  const isProduction = environment === 'production'
  if (publicUrl === undefined) {
    const isReachable = !/^(127\.|::1$|localhost$)/.test(http.host)
    if (!isProduction && !isReachable) {
      return ok('addresses', `The gateway listens on ${http.host}, for this machine alone.`)
    }
    return warn(
      'addresses',
      'PURSER_PUBLIC_URL is not set, so mandate tokens and links have no public address.',
      'Set PURSER_PUBLIC_URL to the origin that callers use, such as https://gateway.example.',
    )
  }
  if (isProduction && trustedProxies.length === 0) {
    return warn(
      'addresses',
      `${publicUrl} is served through a proxy, but PURSER_TRUSTED_PROXIES is empty, so all sign-ins count against the address of the proxy.`,
      'Set PURSER_TRUSTED_PROXIES to the network of the proxy.',
    )
  }
  const { status, reason } = await ask(`${publicUrl}/healthz`)
  if (status === 200) return ok('addresses', `${publicUrl} reaches a gateway.`)
  const found = status === undefined ? `does not answer (${reason})` : `returned ${status}`
  return warn(
    'addresses',
    `${publicUrl}/healthz ${found} from this machine.`,
    'Check the proxy, the DNS name and the certificate. Ignore this if no gateway runs.',
  )
}

async function ask(url: string): Promise<{ readonly status?: number; readonly reason?: string }> {
  try {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
    const response = await fetch(url, { signal, redirect: 'manual' })
    await response.body?.cancel()
    return { status: response.status }
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
    return { reason: messageOf(cause) }
  }
}
