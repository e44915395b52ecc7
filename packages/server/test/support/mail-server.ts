import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import type { SmtpSettings } from '../../src/messages/mailer.ts'
import type { Certificate } from './certificate.ts'

export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  /** The mail as it was sent. */
  readonly raw: string
  /** The part before the first empty line, with folded lines joined. */
  readonly headers: string
  readonly subject: string
  readonly text: string
}

/** Refuses a mail with this status, at the recipient. Undefined accepts it. */
export type Refuse = (to: string) => number | undefined

/** A real SMTP server on the loopback. */
export interface MailServer {
  readonly smtp: SmtpSettings
  readonly mails: readonly ReceivedMail[]
  /** How many connections were opened. */
  connections(): number
  /** How often a client has sent a user and a password. */
  signIns(): number
  refuse(refuse: Refuse): void
  /** From now on no client learns that its mail has arrived, until `release`. */
  hold(): void
  /** How many clients wait for that. */
  held(): number
  release(): void
  close(): Promise<void>
}

export const SMTP_USER = 'purser'
export const SMTP_PASSWORD = 'the password of the SMTP server'

/** `smtps` uses TLS from the first byte, `starttls` begins without it. */
export interface MailServerTls extends Certificate {
  readonly mode: 'smtps' | 'starttls'
}

/** `port` lets a server return at the address of one that was closed. Without `tls` it has no TLS. */
export async function startMailServer(port = 0, tls?: MailServerTls): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  let refuse: Refuse = () => undefined
  let connections = 0
  let signIns = 0
  let isHolding = false
  const held: (() => void)[] = []
  const server = new SMTPServer({
    logger: false,
    // With STARTTLS, a password that arrives before it is refused.
    ...(tls
      ? { key: tls.key, cert: tls.cert, secure: tls.mode === 'smtps' }
      : { disabledCommands: ['STARTTLS'], allowInsecureAuth: true }),
    onConnect(_session, done) {
      connections += 1
      done()
    },
    onAuth({ username, password }, _session, done) {
      signIns += 1
      const isRight = username === SMTP_USER && password === SMTP_PASSWORD
      done(isRight ? null : new Error('Wrong password'), { user: SMTP_USER })
    },
    onRcptTo({ address }, _session, done) {
      const status = refuse(address)
      if (status === undefined) done()
      else done(Object.assign(new Error('Refused'), { responseCode: status }))
    },
    onData(stream, { envelope }, done) {
      let raw = ''
      stream.setEncoding('latin1').on('data', (part: string) => {
        raw += part
      })
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
        mails.push(
          toMail(
            from,
            envelope.rcptTo.map(({ address }) => address),
            raw,
          ),
        )
        if (isHolding) held.push(done)
        else done()
      })
    },
  })
  // A client that does not trust the certificate ends the handshake.
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.server.address() as AddressInfo
  return {
    smtp: {
      ...{ host: '127.0.0.1', port: address.port, isSecure: tls?.mode === 'smtps' },
      startTls: tls?.mode === 'starttls' ? 'required' : 'off',
      ...{ user: SMTP_USER, password: SMTP_PASSWORD },
      from: { name: 'Purser', address: 'purser@example.com' },
    },
    mails,
    connections: () => connections,
    signIns: () => signIns,
    refuse(next) {
      refuse = next
    },
    hold() {
      isHolding = true
    },
    held: () => held.length,
    release() {
      isHolding = false
      for (const done of held.splice(0)) done()
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function toMail(from: string, to: readonly string[], raw: string): ReceivedMail {
  const end = raw.indexOf('\r\n\r\n')
  const headers = raw.slice(0, end).replace(/\r\n[ \t]+/g, ' ')
  const encoding = /^content-transfer-encoding: (.*)$/im.exec(headers)?.[1]?.trim()
  const subject = toPlainHeader(/^subject: (.*)$/im.exec(headers)?.[1] ?? '')
  return { from, to, raw, headers, subject, text: toPlainBody(raw.slice(end + 4), encoding) }
}

function toPlainBody(body: string, encoding: string | undefined): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding !== 'quoted-printable') return body
  return fromQuoted(body.replace(/=\r\n/g, ''))
}

function fromQuoted(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** Decodes words as in RFC 2047. */
function toPlainHeader(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([QB])\?(.*?)\?=/gi, (_, kind: string, word: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64').toString('utf8')
        : fromQuoted(word.replaceAll('_', ' ')),
    )
}
