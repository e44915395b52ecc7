import type { MessageText } from '../core/messages/texts.ts'

/** The SMTP server of the installation, from PURSER_SMTP_URL. */
export interface SmtpSettings {
  readonly host: string
  readonly port: number
  /** TLS from the first byte, as with smtps. */
  readonly isSecure: boolean
  /** How a connection that begins without TLS continues. */
  readonly startTls: 'required' | 'optional' | 'off'
  readonly user: string | undefined
  readonly password: string | undefined
  /** PURSER_MAIL_FROM: an address, with an optional name before it. */
  readonly from: { readonly name: string; readonly address: string }
}

export interface Mail extends MessageText {
  /** Names the message, so that a mail program can recognize one that arrives twice. */
  readonly id: string
  readonly to: string
}

export type SendResult =
  | { readonly isSent: true }
  /** `isFinal`: a retry would fail in the same way. `code` has no text of the other side. */
  | { readonly isSent: false; readonly isFinal: boolean; readonly code: string }

export interface Mailer {
  send(mail: Mail): Promise<SendResult>
  /** Connects and signs in, and sends nothing. Throws the reason if that fails. */
  check(): Promise<void>
}

/** The limits of a connection. Together they stay below `MAIL_MS_MAX`. */
const CONNECT_MS = 10_000
const GREETING_MS = 5_000
const SILENCE_MS = 15_000
/** No attempt takes longer, whatever the server does. */
export const MAIL_MS_MAX = 30_000

/** Addresses that need no quoting, so that none can be read as two or as a name. */
const PLAIN_ADDRESS = /^[^\s@"(),:;<>[\\\]\p{Cc}\p{Cf}]+@[^\s@"(),:;<>[\\\]\p{Cc}\p{Cf}]+$/u

/** Opens one connection for each mail. The library is loaded with the first one. */
export function createMailer(settings: SmtpSettings): Mailer {
  async function openTransport() {
    const { createTransport } = await import('nodemailer')
    const { host, port, isSecure, startTls, user, password } = settings
    return createTransport({
      ...{ host, port, secure: isSecure },
      requireTLS: startTls === 'required',
      ignoreTLS: startTls === 'off',
      ...(user !== undefined && { auth: { user, pass: password ?? '' } }),
      connectionTimeout: CONNECT_MS,
      greetingTimeout: GREETING_MS,
      socketTimeout: SILENCE_MS,
      dnsTimeout: GREETING_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }

  return {
    async send({ id, to, subject, text, footer }) {
      if (!PLAIN_ADDRESS.test(to)) return failed('address_refused', true)
      const { from } = settings
      const transport = await openTransport()
      const host = from.address.slice(from.address.lastIndexOf('@') + 1)
      try {
        await endWithin(
          transport.sendMail({
            from,
            to: { name: '', address: to },
            envelope: { from: from.address, to: [to] },
            subject,
            text: `${text}\n\n${footer}\n`,
            messageId: `<${id}@${host}>`,
            headers: { 'Auto-Submitted': 'auto-generated' },
          }),
        )
        return { isSent: true }
      } catch (error) {
        return toFailure(error)
      } finally {
        transport.close()
      }
    },
    async check() {
      const transport = await openTransport()
      try {
        await endWithin(transport.verify())
      } finally {
        transport.close()
      }
    },
  }
}

/** The limits of the library restart with every byte, so a slow server could exceed them all. */
async function endWithin<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<never>((_, reject) => {
    const error = Object.assign(new Error('The SMTP server took too long.'), { code: 'ETIMEDOUT' })
    timer = setTimeout(() => reject(error), MAIL_MS_MAX)
  })
  try {
    return await Promise.race([work, over])
  } finally {
    clearTimeout(timer)
  }
}

/** The codes of failures that only the operator can end, by correcting the settings. */
export const SIGN_IN_REFUSED = 'smtp_sign_in_refused'
export const NO_TLS = 'smtp_no_tls'
export const CERTIFICATE_REFUSED = 'smtp_certificate_refused'

/** The codes that Node gives to certificates that it refuses. */
const OF_CERTIFICATE = /CERT|ISSUER|SELF_SIGNED|LEAF_SIGNATURE/

/**
 * Only a refusal of this recipient or this message is final. A refused sign-in is not: the operator
 * can correct the settings before the last retry.
 */
function toFailure(error: unknown): SendResult {
  const { code, originalCode, responseCode } = Object(error)
  if (code === 'EAUTH') return failed(SIGN_IN_REFUSED, false)
  if (OF_CERTIFICATE.test(String(originalCode))) return failed(CERTIFICATE_REFUSED, false)
  if (code === 'ETLS') return failed(NO_TLS, false)
  const status = typeof responseCode === 'number' ? responseCode : undefined
  const isOfMessage = code === 'EENVELOPE' || code === 'EMESSAGE'
  const isFinal = isOfMessage && status !== undefined && status >= 500
  return failed(`smtp_${status ?? (typeof code === 'string' ? code : 'failed')}`, isFinal)
}

function failed(code: string, isFinal: boolean): SendResult {
  return { isSent: false, isFinal, code }
}
