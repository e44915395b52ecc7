import { parseUrl } from '../../base/parse-url.ts'
import type { SmtpSettings } from '../../messages/mailer.ts'
import type { ReadVariable } from '../../paths/path.ts'
import { MAIL_SETTINGS } from './mail-settings.ts'

const URL_EXAMPLE = MAIL_SETTINGS.PURSER_SMTP_URL.example
const FROM_EXAMPLE = MAIL_SETTINGS.PURSER_MAIL_FROM.example
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/
const PORTS = { 'smtp:': 587, 'smtps:': 465 } as const
const TLS = ['required', 'optional', 'off'] as const
/** A name in quotes or without special characters, then the address. */
const FROM = /^(?:"?([^"<>@,;:\p{Cc}]*?)"? *<)?([^\s@"(),:;<>[\\\]]+@[^\s@"(),:;<>[\\\]]+?)>?$/u

/** Reads the SMTP server; undefined if no mail is sent. No mistake repeats the URL or its password. */
export function readMail(read: ReadVariable, mistakes: string[]): SmtpSettings | undefined {
  const [text, fromText] = [read('PURSER_SMTP_URL'), read('PURSER_MAIL_FROM')]
  if (text === undefined) {
    if (fromText === undefined) return undefined
    mistakes.push(
      `PURSER_MAIL_FROM is set without PURSER_SMTP_URL: set that to your SMTP server, such as ${URL_EXAMPLE}.`,
    )
    return undefined
  }
  const server = readServer(text)
  if (typeof server === 'string') mistakes.push(server)
  const [, name = '', address] = FROM.exec(fromText ?? '') ?? []
  const isClosed = fromText?.includes('<') === fromText?.endsWith('>')
  if (address === undefined || !isClosed) {
    const need = fromText === undefined ? 'is required with PURSER_SMTP_URL' : 'is not valid'
    mistakes.push(`PURSER_MAIL_FROM ${need}: set it to an address such as ${FROM_EXAMPLE}.`)
    return undefined
  }
  return typeof server === 'string' ? undefined : { ...server, from: { name, address } }
}

/** Returns a mistake as a sentence. */
function readServer(text: string): Omit<SmtpSettings, 'from'> | string {
  const url = parseUrl(text)
  const protocol = url?.protocol
  if (!url || (protocol !== 'smtp:' && protocol !== 'smtps:') || url.hostname === '') {
    return `PURSER_SMTP_URL must look like ${URL_EXAMPLE}. Encode special characters of the password.`
  }
  if (!/^\/?$/.test(url.pathname) || url.hash !== '') {
    return `PURSER_SMTP_URL must have no path: ${URL_EXAMPLE}. Encode special characters of the password.`
  }
  const { hostname: host } = url
  const startTls = readTls(url)
  if (startTls === undefined) {
    return `PURSER_SMTP_URL may have one parameter, tls, which is ${TLS.join(', ')}.`
  }
  const [user, password] = [toPlain(url.username), toPlain(url.password)]
  if (user === undefined || password === undefined) {
    return 'PURSER_SMTP_URL has a user or password with a wrong percent encoding.'
  }
  return {
    host: host.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? PORTS[protocol] : Number(url.port),
    isSecure: protocol === 'smtps:',
    startTls,
    user: user === '' ? undefined : user,
    password: user === '' ? undefined : password,
  }
}

/** Undefined if the parameters are wrong. A server on this machine needs no TLS. */
function readTls({ hostname, searchParams }: URL): SmtpSettings['startTls'] | undefined {
  if ([...searchParams.keys()].some((name) => name !== 'tls')) return undefined
  const [tls = LOOPBACK.test(hostname) ? 'off' : 'required'] = searchParams.getAll('tls')
  return TLS.find((one) => one === tls)
}

/** Undefined if the encoding is wrong. */
function toPlain(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
