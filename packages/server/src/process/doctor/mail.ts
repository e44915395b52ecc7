import { createMailer } from '../../messages/mailer.ts'
import type { Config } from '../config.ts'
import { type Check, messageOf, ok, warn } from './check.ts'

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
