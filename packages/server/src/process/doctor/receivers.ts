import { countOf } from '../../base/count-of.ts'
import { parseUrl } from '../../base/parse-url.ts'
import { createMailer } from '../../messages/mailer.ts'
import { createOutboundClient } from '../../outbound/outbound-client.ts'
import type { Queryable } from '../../storage/engine/database.ts'
import { listReceivers } from '../../storage/lags.ts'
import type { Config } from '../config.ts'
import { type Check, messageOf, ok, warn } from './check.ts'

const RECEIVERS_MAX = 20
const ANSWER_WITHIN_MS = 5_000

/**
 * Sends a HEAD request without a body to the origin of each receiver, through the guard that
 * webhooks use. Every answer counts, because receivers may know only POST. No event is sent.
 */
export async function checkWebhooks(
  db: Queryable,
  { outbound: policy }: Pick<Config, 'outbound'>,
): Promise<Check> {
  const receivers = await listReceivers(db, RECEIVERS_MAX)
  if (receivers.length === 0) return ok('webhooks', 'No organization has a webhook.')
  const outbound = createOutboundClient(policy)
  try {
    const failures = await Promise.all(receivers.map((url) => findFailure(outbound, url)))
    const failed = failures.filter((text) => text !== undefined)
    if (failed.length === 0) {
      const all =
        receivers.length === 1
          ? 'The receiver answers.'
          : `All ${receivers.length} receivers answer.`
      return ok('webhooks', all)
    }
    return warn(
      'webhooks',
      `${failed.length} of ${countOf(receivers.length, 'webhook receiver')} cannot be reached. ${failed.join(' ')}`,
      'Check the DNS name, the certificate and the firewall. Events wait and are retried.',
    )
  } finally {
    await outbound.close()
  }
}

async function findFailure(
  outbound: ReturnType<typeof createOutboundClient>,
  url: string,
): Promise<string | undefined> {
  const { origin, host } = parseUrl(url) ?? {}
  if (origin === undefined) return 'A URL is unreadable.'
  const result = await outbound.call({
    method: 'HEAD',
    url: `${origin}/`,
    headers: {},
    timeoutMs: ANSWER_WITHIN_MS,
    answerBytesMax: 0,
  })
  return result.kind === 'answer' ? undefined : `${host}: ${result.message}`
}

/** Connects to the SMTP server and signs in. No mail is sent. */
export async function checkMail({ smtp }: Pick<Config, 'smtp'>): Promise<Check> {
  if (smtp === undefined) return ok('mail', 'PURSER_SMTP_URL is not set, so no mail is sent.')
  const server = `${smtp.host}:${smtp.port}`
  try {
    await createMailer(smtp).check()
    return ok('mail', `The SMTP server ${server} accepts the connection.`)
  } catch (error) {
    return warn(
      'mail',
      `The SMTP server ${server} cannot be used: ${messageOf(error)}`,
      'Check PURSER_SMTP_URL, the firewall and the certificate; NODE_EXTRA_CA_CERTS adds an authority of your own. Messages wait and are retried for 10 hours.',
    )
  }
}
